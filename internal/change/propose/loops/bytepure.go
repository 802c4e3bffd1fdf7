package loops

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// pure reports whether e depends on the byte and on what stays the same from
// one byte to the next, has no effect and cannot panic for one byte when it
// did not for another.
func (s *byteScope) pure(e ast.Expr) bool {
	info := s.fn.Info()
	if info.Types[e].Value != nil {
		return !strings.Contains(s.p.Source(s.fn.File, e), "\n") // plain writes it on one line
	}
	if s.isByte(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.pure(e.X)
	case *ast.Ident:
		return s.invariant(e)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		return sel == nil && !isFunc(info.Uses[e.Sel]) || sel != nil && sel.Kind() == types.FieldVal && s.pure(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && s.pure(e.X)
	case *ast.BinaryExpr:
		return s.pureOp(e)
	case *ast.IndexExpr:
		return s.lookup(e)
	case *ast.CallExpr:
		return s.pureCall(e)
	}
	return false
}

func isFunc(obj types.Object) bool { _, ok := obj.(*types.Func); return ok }

// invariant reports whether a variable stays the same while one byte after the other
// is appended.
func (s *byteScope) invariant(id *ast.Ident) bool {
	v, ok := s.fn.Info().Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || types.Object(v) == s.index || types.Object(v) == s.src {
		return false
	}
	if v.Parent() == v.Pkg().Scope() {
		return true // nothing but the append runs between two bytes
	}
	// What the loop writes elsewhere stays the same in a run, where it does not come by.
	return s.src != nil && !code.Within(s.body, s.fn.Declaration(v)) && !code.Captured(s.fn.File.Pkg.Index(), s.fn.Info(), v)
}

func (s *byteScope) pureOp(e *ast.BinaryExpr) bool {
	info := s.fn.Info()
	if b, ok := info.TypeOf(e.X).Underlying().(*types.Basic); !ok || b.Info()&(types.IsFloat|types.IsComplex) != 0 {
		return false // NaN has no opposite of <, and comparing others may panic
	}
	switch e.Op {
	case token.QUO, token.REM:
		if info.Types[e.Y].Value == nil {
			return false
		}
	case token.SHL, token.SHR:
		b, ok := info.TypeOf(e.Y).Underlying().(*types.Basic)
		if info.Types[e.Y].Value == nil && (!ok || b.Info()&types.IsUnsigned == 0) {
			return false
		}
	case token.EQL, token.NEQ:
		for _, x := range []ast.Expr{e.X, e.Y} {
			if _, ok := info.TypeOf(x).Underlying().(*types.Basic); !ok {
				return false // comparing may panic
			}
		}
	}
	return s.pure(e.X) && s.pure(e.Y)
}

// lookup allows tables that have a place for each byte, and maps.
func (s *byteScope) lookup(e *ast.IndexExpr) bool {
	info := s.fn.Info()
	if !s.pure(e.X) || !s.pure(e.Index) {
		return false
	}
	switch t := info.TypeOf(e.X).Underlying().(type) {
	case *types.Array:
		b, ok := info.TypeOf(e.Index).Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8 && t.Len() >= 256
	case *types.Map:
		_, ok := t.Key().Underlying().(*types.Basic)
		return ok
	}
	return false
}

// pureCall allows conversions between numbers, functions of the module that
// return such an expression of their one parameter, and some that are known.
func (s *byteScope) pureCall(call *ast.CallExpr) bool {
	info := s.fn.Info()
	for _, a := range call.Args {
		if !s.pure(a) {
			return false
		}
	}
	if info.Types[call.Fun].IsType() {
		b, ok := info.TypeOf(call).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	}
	target := code.Callee(info, call)
	if target == nil || target.Pkg() == nil || target.Signature().Recv() != nil {
		return false
	}
	switch target.Pkg().Path() {
	case "unicode":
		return strings.HasPrefix(target.Name(), "Is") && len(call.Args) == 1
	case "strings":
		return (target.Name() == "IndexByte" || target.Name() == "ContainsRune") && info.Types[call.Args[0]].Value != nil
	}
	inner := s.called(call)
	return inner != nil && inner.depth < 5 && inner.pure(inner.body.List[0].(*ast.ReturnStmt).Results[0])
}

// called returns the function of the module that a call runs, where that only returns an expression of its one parameter; nil
// for other calls.
func (s *byteScope) called(call *ast.CallExpr) *byteScope {
	target := code.Callee(s.fn.Info(), call)
	if target == nil || len(call.Args) != 1 {
		return nil
	}
	fn := s.p.Function(target)
	if fn == nil || len(fn.Decl.Body.List) != 1 {
		return nil
	}
	ret, ok := fn.Decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	return &byteScope{p: s.p, fn: fn, body: fn.Decl.Body, vars: []types.Object{fn.Obj.Signature().Params().At(0)}, depth: s.depth + 1}
}

// changes reports whether other code may change what a pure expression depends on: it reads a variable of a package that is not
// only declared, something behind a pointer, or a map.
func (s *byteScope) changes(e ast.Expr) bool {
	info := s.fn.Info()
	return code.Any(e, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Ident:
			v, ok := info.Uses[x].(*types.Var)
			return ok && !v.IsField() && !code.Local(v) && (v.Pkg() != s.fn.Obj.Pkg() || v.Exported() || code.Written(s.fn.File.Pkg.Index(), info, v, nil))
		case *ast.SelectorExpr:
			sel := info.Selections[x]
			return sel != nil && sel.Indirect()
		case *ast.IndexExpr:
			_, table := info.TypeOf(x.X).Underlying().(*types.Array)
			return !table && !s.isByte(x)
		case *ast.CallExpr:
			inner := s.called(x)
			return inner != nil && inner.changes(inner.body.List[0].(*ast.ReturnStmt).Results[0])
		}
		return false
	})
}
