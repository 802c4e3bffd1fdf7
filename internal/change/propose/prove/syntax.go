package prove

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Covers reports whether line lies within n.
func (p *Module) Covers(n ast.Node, line int) bool {
	return p.Fset.PositionFor(n.Pos(), false).Line <= line && line <= p.Fset.PositionFor(n.End(), false).Line
}

// FunctionAt returns the declared function that covers a place, or nil.
func (p *Module) FunctionAt(at model.Pos) *Function {
	f := p.Files[at.File]
	if f == nil {
		return nil
	}
	for _, d := range f.Syntax.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || !p.Covers(decl, at.Line) {
			continue
		}
		if obj, ok := f.Pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			return p.Funcs[obj.FullName()]
		}
	}
	return nil
}

// A Method is a method with a named pointer receiver of a struct type that is
// declared in the same package.
type Method struct {
	*Function
	Recv  *types.Var
	Named *types.Named
	str   *types.Struct
	spec  *ast.TypeSpec
	Shape *ast.StructType
	Home  *File // where the struct is declared
}

// MethodOf returns fn as a method, or a sentence that says why it is none that
// can carry a field.
func (p *Module) MethodOf(fn *Function) (*Method, *Reason) {
	if fn.Decl.Recv == nil {
		return nil, Refuse(fn.Obj.Name() + " is a function, not a method: there is no receiver to keep storage in")
	}
	sig := fn.Obj.Signature()
	ptr, ok := sig.Recv().Type().(*types.Pointer)
	if !ok {
		return nil, Refuse(fn.Obj.Name() + " has a value receiver: what it keeps there is lost")
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil, Refuse("the receiver's type is generic")
	}
	str, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, Refuse("the receiver is no pointer to a struct")
	}
	names := fn.Decl.Recv.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return nil, Refuse(fn.Obj.Name() + " does not name its receiver")
	}
	recv, _ := fn.Info().Defs[names[0]].(*types.Var)
	home, _, spec := fn.File.Pkg.Declared(named.Obj())
	m := &Method{Function: fn, Recv: recv, Named: named, str: str, Home: home}
	if m.spec, ok = spec.(*ast.TypeSpec); !ok {
		return nil, Refuse("the declaration of " + named.Obj().Name() + " was not found")
	}
	if m.Shape, ok = m.spec.Type.(*ast.StructType); !ok {
		return nil, Refuse(named.Obj().Name() + " is not declared as a struct")
	}
	if why := Editable(m.Home); why != nil {
		return nil, why
	}
	return m, Editable(fn.File)
}

// Declared returns where a package declares something outside of functions; nils for what it does not.
func (k *Package) Declared(obj types.Object) (*File, *ast.GenDecl, ast.Spec) {
	for _, f := range k.Files {
		for _, d := range f.Syntax.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || !code.Declares(gen, obj) {
				continue
			}
			for _, s := range gen.Specs {
				if code.Declares(s, obj) {
					return f, gen, s
				}
			}
		}
	}
	return nil, nil, nil
}

// Editable says why a file must not be edited, nil if it may be.
func Editable(f *File) *Reason {
	switch {
	case f.Test:
		return Refuse(f.Name + " is a test file: tests are not edited")
	case f.Pkg.cgo:
		return Refuse("package " + f.Pkg.Name + " uses cgo")
	case ast.IsGenerated(f.Syntax):
		return Refuse(f.Name + " is generated: change its generator instead")
	}
	return nil
}

// Declaration returns the identifier that declares a variable of the
// function, or the function for its parameters.
func (fn *Function) Declaration(v types.Object) ast.Node {
	return fn.Func().Definition(v)
}

// InverseComparison has the comparison that is true where another is false, for
// operands that are ordered: not for floating-point numbers.
var InverseComparison = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR}

// Value returns what a variable is defined by in the function, nil where nothing that stands alone does.
func (fn *Function) Value(v types.Object) ast.Expr {
	id, _ := fn.Declaration(v).(*ast.Ident)
	switch def := fn.File.Parent(id).(type) {
	case *ast.AssignStmt:
		if len(def.Lhs) == len(def.Rhs) {
			return def.Rhs[slices.Index(def.Lhs, ast.Expr(id))]
		}
	case *ast.ValueSpec:
		if len(def.Names) == len(def.Values) {
			return def.Values[slices.Index(def.Names, id)]
		}
	}
	return nil
}

// Retyped reports whether e has a constant that a conversion around it gives
// another type: the 1 of 1 << n.
func Retyped(info *types.Info, e ast.Expr) bool {
	return code.Any(e, func(b *ast.BinaryExpr) bool {
		return (b.Op == token.SHL || b.Op == token.SHR) && info.Types[b.X].Value != nil
	})
}

// Conditional reports whether a node holds statements that run under a condition.
func (f *File) Conditional(list ast.Node) bool {
	switch list.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	_, ok := f.Parent(list).(*ast.IfStmt)
	return ok
}

// Commented reports whether there is a comment within n, which a change of n loses.
//
//go:noinline
func (f *File) Commented(n ast.Node) bool {
	return slices.ContainsFunc(f.Syntax.Comments, func(g *ast.CommentGroup) bool { return code.Within(n, g) })
}

// EndsWithin reports whether a part of a slice is sure to end at the length of that or before, whatever room there is.
func EndsWithin(info *types.Info, cut *ast.SliceExpr) bool {
	if cut.Slice3 || cut.High == nil {
		return !cut.Slice3
	}
	if n, ok := ConstInt(info, cut.High); ok {
		return n == 0
	}
	length := ast.Unparen(cut.High)
	if minus, ok := length.(*ast.BinaryExpr); ok && minus.Op == token.SUB {
		if n, ok := ConstInt(info, minus.Y); ok && n >= 0 {
			length = ast.Unparen(minus.X)
		}
	}
	call, ok := length.(*ast.CallExpr)
	return ok && code.Builtin(info, call) == "len" && types.ExprString(call.Args[0]) == types.ExprString(cut.X)
}

// Summands returns the parts of a sum of strings, constants as wholes.
func Summands(info *types.Info, e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD && info.Types[e].Value == nil {
		return append(Summands(info, b.X), Summands(info, b.Y)...)
	}
	return []ast.Expr{e}
}

// Above returns where a node begins, with the comment right above it.
func (p *Module) Above(f *File, n ast.Node) (at token.Pos) {
	at = n.Pos()
	for _, g := range f.Syntax.Comments {
		if p.Pos(g.End()).Line+1 == p.Pos(n.Pos()).Line && p.alone(f, g) {
			at = g.Pos()
		}
	}
	return at
}

// alone reports whether nothing stands before a comment on its line.
func (p *Module) alone(f *File, g *ast.CommentGroup) bool {
	at := p.Offset(g.Pos())
	line := bytes.LastIndexByte(f.Src[:at], '\n') + 1
	return len(bytes.TrimSpace(f.Src[line:at])) == 0
}

// LeavesOn reports whether a statement is if err != nil { …; return }, or leaves in another
// way.
func LeavesOn(info *types.Info, stmt ast.Stmt, err ast.Expr) bool {
	check, ok := stmt.(*ast.IfStmt)
	return ok && check.Init == nil && check.Else == nil && code.Departs(check.Body) && code.NotNil(info, check.Cond, code.Var(info, err))
}
