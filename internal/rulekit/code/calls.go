package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// Calls yields the calls that the package shows of the function at fn, a declaration or a
// literal: of a literal the call that it stands in, those of the variable that has it as its
// only value, or those of the parameter of a function of the package that gets it. What a go
// or defer statement calls has none: it runs at another time.
func Calls(ix *index.Index, info *types.Info, fn inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	decl, ok := fn.Node().(*ast.FuncDecl)
	if ok {
		return ix.CallsOf(info.Defs[decl.Name])
	}
	call, ok := fn.Parent().Node().(*ast.CallExpr)
	switch {
	case !ok:
		return ix.CallsOf(holder(ix, info, fn))
	case fn.ParentEdgeKind() != edge.CallExpr_Fun:
		if v := Parameter(ix, info, call, fn.ParentEdgeIndex()); v != nil {
			return ix.CallsOf(v)
		}
		return ix.CallsOf(nil)
	}
	return func(yield func(inspector.Cursor, *ast.CallExpr) bool) {
		if !Deferred(fn.Parent()) {
			yield(fn.Parent(), call)
		}
	}
}

// Ran returns the function of the package that a call runs, its declaration or the literal
// that is the only value of the variable that is called; nil for all else.
func Ran(ix *index.Index, info *types.Info, call *ast.CallExpr) ast.Node {
	if fd := ix.Decl(Callee(info, call)); fd != nil {
		return fd
	}
	if _, direct := ast.Unparen(call.Fun).(*ast.FuncLit); direct {
		return nil
	}
	if lit := Literal(ix, info, call.Fun); lit != nil {
		return lit
	}
	return nil
}

// Literal returns the function literal that an expression is, or that the local variable which
// it names has as its only value; nil if it is neither.
func Literal(ix *index.Index, info *types.Info, x ast.Expr) *ast.FuncLit {
	if lit, ok := ast.Unparen(x).(*ast.FuncLit); ok {
		return lit
	}
	v := Var(info, x)
	if !Local(v) {
		return nil
	}
	name, ok := ix.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok {
		return nil
	}
	for lit := range name.Parent().Preorder((*ast.FuncLit)(nil)) {
		if lit.Parent() == name.Parent() && holder(ix, info, lit) == v {
			return lit.Node().(*ast.FuncLit)
		}
	}
	return nil
}

// holder returns the variable that has the literal at lit as its only value; nil if there is
// none.
func holder(ix *index.Index, info *types.Info, lit inspector.Cursor) types.Object {
	var v *types.Var
	writes := 0
	switch n := lit.Parent().Node().(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			v = Var(info, n.Lhs[lit.ParentEdgeIndex()])
		}
		if n.Tok == token.ASSIGN {
			writes = 1
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			v = Var(info, n.Names[lit.ParentEdgeIndex()])
		}
	}
	if v == nil {
		return nil
	}
	for _, use := range ix.Uses(v) {
		if Writes(info, use) {
			writes--
		}
	}
	if writes != 0 {
		return nil
	}
	return v
}

// Parameter returns the parameter that a call of a function of the package gives its i-th
// argument to, and that keeps its value; nil if there is none.
func Parameter(ix *index.Index, info *types.Info, call *ast.CallExpr, i int) *types.Var {
	f := Callee(info, call)
	if ix.Decl(f) == nil {
		return nil
	}
	sig := f.Origin().Signature()
	if n := sig.Params().Len(); i < 0 || i >= n || sig.Variadic() && i == n-1 || Written(ix, info, sig.Params().At(i), nil) {
		return nil
	}
	return sig.Params().At(i)
}

// Parametric reports whether a call runs what a function is given to do with values of a
// type parameter.
func Parametric(info *types.Info, call *ast.CallExpr) bool {
	v := Var(info, call.Fun)
	return v != nil && v.Kind() == types.ParamVar && slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return IsTypeParam(info.TypeOf(x)) })
}

// Argument returns what an expression of the function at fn is in terms of those who call
// it: the argument of the call for a parameter, any other expression as it is.
func Argument(info *types.Info, fn ast.Node, call *ast.CallExpr, x ast.Expr) ast.Expr {
	i := ParameterIndex(signature(info, fn), Var(info, x))
	if i < 0 || i >= len(call.Args) || call.Ellipsis.IsValid() {
		return x
	}
	return call.Args[i]
}

// signature returns the type of a function declaration or literal.
func signature(info *types.Info, fn ast.Node) *types.Signature {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		if f, ok := info.Defs[fn.Name].(*types.Func); ok {
			return f.Signature()
		}
	case *ast.FuncLit:
		sig, _ := info.TypeOf(fn).(*types.Signature)
		return sig
	}
	return nil
}

// Looped reports whether the code at cur runs again and again each time that the declared
// function around it runs: it is in a loop, or in a literal that is for each of many, or that a
// loop calls which does not wait in each turn.
func Looped(ix *index.Index, info *types.Info, cur inspector.Cursor) bool {
	for fn := range cur.Enclosing((*ast.FuncLit)(nil)) {
		if call, ok := fn.Parent().Node().(*ast.CallExpr); ok && forEach(info, call) {
			return true
		}
	}
	return !repeated(ix, info, cur, 0, nesting, func(at, loop inspector.Cursor) bool {
		_, each := loop.Node().(*ast.RangeStmt)
		return at != cur && !each && Waits(info, loop.Node())
	})
}

// nesting is how many literals around each other are followed to their calls: some call
// themselves.
const nesting = 3

// walkers are functions of the standard library, beside all of some packages, that call what
// they get for each of many.
var walkers = Set(`path/filepath.WalkDir path/filepath.Walk io/fs.WalkDir sync.Map.Range go/ast.Inspect`)

// forEach reports whether a call hands functions to one of the standard library that calls
// them for each of many.
func forEach(info *types.Info, call *ast.CallExpr) bool {
	f := Callee(info, call)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "slices", "maps", "sort", "strings", "bytes":
		return f.Name() != "Search" && f.Name() != "BinarySearchFunc"
	}
	return walkers[FullName(f)]
}
