package inline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Outline makes what a function returns in a function that can be inlined, so that a caller that does not keep it has it
// on its stack.
var Outline = prove.Transformation{
	Name: "outline-result",
	Doc: "A function makes a struct or a slice of fixed length, fills it and returns it, and a caller does not keep it. " +
		"A function of the old name makes it, and can be inlined; the rest becomes a function of its own. The caller has it on its stack then.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "outline-result", "BenchmarkSum", "allocs", "no allocation for a date that is only compared", 0),
	// It looks at what is made on the target's line.
	Propose: prove.At(prove.Unless(inlinedHere, prove.Near), func(s *prove.Site) {
		if o := outlineAt(s.Program, s.Fn, s.At.Line); o != nil {
			ch, why := o.propose(s.Target.Stack)
			s.Add(o.v.Name()+" is returned, so that it goes to the heap", ch, why)
		}
	}),
}

// mostOutlined is how large a result may be, in bytes: a caller has room for it on its stack, and it is cleared at each call.
const mostOutlined = 1 << 10

// An outline is a function that makes a value and returns it.
type outline struct {
	p      *prove.Program
	fn     *prove.Function
	v      *types.Var
	made   *ast.AssignStmt
	value  ast.Expr // &T{…}, new(T) or make([]E, n)
	typ    ast.Expr // T, or []E
	result int      // which result it is
}

// outlineAt reads the statement on a line that makes what its function returns; nil where there is none.
func outlineAt(p *prove.Program, fn *prove.Function, line int) *outline {
	for _, s := range fn.Decl.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || !p.Covers(s, line) || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			continue
		}
		v, _ := fn.Info().Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
		if o := (&outline{p: p, fn: fn, v: v, made: a, value: ast.Unparen(a.Rhs[0])}); v != nil && o.makes() && o.returned() {
			return o
		}
	}
	return nil
}

// makes reports whether the value is one that a statement can make anywhere, and reads its type.
func (o *outline) makes() bool {
	switch e := o.value.(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		if !ok || e.Op != token.AND {
			return false
		}
		o.typ = lit.Type
	case *ast.CallExpr:
		switch code.Builtin(o.fn.Info(), e) {
		case "new":
			o.typ = e.Args[0]
			return o.fn.Info().Types[o.typ].IsType() && o.structure()
		case "make":
			list, ok := e.Args[0].(*ast.ArrayType)
			n, known := prove.ConstInt(o.fn.Info(), e.Args[len(e.Args)-1])
			if !ok || len(e.Args) != 2 || !known || n < 1 || !prove.PackageLevel(o.fn.Info(), e) {
				return false
			}
			o.typ = list
			elem := o.fn.Info().TypeOf(list.Elt)
			return !code.Generic(elem) && n*o.fn.File.Pkg.TypesSizes.Sizeof(elem) <= mostOutlined
		}
	}
	return o.typ != nil && o.structure()
}

// structure reports whether the type is a struct of the package level, small and not empty.
func (o *outline) structure() bool {
	named, ok := types.Unalias(o.fn.Info().TypeOf(o.typ)).(*types.Named)
	if !ok || code.Generic(named) || !prove.PackageLevel(o.fn.Info(), o.typ) {
		return false
	}
	_, ok = named.Underlying().(*types.Struct)
	size := o.fn.File.Pkg.TypesSizes.Sizeof(named)
	return ok && size > 0 && size <= mostOutlined
}

// returned reports whether the function returns the variable, as one and the same result wherever it returns it.
func (o *outline) returned() bool {
	o.result = -1
	for ret := range code.All[*ast.ReturnStmt](o.fn.Decl.Body) {
		if o.fn.File.Literal(ret) != nil {
			continue
		}
		for i, e := range ret.Results {
			if code.Var(o.fn.Info(), e) != o.v {
				continue
			}
			if o.result >= 0 && o.result != i {
				return false
			}
			o.result = i
		}
	}
	return o.result >= 0
}

func (o *outline) propose(stack []model.Frame) (*model.Change, *prove.Reason) {
	caller := o.caller(stack)
	if caller == "" {
		return nil, prove.Refuse("no caller is known that does not keep it")
	}
	if why := o.movable(); why != nil {
		return nil, why
	}
	blind, why := stackBlind(o.p, o.fn)
	if why != nil {
		return nil, why
	}
	name := code.LowerName(o.fn.Obj.Name()) + "Into"
	if !o.p.Free(o.fn.File.Pkg, name) {
		return nil, prove.Refuse("the name " + name + " is taken")
	}
	return o.p.Change(o.fn, o.edits(name), model.Change{
		Kind:    "outline-result",
		Title:   fmt.Sprintf("%s: make %s of %s in a function that can be inlined, and the rest in %s", o.fn.File.Pkg.Name, o.v.Name(), o.fn.Obj.Name(), name),
		Inlines: &model.Declared{File: o.fn.File.Name, Name: nameInNotes(o.fn)},
		Obligations: []model.Obligation{
			{Text: "each call returns a new value, with the same in it", How: "proven", Why: "it is made once in each call, and nothing names it or returns before it was made; all else is done in the same order"},
			{Text: "it need not be on the heap", How: "proven", Why: o.fn.Obj.Name() + " keeps it nowhere, and neither does " + caller + "; where one would, the compiler leaves it there"},
			blind,
		},
	})
}

// caller names a function that calls it and does not keep what it returns: of the target's calls if these are known.
func (o *outline) caller(stack []model.Frame) string {
	if len(stack) > 1 {
		for _, f := range stack {
			if fn := o.p.FunctionAt(f.Pos()); fn != nil && fn.Obj != o.fn.Obj {
				if o.drops(fn) {
					return fn.Obj.Name()
				}
				return ""
			}
		}
	}
	for _, f := range o.fn.File.Pkg.Files {
		for _, d := range f.Syntax.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			if fn := o.p.FunctionAt(o.p.Pos(decl.Body.Pos())); fn != nil && fn.Obj != o.fn.Obj && o.drops(fn) {
				return fn.Obj.Name()
			}
		}
	}
	return ""
}

// drops reports whether a function, of no test, calls it somewhere where the result does not outlive that function.
func (o *outline) drops(fn *prove.Function) bool {
	if fn.File.Test {
		return false
	}
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if code.Callee(fn.Info(), call) != o.fn.Obj {
			continue
		}
		fl := o.p.Flow(fn)
		switch up := fn.File.Parent(call).(type) {
		case *ast.AssignStmt:
			id, ok := up.Lhs[min(o.result, len(up.Lhs)-1)].(*ast.Ident)
			if !ok || len(up.Rhs) != 1 || len(up.Lhs) != o.fn.Obj.Signature().Results().Len() || code.Var(fn.Info(), id) == nil || !code.Local(code.Var(fn.Info(), id)) {
				continue
			}
			fl.Track(code.Var(fn.Info(), id))
		default:
			if o.fn.Obj.Signature().Results().Len() > 1 {
				continue
			}
			fl.Expr(call)
		}
		fl.Drain()
		if len(fl.Leaks) == 0 && fl.Results == 0 {
			return true
		}
	}
	return false
}

// movable says why the function cannot be taken apart, or keeps the value itself.
func (o *outline) movable() *prove.Reason {
	if why := whole(o.p, o.fn); why != nil {
		return why
	}
	info, body := o.fn.Info(), o.fn.Decl.Body
	if !code.Predeclared(o.fn.Obj.Pkg(), o.made.Pos(), "new", "make") {
		return prove.Refuse("new or make means something else there")
	}
	if code.Any(body, func(call *ast.CallExpr) bool {
		return code.Builtin(info, call) == "recover" && o.fn.File.Literal(call) == nil
	}) {
		return prove.Refuse("it recovers")
	}
	for n := range code.All[ast.Node](body) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if n.Pos() < o.made.Pos() && o.fn.File.Literal(n) == nil {
				return prove.Refuse("it returns before it makes it, and would make it then too")
			}
		case *ast.Ident:
			if n.Name == o.v.Name() && n.Pos() < o.made.End() && n != o.made.Lhs[0] && (info.Uses[n] != nil || info.Defs[n] != nil) && !field(info, n) {
				return prove.Refuse("something else is called " + n.Name + " before it is made")
			}
		}
	}
	if code.WrittenIn(info, after(body, o.made), o.v) || code.AddressTaken(info, body, o.v) {
		return prove.Refuse("the variable is given another value, or its address is taken")
	}
	fl := o.p.FlowOf(o.fn, o.v)
	switch {
	case len(fl.Leaks) > 0:
		return prove.Refusef("it is %s", fl.Leaks[0].Why)
	case fl.Results != 1<<o.result:
		return prove.Refuse("another result refers to it, too")
	}
	return again(o.p, o.fn)
}

// field reports whether an identifier names a field or a method, which no variable hides.
func field(info *types.Info, id *ast.Ident) bool {
	v, ok := info.Uses[id].(*types.Var)
	return ok && v.IsField()
}

// after is the part of a body behind one of its statements.
func after(body *ast.BlockStmt, stmt ast.Stmt) ast.Node {
	i := slices.Index(body.List, stmt)
	return &ast.BlockStmt{Lbrace: stmt.End(), List: body.List[i+1:], Rbrace: body.Rbrace}
}

// edits end the function behind its head, and begin the other one there.
func (o *outline) edits(name string) []model.Edit {
	f, typ := o.fn.File, o.p.Source(o.fn.File, o.typ)
	param, value := "*"+typ, "new("+typ+")"
	if _, list := o.typ.(*ast.ArrayType); list {
		param, value = typ, o.p.Source(f, o.value)
	}
	head := headOf(o.p, o.fn)
	text := fmt.Sprintf("\n\treturn %s\n}\n\n// %s does what %s has to do with %s. It is apart so that\n// %s can be inlined, and a caller can have the result on its stack.\n%s {",
		head.call(name, value), name, o.fn.Obj.Name(), o.v.Name(), o.fn.Obj.Name(), head.declare(name, o.v.Name()+" "+param))
	open := o.fn.Decl.Body.Lbrace + 1
	edits := []model.Edit{o.p.Insert(f, open, text)}
	if e, ok := o.value.(*ast.UnaryExpr); ok && len(ast.Unparen(e.X).(*ast.CompositeLit).Elts) > 0 {
		return append(edits, o.p.Put(f, o.made.Pos(), e.X.Pos(), "*"+o.v.Name()+" = "))
	}
	start, end := o.p.LineOf(f, o.made)
	if line := strings.TrimSpace(string(f.Src[start:end])); line != strings.TrimSpace(o.p.Source(f, o.made)) {
		start, end = o.p.Offset(o.made.Pos()), o.p.Offset(o.made.End()) // a comment behind it stays
		for end < len(f.Src) && f.Src[end] == ' ' {
			end++
		}
	}
	return append(edits, o.p.Edit(f, start, end, ""))
}
