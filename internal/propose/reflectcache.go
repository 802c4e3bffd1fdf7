package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/rule"
)

// reflectCache remembers where reflection finds fields and methods by name.
type reflectCache struct{ savesBoth }

// Name is the kind of the changes.
func (reflectCache) Name() string { return "reflect-cache" }

// Doc describes the transformation.
func (reflectCache) Doc() string {
	return "A field or method that reflection looks up by its name is looked up once per type and name: a bounded cache in the package remembers its index."
}

// Evidence is the proof that it pays.
func (reflectCache) Evidence() *rule.Evidence {
	return proof("reflect-cache", "BenchmarkGet", "cpu", "finding a field by its tag takes a fraction of the time and no allocation", 0)
}

// A lookup is a call that finds a field or method by name.
type lookup struct {
	call  *ast.CallExpr
	recv  ast.Expr
	via   *lookupKind
	match *ast.FuncLit // the condition of FieldByNameFunc
	key   *ast.Ident   // what match compares with, nil if it captures no string
}

// A lookupKind is one of reflect's methods.
type lookupKind struct {
	method string // its types.Func.FullName
	helper string // name of the function that replaces it
	cache  string // name of the cache's variable
	noun   string // what is remembered
	elem   string // type of what is remembered of it, after the qualifier of reflect is put in for R
}

var lookupKinds = []*lookupKind{
	{"(reflect.Value).FieldByName", "fieldByName", "fieldIndexes", "field", "[]int"},
	{"(reflect.Value).FieldByNameFunc", "", "", "field", "[]int"},
	{"(reflect.Value).MethodByName", "methodByName", "methodIndexes", "method", "int"},
	{"(reflect.Type).FieldByName", "typeField", "typeFields", "field", "R.StructField"},
}

// Propose looks at the calls on the target's line and on those of the module's
// frames that call reflection.
func (r reflectCache) Propose(p *Program, t model.Target) ([]model.Change, []Refusal) {
	o := offers{kind: r.Name(), target: t}
	p.eachPlace(places(t, true), func(fn *function, at model.Pos) {
		if !callsReflect(t, at) {
			return
		}
		for _, l := range p.lookupsAt(fn, at.Line) {
			ch, why := r.propose(p, fn, l)
			o.add(at, types.ExprString(l.call.Fun)+" is looked up every time", ch, why)
		}
	})
	return o.changes, o.refusals
}

// callsReflect reports whether the cost of t can be that of a call of reflect
// at a line: the stack, where it has names, goes from there into reflect.
func callsReflect(t model.Target, at model.Pos) bool {
	at.Col = 0
	for i, f := range t.Stack {
		if i > 0 && f.Pos() == at && at != t.At {
			inner := t.Stack[i-1].Func
			return inner == "" || strings.HasPrefix(inner, "reflect.")
		}
	}
	return true
}

// lookupsAt returns the lookups on a line. One within the condition of
// another is left to that.
func (p *Program) lookupsAt(fn *function, line int) []*lookup {
	var found []*lookup
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		l := lookupOf(fn, call)
		if l == nil {
			return true
		}
		if p.covers(call, line) {
			found = append(found, l)
		}
		return l.match == nil
	})
	return found
}

func lookupOf(fn *function, call *ast.CallExpr) *lookup {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	target := callee(fn.info(), call)
	if !ok || target == nil || len(call.Args) != 1 || reflectType(fn.info().TypeOf(sel.X)) == "" {
		return nil
	}
	for _, k := range lookupKinds {
		if k.method != target.FullName() {
			continue
		}
		l := &lookup{call: call, recv: sel.X, via: k}
		if k.helper == "" {
			if l.match, ok = ast.Unparen(call.Args[0]).(*ast.FuncLit); !ok {
				return nil
			}
		}
		return l
	}
	return nil
}

// reflectType returns "Value" or "Type" for those of package reflect.
func reflectType(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "reflect" {
		return ""
	}
	if name := n.Obj().Name(); name == "Value" || name == "Type" {
		return name
	}
	return ""
}

func (r reflectCache) propose(p *Program, fn *function, l *lookup) (*model.Change, string) {
	if why := editable(fn.file); why != "" {
		return nil, why
	}
	switch fn.file.parent(l.call).(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return nil, "it is started by a go or defer statement"
	}
	if l.via.elem == "int" && fn.info().Types[l.call.Args[0]].Value != nil {
		return nil, "its name is constant: only for a constant can the linker drop the methods of other names"
	}
	obligations, why := l.argue(p, fn)
	if why != "" {
		return nil, why
	}
	g, why := p.cacheCode(fn, l)
	if why != "" {
		return nil, why
	}
	edits, err := g.edits(p, fn, l)
	if err != nil {
		return nil, err.Error()
	}
	name := callee(fn.info(), l.call).Name()
	return &model.Change{
		ID: changeID(r.Name(), fn.obj.FullName(), edits), Kind: r.Name(), Class: "B",
		Title: fmt.Sprintf("%s: remember what %s of %s finds, by type and name", fn.file.pkg.Name, name, fn.obj.Name()),
		Edits: edits, Obligations: obligations,
		Retains: fmt.Sprintf("at most %d %ss that were found stay remembered, each as its type, its name and %s", maxRemembered, l.via.noun, l.remembers()),
	}, ""
}

func (l *lookup) remembers() string {
	if l.via.elem == "R.StructField" {
		return "the reflect.StructField"
	}
	return "an index"
}

// argue collects the reasons why a remembered result is as good as a new one.
func (l *lookup) argue(p *Program, fn *function) ([]model.Obligation, string) {
	obligations := []model.Obligation{
		{Text: "the same type and name give the same result", How: "assumed", Why: "package reflect: the fields and methods of a type do not change"},
		{Text: "what panicked still panics the same way", How: "assumed",
			Why: "package reflect: the lookup panics for the wrong kind of value, which is handed to it as before; the rest is done by the call that it ends in itself"},
		{Text: "the cache does not grow without bound", How: "proven",
			Why: fmt.Sprintf("only what was found is remembered, and no more than %d of it; of the name, no memory of the caller is kept", maxRemembered)},
	}
	switch {
	case l.match != nil:
		why := l.condition(p, fn)
		if why != "" {
			return nil, why
		}
		return append(obligations, model.Obligation{Text: "the condition gives the same answer for the same type and name", How: "proven",
			Why: "it uses nothing but its parameter, the value's type, a string and functions that only compute"}), ""
	case l.via.elem == "R.StructField":
		if why := p.readOnly(fn, l.call); why != "" {
			return nil, why
		}
		return append(obligations, model.Obligation{Text: "nobody writes to the index of a remembered field", How: "proven",
			Why: "the caller reads the field's members only"}), ""
	}
	return obligations, ""
}

// readOnly says how the result of a lookup may be written to or kept, "" if
// it is only read: its index is a slice that others would share.
func (p *Program) readOnly(fn *function, call *ast.CallExpr) string {
	a, ok := fn.file.parent(call).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 {
		return "its result is passed on"
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return "its result is stored in " + types.ExprString(a.Lhs[0])
	}
	v := fn.info().ObjectOf(id)
	if v == nil { // the blank identifier
		return ""
	}
	if v.Parent() == nil || v.Parent() == v.Pkg().Scope() {
		return "its result is stored in " + id.Name
	}
	why := ""
	ast.Inspect(fn.decl, func(n ast.Node) bool {
		use, ok := n.(*ast.Ident)
		if ok && use != id && fn.info().ObjectOf(use) == v && why == "" && !readsMember(fn, use) {
			why = fmt.Sprintf("%s is used as a whole, or its index is (%s)", id.Name, p.pos(use.Pos()))
		}
		return true
	})
	return why
}

// readsMember reports whether a use of a StructField reads one of its members
// without giving the index away.
func readsMember(fn *function, id *ast.Ident) bool {
	switch up := fn.file.parent(id).(type) {
	case *ast.AssignStmt: // assigned as a whole, by another lookup perhaps
		for _, l := range up.Lhs {
			if l == id {
				return true
			}
		}
		return false
	case *ast.SelectorExpr:
		if up.Sel.Name != "Index" {
			return !addressed(fn.file, up)
		}
		call, ok := fn.file.parent(up).(*ast.CallExpr)
		if !ok {
			return false
		}
		if b := builtin(fn.info(), call); b != "" {
			return b == "len"
		}
		target := callee(fn.info(), call)
		return target != nil && (target.FullName() == "(reflect.Value).FieldByIndex" || target.FullName() == "(reflect.Type).FieldByIndex")
	}
	return false
}

// upper returns s with its first letter in upper case.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
