package recompute

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// field reports whether x is a field of the receiver of a method that serves requests, or
// that such a method calls on its own receiver, and keeps its value once that is made.
func (s stable) field(x *ast.SelectorExpr) bool {
	return s.receiver(x.X) && s.serving() && s.unchanged(x)
}

// unchanged reports whether the package shows all that happens to a field, and nothing does
// after it is made.
func (s stable) unchanged(x *ast.SelectorExpr) bool {
	v := code.Named(s.p.TypesInfo, x)
	return v != nil && !v.Exported() && v.Pkg() == s.p.Pkg && len(s.p.TypesInfo.Selections[x].Index()) == 1 &&
		plain(v.Type()) && !slices.ContainsFunc(s.p.Index.Uses(v), s.touches)
}

// receiver reports whether x is the receiver of the method around.
func (s stable) receiver(x ast.Expr) bool {
	_, f := code.Decl(s.p.TypesInfo, s.at)
	return f != nil && f.Signature().Recv() != nil && code.Var(s.p.TypesInfo, x) == f.Signature().Recv()
}

// serving reports whether the method around serves requests, or one that does calls it on
// its own receiver: that is no object of one request.
func (s stable) serving() bool {
	if callers.Later(s.p.TypesInfo, s.at) {
		return false
	}
	fd, f := code.Decl(s.p.TypesInfo, s.at)
	if code.Serves(f.Signature()) != "" || code.Any(fd.Body, func(lit *ast.FuncLit) bool {
		sig, ok := s.p.TypesInfo.TypeOf(lit).(*types.Signature)
		return ok && code.Serves(sig) != "" && code.Within(lit, s.at.Node())
	}) {
		return true
	}
	for cur, call := range s.p.Index.CallsOf(f) {
		_, by := code.Decl(s.p.TypesInfo, cur)
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && by != nil && code.Serves(by.Signature()) != "" && by.Signature().Recv() != nil && code.Var(s.p.TypesInfo, sel.X) == by.Signature().Recv() {
			return true
		}
	}
	return false
}

// plain reports whether nothing can change a value but code that writes the value itself: it
// holds no pointers to what others may know.
func plain(t types.Type) bool {
	return !code.Deep(t, false, func(t types.Type, in func(types.Type) bool) bool {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Kind() == types.UnsafePointer
		case *types.Slice, *types.Array, *types.Map, *types.Struct:
			return code.Parts(u, in)
		}
		return true
	})
}

// touches reports whether a use of a field may change it, or give it to who may. Where it
// belongs to a variable of a function that is no parameter, it is just being made.
func (s stable) touches(use inspector.Cursor) bool {
	at := use
	if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
		at = use.Parent()
		fd, _ := code.Decl(s.p.TypesInfo, use)
		base := code.Var(s.p.TypesInfo, at.Node().(*ast.SelectorExpr).X)
		if code.Writes(s.p.TypesInfo, at) {
			return fd == nil || base == nil || !code.Declares(fd.Body, base)
		}
	}
	if _, basic := s.p.TypesInfo.TypeOf(at.Node().(ast.Expr)).Underlying().(*types.Basic); basic {
		return false
	}
	switch at.ParentEdgeKind() {
	case edge.KeyValueExpr_Key, edge.RangeStmt_X, edge.IndexExpr_X, edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return false
	case edge.CallExpr_Args:
		call := at.Parent().Node().(*ast.CallExpr)
		if b := code.Builtin(s.p.TypesInfo, call); b != "" {
			return b != "len" && b != "cap"
		}
		fd := s.p.Index.Decl(code.Callee(s.p.TypesInfo, call))
		return fd == nil || !s.computes(fd, 0)
	}
	return true
}

// reads reports whether a method of the package takes nothing from its receiver but fields
// that keep their value.
func (s stable) reads(f *types.Func) bool {
	for _, use := range s.p.Index.Uses(f.Origin().Signature().Recv()) {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || s.p.TypesInfo.Selections[sel] == nil || s.p.TypesInfo.Selections[sel].Kind() != types.FieldVal || !s.unchanged(sel) {
			return false
		}
	}
	return true
}

// built returns the local map that a loop over what is stable fills, from nothing else, and
// that is only asked afterwards.
func (s stable) built() *types.Var {
	loop, ok := s.at.Node().(*ast.RangeStmt)
	if !ok || loop.Tok != token.DEFINE || !s.value(loop.X) || code.IsString(s.p.TypesInfo.TypeOf(loop.X)) {
		return nil
	}
	fn, ok := code.Func(s.at)
	if !ok {
		return nil
	}
	var m *types.Var
	only := !code.Any(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			return true
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return !s.fills(loop, x, &m) })
		case *ast.IncDecStmt:
			return !s.fills(loop, n.X, &m)
		case *ast.CallExpr:
			return !s.quiet(n, 0)
		}
		return false
	})
	if !only || m == nil || !code.Declares(fn.Node(), m) || s.fromElsewhere(loop, m) || !s.asked(loop, m) {
		return nil
	}
	return m
}

// fills reports whether what is assigned in a loop is a variable of the loop, or an element
// of the one map that it fills.
func (s stable) fills(loop *ast.RangeStmt, x ast.Expr, m **types.Var) bool {
	if v := code.Var(s.p.TypesInfo, x); v != nil {
		return code.Declares(loop, v)
	}
	at, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return false
	}
	v := code.Var(s.p.TypesInfo, at.X)
	if v == nil || *m != nil && *m != v {
		return false
	}
	if _, isMap := v.Type().Underlying().(*types.Map); !isMap || !code.Local(v) {
		return false
	}
	*m = v
	return true
}

// fromElsewhere reports whether a loop that fills m depends on what is not stable.
func (s stable) fromElsewhere(loop *ast.RangeStmt, m *types.Var) bool {
	return code.Any(loop.Body, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			if v := code.Named(s.p.TypesInfo, x); v != nil && s.receiver(x.X) {
				return !s.value(x)
			}
		case *ast.Ident:
			v, ok := s.p.TypesInfo.Uses[x].(*types.Var)
			return ok && !v.IsField() && v != m && !code.Declares(loop, v) && !s.receiver(x) && !s.value(x)
		}
		return false
	})
}

// asked reports whether m is made empty before a loop and only read after it, at least once.
func (s stable) asked(loop *ast.RangeStmt, m *types.Var) bool {
	fn, _ := code.Func(s.at)
	if _, from := code.Origin(s.p.Index, s.p.TypesInfo, fn.Node(), m); !empty(s.p.TypesInfo, from) {
		return false
	}
	found := false
	for _, use := range s.p.Index.Uses(m) {
		if code.Within(loop, use.Node()) {
			continue
		}
		call, isCall := use.Parent().Node().(*ast.CallExpr)
		index := use.ParentEdgeKind() == edge.IndexExpr_X
		if !index && use.ParentEdgeKind() != edge.RangeStmt_X && !(isCall && code.IsBuiltin(s.p.TypesInfo, call, "len")) ||
			index && code.Writes(s.p.TypesInfo, use.Parent()) || use.Node().Pos() < loop.End() {
			return false
		}
		found = true
	}
	return found
}

// empty reports whether an expression is a new map without elements.
func empty(info *types.Info, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.CallExpr:
		return code.IsBuiltin(info, x, "make")
	}
	return false
}
