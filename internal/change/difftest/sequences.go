package difftest

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A struct whose fields changed is another type to the driver: a value of the candidate cannot serve the base. Others do not see
// that. They make one by an exported function, call its methods in turn, and look at what these return. So a function that does
// this is added to both sides. Its argument is a list of steps, each one a call. While tests and benchmarks run, hooks note what
// they call in which order, and pawldrive hands these lists to the function, as if it had been called with them.
const (
	sequencesFile  = "zz_pawl_sequences.go"
	sequencePrefix = "PawlSequence"
	stepPrefix     = "PawlStep"
	shownFunc      = "pawlShown"
	ofZero         = -1  // a step that makes a zero value
	another        = "y" // value of the type: of a step, With says which
	mostSequences  = 4   // in a package
	mostCalled     = 64  // functions and methods
)

// A sequence is an exported type that changed inside, and the calls that make its values and use them.
type sequence struct {
	c     *comparison
	n     int // of its package
	own   *types.TypeName
	calls []turn
	// unsure are functions and methods whose calls cannot be noted, and methods of the package's own that its tests call: after one,
	// nothing is known of a value.
	unsure  []*decl
	setters []string // benchmarks that set fields
}

// A turn is one call that a sequence can make.
type turn struct {
	*decl
	args []string // how each argument is written: a field of the step, or another
}

// sequencesOf returns the sequences of a package.
func (c *comparison) sequencesOf() (found []sequence) {
	tests := readTests(c.pkg)
	for _, d := range c.cand.sorted(typeDecl) {
		own, ok := d.obj.(*types.TypeName)
		if !ok || own.IsAlias() || !own.Exported() || c.foreign[c.base.decls[d.key]] == "" || len(found) == mostSequences {
			continue
		}
		if t, ok := own.Type().(*types.Named); !ok || t.TypeParams() != nil || code.May[*types.Interface](t) {
			continue
		}
		s := sequence{c: c, n: len(found), own: own, setters: tests.setters(own.Type())}
		for _, f := range c.cand.sorted(funcDecl) {
			if s.concerns(f) {
				s.take(f, tests)
			}
		}
		if slices.ContainsFunc(s.calls, func(t turn) bool { return t.fn.Recv != nil }) {
			found = append(found, s)
		}
	}
	return found
}

// concerns reports whether a function makes values of the type, or is a method that is called by a pointer to one.
func (s sequence) concerns(d *decl) bool {
	sig := d.obj.Type().(*types.Signature)
	if sig.Recv() != nil {
		return s.isOwn(sig.Recv().Type())
	}
	return d.fn.Name.IsExported() && s.makes(sig.Results())
}

// zeros reports whether a value with nothing in it was made by no function of the base but those whose calls are noted.
func (s sequence) zeros() bool {
	base := s.c.base
	return !slices.ContainsFunc(base.sorted(funcDecl), func(d *decl) bool {
		noted := slices.ContainsFunc(s.calls, func(t turn) bool { return t.key == d.key })
		return !noted && code.Any(d.fn, func(lit *ast.CompositeLit) bool {
			n, ok := types.Unalias(code.Pointee(base.info.TypeOf(lit))).(*types.Named)
			return ok && len(lit.Elts) > 0 && n.Obj() == base.decls[s.own.Name()].obj
		})
	})
}

func (s sequence) isOwn(t types.Type) bool {
	return types.Identical(t, types.NewPointer(s.own.Type()))
}

// makes reports whether results are one value of the type, alone or beside an error.
func (s sequence) makes(r *types.Tuple) bool {
	return oneResult(r) && s.isOwn(r.At(0).Type())
}

// take puts a function to the calls, or to those that nothing can be noted about.
func (s *sequence) take(d *decl, tests testsOf) {
	was := s.c.base.decls[d.key]
	switch {
	case d.fn.Body == nil || d.file.cgo || pragma(d.doc) || recovers(d.fn):
	case !d.fn.Name.IsExported():
		if tests.selected[d.fn.Name.Name] {
			s.unsure = append(s.unsure, d)
		}
	case len(s.calls) < mostCalled && was != nil && was.kind == funcDecl && was.fn.Body != nil && signature(was) == signature(d) && s.callable(d.obj.Type().(*types.Signature)):
		s.calls = append(s.calls, turn{decl: d})
	default:
		s.unsure = append(s.unsure, d)
	}
}

// callable reports whether a call's arguments can be noted, and its results compared.
func (s sequence) callable(sig *types.Signature) bool {
	others := 0
	for v := range sig.Params().Variables() {
		if s.isOwn(v.Type()) {
			others++
		} else if !s.plain(v.Type(), map[types.Type]bool{}) {
			return false
		}
	}
	if others > 1 || sig.TypeParams() != nil {
		return false
	}
	if s.makes(sig.Results()) {
		return true
	}
	for v := range sig.Results().Variables() {
		if !s.plain(v.Type(), map[types.Type]bool{}) {
			return false
		}
	}
	return true
}

// plain reports whether values of a type mean the same to both sides: no type that changed can be in them but in an empty interface,
// which is looked at when it is there, and nothing that is only itself.
func (s sequence) plain(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] || code.IsError(t) {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Interface:
		return u.Empty() || !s.implemented(u)
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	}
	return s.c.foreignIn(t) == "" && !code.Parts(t.Underlying(), func(part types.Type) bool { return !s.plain(part, seen) })
}

// implemented reports whether a type that changed may be in an interface.
func (s sequence) implemented(it *types.Interface) bool {
	for was := range s.c.foreign {
		d := s.c.cand.decls[was.key]
		if d == nil || types.Implements(d.obj.Type(), it) || types.Implements(types.NewPointer(d.obj.Type()), it) {
			return true
		}
	}
	return false
}

// A testsOf is what tests of a package's own do.
type testsOf struct {
	selected map[string]bool     // the names after a dot
	set      map[string][]string // of functions, the names after a dot that they assign to
	calls    map[string][]string // of functions, what they name
}

func readTests(pkg gocmd.Package) testsOf {
	t := testsOf{make(map[string]bool), make(map[string][]string), make(map[string][]string)}
	for f := range parsed(pkg.Dir, pkg.TestGoFiles) {
		for sel := range code.All[*ast.SelectorExpr](f) {
			t.selected[sel.Sel.Name] = true
		}
		for fn := range code.All[*ast.FuncDecl](f) {
			for id := range code.All[*ast.Ident](fn) {
				t.calls[fn.Name.Name] = append(t.calls[fn.Name.Name], id.Name)
			}
			for as := range code.All[*ast.AssignStmt](fn) {
				for _, x := range as.Lhs {
					for sel := range code.All[*ast.SelectorExpr](x) {
						t.set[fn.Name.Name] = append(t.set[fn.Name.Name], sel.Sel.Name)
					}
				}
			}
		}
	}
	return t
}

// setters returns the benchmarks that set a field of a type, by themselves or by a function that they call: a value in them is not
// what calls have made of it.
func (t testsOf) setters(own types.Type) (found []string) {
	str, ok := own.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	fields := make(map[string]bool)
	for f := range str.Fields() {
		fields[f.Name()] = true
	}
	var sets func(name string, seen map[string]bool) bool
	sets = func(name string, seen map[string]bool) bool {
		if seen[name] {
			return false
		}
		seen[name] = true
		return slices.ContainsFunc(t.set[name], func(s string) bool { return fields[s] }) ||
			slices.ContainsFunc(t.calls[name], func(called string) bool { return sets(called, seen) })
	}
	for _, name := range slices.Sorted(maps.Keys(t.calls)) {
		if strings.HasPrefix(name, "Benchmark") && sets(name, make(map[string]bool)) {
			found = append(found, name)
		}
	}
	return found
}
