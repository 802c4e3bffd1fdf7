package reflects

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Cache remembers where reflection finds fields and methods by name.
var Cache = prove.Transformation{
	Name:     "reflect-cache",
	Doc:      "A field or method that reflection looks up by its name is looked up once per type and name: a bounded cache in the package remembers its index.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "reflect-cache", "BenchmarkGet", "cpu", "finding a field by its tag takes a fraction of the time and no allocation", 0),
	// It looks at the calls on the target's line and on those of the module's
	// frames that call reflection.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		if !callsReflect(s.Target, s.At) {
			return
		}
		for _, l := range lookupsAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeCache(s.Program, s.Fn, l)
			s.Add(types.ExprString(l.call.Fun)+" is looked up every time", ch, why)
		}
	}),
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
func lookupsAt(p *prove.Program, fn *prove.Function, line int) []*lookup {
	var found []*lookup
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		l := lookupOf(fn, call)
		if l == nil {
			return true
		}
		if p.Covers(call, line) {
			found = append(found, l)
		}
		return l.match == nil
	})
	return found
}

func lookupOf(fn *prove.Function, call *ast.CallExpr) *lookup {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	target := code.Callee(fn.Info(), call)
	if !ok || target == nil || len(call.Args) != 1 || reflectType(fn.Info().TypeOf(sel.X)) == "" {
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

func proposeCache(p *prove.Program, fn *prove.Function, l *lookup) (*model.Change, *prove.Reason) {
	if fn.File.Later(l.call) {
		return nil, prove.Refuse("it is started by a go or defer statement")
	}
	if l.via.elem == "int" && fn.Info().Types[l.call.Args[0]].Value != nil {
		return nil, prove.Refuse("its name is constant: only for a constant can the linker drop the methods of other names")
	}
	obligations, why := l.argue(p, fn)
	if why != nil {
		return nil, why
	}
	g, why := writeCache(p, fn, l)
	if why != nil {
		return nil, why
	}
	edits, why := g.edits(p, fn, l)
	if why != nil {
		return nil, why
	}
	name := code.Callee(fn.Info(), l.call).Name()
	return p.Change(fn, edits, model.Change{
		Kind:        "reflect-cache",
		Title:       fmt.Sprintf("%s: remember what %s of %s finds, by type and name", fn.File.Pkg.Name, name, fn.Obj.Name()),
		Obligations: obligations,
		Retains:     fmt.Sprintf("at most %d %ss that were found stay remembered, each as its type, its name and %s", maxRemembered, l.via.noun, l.remembers()),
	})
}

func (l *lookup) remembers() string {
	if l.via.elem == "R.StructField" {
		return "the reflect.StructField"
	}
	return "an index"
}

// argue collects the reasons why a remembered result is as good as a new one.
func (l *lookup) argue(p *prove.Program, fn *prove.Function) ([]model.Obligation, *prove.Reason) {
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
		if why != nil {
			return nil, why
		}
		return append(obligations, model.Obligation{Text: "the condition gives the same answer for the same type and name", How: "proven",
			Why: "it uses nothing but its parameter, the value's type, a string and functions that only compute"}), nil
	case l.via.elem == "R.StructField":
		if why := readOnly(p, fn, l.call); why != nil {
			return nil, why
		}
		return append(obligations, model.Obligation{Text: "nobody writes to the index of a remembered field", How: "proven",
			Why: "the caller reads the field's members only"}), nil
	}
	return obligations, nil
}

// readOnly says how the result of a lookup may be written to or kept, nil if
// it is only read: its index is a slice that others would share.
func readOnly(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *prove.Reason {
	a, ok := fn.File.Parent(call).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 {
		return prove.Refuse("its result is passed on")
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return prove.Refuse("its result is stored in " + types.ExprString(a.Lhs[0]))
	}
	v := fn.Info().ObjectOf(id)
	if v == nil { // the blank identifier
		return nil
	}
	if v.Parent() == nil || v.Parent() == v.Pkg().Scope() {
		return prove.Refuse("its result is stored in " + id.Name)
	}
	var why *prove.Reason
	for use := range code.All[*ast.Ident](fn.Decl) {
		if use != id && fn.Info().ObjectOf(use) == v && why == nil && !readsMember(fn, use) {
			why = prove.Refusef("%s is used as a whole, or its index is (%s)", id.Name, p.Pos(use.Pos()))
		}
	}
	return why
}

// readsMember reports whether a use of a StructField reads one of its members
// without giving the index away.
func readsMember(fn *prove.Function, id *ast.Ident) bool {
	switch up := fn.File.Parent(id).(type) {
	case *ast.AssignStmt: // assigned as a whole, by another lookup perhaps
		return slices.Contains(up.Lhs, ast.Expr(id))
	case *ast.SelectorExpr:
		if up.Sel.Name != "Index" {
			return !prove.Addressed(fn.File, up)
		}
		call, ok := fn.File.Parent(up).(*ast.CallExpr)
		if !ok {
			return false
		}
		if b := code.Builtin(fn.Info(), call); b != "" {
			return b == "len"
		}
		target := code.Callee(fn.Info(), call)
		return target != nil && (target.FullName() == "(reflect.Value).FieldByIndex" || target.FullName() == "(reflect.Type).FieldByIndex")
	}
	return false
}
