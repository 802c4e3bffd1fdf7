package reflects

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Zeroed makes a value by reflection once for a loop that made one in each turn.
var Zeroed = prove.Transformation{
	Name:     "reflect-scratch",
	Doc:      "A value that reflect.New makes in each turn of a loop, of one type, and that is filled and then copied, is made in the first turn and set to zero in the others.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "reflect-scratch", "BenchmarkFill", "allocs", "one value for all elements", 0),
	// It looks at the values that are made on the target's line or on those of the module's frames.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		if !callsReflect(s.Target, s.At) {
			return
		}
		for stmt := range prove.On[*ast.AssignStmt](s) {
			if m := madeValueOf(s.Program, s.Fn, stmt); m != nil {
				ch, why := m.propose()
				s.Add(m.v.Name()+" is made in each turn", ch, why)
			}
		}
	}),
}

// A madeValue is v := reflect.New(typ).Elem() in a loop.
type madeValue struct {
	p    *prove.Program
	fn   *prove.Function
	stmt *ast.AssignStmt
	v    *types.Var
	typ  ast.Expr
	loop ast.Stmt
}

// madeValueOf reads a statement; nil for others, and where no loop is around it.
func madeValueOf(p *prove.Program, fn *prove.Function, stmt *ast.AssignStmt) *madeValue {
	name, typ, value := code.Declared(stmt)
	body := fn.File.Loop(stmt)
	if name == nil || typ != nil || body == nil || !slices.Contains(code.StmtList(fn.File.Parent(stmt)), ast.Stmt(stmt)) {
		return nil
	}
	of := newValue(fn, value)
	v, _ := fn.Info().Defs[name].(*types.Var)
	loop, ok := fn.File.Parent(body).(ast.Stmt)
	if of == nil || v == nil || !ok {
		return nil
	}
	return &madeValue{p: p, fn: fn, stmt: stmt, v: v, typ: of, loop: loop}
}

// newValue returns the type in reflect.New(typ).Elem() and reflect.Indirect(reflect.New(typ)), nil for other expressions.
func newValue(fn *prove.Function, e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	var inner ast.Expr
	switch sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
	case isMethod(fn, call, "Elem"):
		inner = sel.X
	case code.IsFunc(fn.Info(), call, "reflect", "Indirect"):
		inner = call.Args[0]
	default:
		return nil
	}
	made, ok := ast.Unparen(inner).(*ast.CallExpr)
	if !ok || !code.IsFunc(fn.Info(), made, "reflect", "New") || len(made.Args) != 1 {
		return nil
	}
	return made.Args[0]
}

func (m *madeValue) propose() (*model.Change, *prove.Reason) {
	f := m.fn.File
	list := m.loop
	if _, labeled := f.Parent(m.loop).(*ast.LabeledStmt); labeled {
		list = f.Parent(m.loop).(ast.Stmt)
	}
	switch r, _ := m.loop.(*ast.RangeStmt); {
	case code.Jumps(m.fn.Decl.Body):
		return nil, prove.Refuse(m.fn.Obj.Name() + " uses goto")
	case r != nil && prove.OthersRange(m.fn.Info(), r):
		return nil, prove.Refuse("the loop goes over a function or a channel")
	case !slices.Contains(code.StmtList(f.Parent(list)), list):
		return nil, prove.Refuse("there is no place in front of the loop")
	case f.Commented(m.stmt):
		return nil, prove.Refuse("there is a comment within the statement")
	case !m.steady(m.typ):
		return nil, prove.Refuse(types.ExprString(m.typ) + " may be another type in another turn")
	}
	b := &borrowed{p: m.p, fn: m.fn, loop: m.loop, seen: map[ast.Node]bool{}}
	for use := range prove.UsesIn(m.fn.Info(), m.fn.Decl.Body, m.v) {
		if why := b.use(m.fn, use); why != nil {
			return nil, why
		}
	}
	return m.p.Change(m.fn, m.edits(list), model.Change{
		Kind:  "reflect-scratch",
		Title: fmt.Sprintf("%s: make %s once for the loop in %s", f.Pkg.Name, m.v.Name(), m.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "each turn begins with a zero value of the type", How: "proven", Why: "the type is the same in all turns; what was made is set to zero"},
			{Text: "nothing of the module has it when the turn has ended", How: "proven",
				Why: "it is copied, asked and handed to functions that store no reflect.Value, but in lists of their own, and start no goroutine; its address is only taken to call a method of what it holds"},
			{Text: "no other code has it then", How: "assumed", Why: "methods such as UnmarshalJSON fill what they are called on, and do not keep a pointer to it; function values, likewise. encoding/json relies on it for maps"},
		},
	})
}

// steady reports whether a type is the same in each turn: a variable that the loop does not set, or what the type of such a one
// is made of.
func (m *madeValue) steady(e ast.Expr) bool {
	info := m.fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := code.Var(info, e)
		if !code.Local(v) || code.Declares(m.loop, v) || code.WrittenIn(info, m.loop, v) || code.AddressTaken(info, m.fn.Decl.Body, v) || m.fn.File.Literal(m.stmt) != nil {
			return false
		}
		return !code.Any(m.fn.Decl.Body, func(lit *ast.FuncLit) bool { return code.WrittenIn(info, lit, v) })
	case *ast.CallExpr:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return ok && len(e.Args) == 0 && (isMethod(m.fn, e, "Type") || code.IsNamed(info.TypeOf(sel.X), "reflect", "Type") && (sel.Sel.Name == "Elem" || sel.Sel.Name == "Key")) && m.steady(sel.X)
	}
	return false
}

// edits declares the value in front of the loop. Where another variable has its name, it gets one of its own.
func (m *madeValue) edits(before ast.Stmt) []model.Edit {
	p, f := m.p, m.fn.File
	q := p.Source(f, m.stmt.Rhs[0])
	name, tail := m.v.Name(), ""
	if m.shared() {
		name = code.FirstFree(m.fn.Decl, name+"Scratch", "scratch", "spare")
		tail = "\n" + m.v.Name() + " := " + name
	}
	zero := name + ".SetZero()"
	pkg := p.Qualifier(f, m.stmt.Pos(), "reflect")
	if !p.GoAtLeast(f, "go1.20") {
		zero = fmt.Sprintf("%s.Set(%s.Zero(%s))", name, pkg, p.Source(f, m.typ))
	}
	return []model.Edit{
		p.Insert(f, before.Pos(), fmt.Sprintf("var %s %s.Value\n", name, pkg)),
		p.Put(f, m.stmt.Pos(), m.stmt.End(), fmt.Sprintf("if %[1]s.IsValid() {\n\t%[2]s\n} else {\n\t%[1]s = %[3]s\n}%[4]s", name, zero, q, tail)),
	}
}

// shared reports whether the function has something else of the variable's name.
func (m *madeValue) shared() bool {
	info := m.fn.Info()
	return code.Any(m.fn.Decl, func(id *ast.Ident) bool {
		obj := info.ObjectOf(id)
		v, isVar := obj.(*types.Var)
		return id.Name == m.v.Name() && obj != m.v && !(isVar && v.IsField())
	})
}
