package reflects

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// maxRemembered bounds the caches that are written.
const maxRemembered = 1024

// A cacheCode holds the words for a helper function and its cache.
type cacheCode struct {
	names  map[string]string // what stands for each word of the templates
	store  string            // declarations of the cache's type, shared by all of one element
	helper string            // the cache itself and the function
	call   string            // what replaces the call
}

// storeTemplate is a map from a type and a name to E.
const storeTemplate = `// A STORE remembers what was found for a type and a name. The map is replaced,
// never changed, so that it is read without a lock.
type STORE struct {
	mu    sync.Mutex // held while the map is replaced
	known atomic.Value // map[KEY]ELEM
}

type KEY struct {
	typ  reflect.Type
	name string
}

// MAX bounds each STORE. What does not fit is looked up every time.
const MAX = LIMIT

func (s *STORE) get(typ reflect.Type, name string) (ELEM, bool) {
	known, _ := s.known.Load().(map[KEY]ELEM)
	found, ok := known[KEY{typ, name}]
	return found, ok
}

func (s *STORE) add(typ reflect.Type, name string, found ELEM) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, _ := s.known.Load().(map[KEY]ELEM)
	if len(known) >= MAX {
		return
	}
	more := make(map[KEY]ELEM, len(known)+1)
	for k, v := range known {
		more[k] = v
	}
	more[KEY{typ, name}] = found
	s.known.Store(more)
}
`

// helperTemplates are by the name of reflect's method.
var helperTemplates = map[string]string{
	"(reflect.Value).FieldByName": `var CACHE STORE

// HELPER returns v.FieldByName(name). It remembers where it has found the field.
func HELPER(v reflect.Value, name string) reflect.Value {
	if v.Kind() != reflect.Struct {
		return v.FieldByName(name) // panics
	}
	typ := v.Type()
	if index, ok := CACHE.get(typ, name); ok {
		return v.FieldByIndex(index)
	}
	f, ok := typ.FieldByName(name)
	if !ok {
		return reflect.Value{}
	}
	CACHE.add(typ, f.Name, f.Index)
	return v.FieldByIndex(f.Index)
}
`,
	"(reflect.Value).FieldByNameFunc": `var CACHE STORE

// HELPER returns the field that FUNC looks for. It remembers where it has found it.
func HELPER(VALUE reflect.ValuePARAM) reflect.Value {
	if VALUE.Kind() != reflect.Struct {
		return VALUE.FieldByNameFunc(nil) // panics
	}
	typ := VALUE.Type()
	if index, ok := CACHE.get(typ, NAME); ok {
		return VALUE.FieldByIndex(index)
	}
	f, ok := typ.FieldByNameFunc(MATCH)
	if !ok {
		return reflect.Value{}
	}
	CACHE.add(typ, KEPT, f.Index)
	return VALUE.FieldByIndex(f.Index)
}
`,
	"(reflect.Value).MethodByName": `var CACHE STORE

// HELPER returns v.MethodByName(name). It remembers where it has found the method.
func HELPER(v reflect.Value, name string) reflect.Value {
	if !v.IsValid() {
		return v.MethodByName(name) // panics
	}
	typ := v.Type()
	if index, ok := CACHE.get(typ, name); ok {
		return v.Method(index)
	}
	m, ok := typ.MethodByName(name)
	if !ok {
		return reflect.Value{}
	}
	CACHE.add(typ, m.Name, m.Index)
	return v.Method(m.Index)
}
`,
	"(reflect.Type).FieldByName": `var CACHE STORE

// HELPER returns typ.FieldByName(name). It remembers the fields that it has found: do not write to the Index of one.
func HELPER(typ reflect.Type, name string) (reflect.StructField, bool) {
	if typ.Kind() != reflect.Struct {
		return typ.FieldByName(name) // panics
	}
	if f, ok := CACHE.get(typ, name); ok {
		return f, true
	}
	f, ok := typ.FieldByName(name)
	if ok {
		CACHE.add(typ, f.Name, f)
	}
	return f, ok
}
`,
}

// writeCache chooses names and writes the declarations.
func writeCache(p *prove.Program, fn *prove.Function, l *lookup) (*cacheCode, *prove.Reason) {
	g := &cacheCode{names: map[string]string{}}
	pos := fn.Decl.End()
	for word, path := range map[string]string{"reflect": "reflect", "sync": "sync", "atomic": "sync/atomic", "strings": "strings"} {
		name := p.Qualifier(fn.File, pos, path)
		if name == "" {
			return nil, prove.Refuse("the name " + word + " means something else in " + fn.File.Name)
		}
		g.names[word+"."] = name + "."
	}
	g.names["LIMIT"] = fmt.Sprint(maxRemembered)
	g.names["ELEM"] = strings.Replace(l.via.elem, "R.", g.names["reflect."], 1)
	g.nameStore(p, fn, l)
	if l.match != nil {
		return g, g.nameMatch(p, fn, l)
	}
	g.names["CACHE"], g.names["HELPER"] = l.via.cache, l.via.helper
	g.write(p, fn, l)
	g.call = fmt.Sprintf("%s(%s, %s)", g.names["HELPER"], p.Source(fn.File, l.recv), p.Source(fn.File, l.call.Args[0]))
	return g, nil
}

// nameStore names the cache's type after what it holds. One that is there
// already is used.
func (g *cacheCode) nameStore(p *prove.Program, fn *prove.Function, l *lookup) {
	stem := l.via.noun + "Index"
	if l.via.elem == "R.StructField" {
		stem = "structField"
	}
	g.store = p.Declare(fn.File, func(i int) (string, []string) {
		name := prove.Numbered(stem, i)
		g.names["STORE"], g.names["KEY"], g.names["MAX"] = name+"Cache", name+"Key", "max"+code.UpperName(name)+"Cache"
		return g.fill(storeTemplate), []string{g.names["STORE"], g.names["KEY"], g.names["MAX"]}
	})
}

// write fills in the helper's declarations under names that are free, or
// those that are there already.
func (g *cacheCode) write(p *prove.Program, fn *prove.Function, l *lookup) {
	cache, helper := g.names["CACHE"], g.names["HELPER"]
	g.helper = p.Declare(fn.File, func(i int) (string, []string) {
		g.names["CACHE"], g.names["HELPER"] = prove.Numbered(cache, i), prove.Numbered(helper, i)
		return g.fill(helperTemplates[l.via.method]), []string{g.names["CACHE"], g.names["HELPER"]}
	})
}

// nameMatch names what a helper with a condition needs besides: its
// parameters are called as the condition calls them.
func (g *cacheCode) nameMatch(p *prove.Program, fn *prove.Function, l *lookup) *prove.Reason {
	value, args := "v", p.Source(fn.File, l.recv)
	if id, ok := ast.Unparen(l.recv).(*ast.Ident); ok {
		value = id.Name
	}
	g.names["VALUE"], g.names["PARAM"], g.names["NAME"], g.names["KEPT"] = value, "", `""`, `""`
	if l.key != nil {
		g.names["PARAM"], g.names["NAME"] = ", "+l.key.Name+" string", l.key.Name
		g.names["KEPT"] = g.names["strings."] + "Clone(" + l.key.Name + ")"
		args += ", " + l.key.Name
	}
	for _, name := range []string{"typ", "index", "ok", "f"} {
		if name == value || name == g.names["NAME"] || mentionsFree(fn, l.match, name) {
			return prove.Refuse("the condition uses the name " + name + ", which the cache needs")
		}
	}
	if value == g.names["NAME"] {
		return prove.Refuse("the condition uses the name v, which the cache needs")
	}
	if l.key != nil && !p.GoAtLeast(fn.File, "go1.18") {
		return prove.Refuse("it needs strings.Clone of Go 1.18")
	}
	g.names["MATCH"], g.names["FUNC"] = p.Source(fn.File, l.match), fn.Obj.Name()
	g.names["CACHE"], g.names["HELPER"] = code.LowerName(fn.Obj.Name())+"Fields", code.LowerName(fn.Obj.Name())+"FieldByName"
	g.write(p, fn, l)
	g.call = fmt.Sprintf("%s(%s)", g.names["HELPER"], args)
	return nil
}

// mentionsFree reports whether a condition uses a name that it does not
// declare.
func mentionsFree(fn *prove.Function, match *ast.FuncLit, name string) bool {
	return code.Any(match, func(id *ast.Ident) bool {
		obj := fn.Info().Uses[id]
		return id.Name == name && obj != nil && obj.Parent() != nil && !code.Declares(match, obj)
	})
}

// fill puts the words into a template, each once.
func (g *cacheCode) fill(template string) string {
	var pairs []string
	for word, text := range g.names {
		pairs = append(pairs, word, text)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

func (g *cacheCode) edits(p *prove.Program, fn *prove.Function, l *lookup) ([]model.Edit, *prove.Reason) {
	paths := []string{"reflect"}
	if g.store != "" {
		paths = append(paths, "sync", "sync/atomic")
	}
	if strings.Contains(g.helper, g.names["strings."]+"Clone") {
		paths = append(paths, "strings")
	}
	edits, ok := p.Reimport(fn.File, fn.Decl.End(), paths, "")
	if !ok {
		return nil, prove.Refuse("the packages that the cache needs cannot be imported in " + fn.File.Name)
	}
	edits = append(edits, p.Put(fn.File, l.call.Pos(), l.call.End(), g.call))
	if text := strings.TrimSpace(g.helper + "\n" + g.store); text != "" {
		edits = append(edits, p.Below(fn, text))
	}
	return edits, nil
}
