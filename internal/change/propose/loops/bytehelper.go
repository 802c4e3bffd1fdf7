package loops

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// helped returns the appends behind an if statement of the loop whose
// condition calls a function of the package with the byte, and whose body does
// nothing but go on: if e.plain(s[i]) { i++; continue }. Where such a function
// appends the byte it returns true at once.
func (l *byteLoop) helped(n *ast.IfStmt) []*byteRun {
	call, ok := ast.Unparen(n.Cond).(*ast.CallExpr)
	if !ok || n.Init != nil || n.Else != nil || len(call.Args) != 1 || !l.isByte(call.Args[0]) || !l.goesOn(n.Body.List) {
		return nil
	}
	target := code.Callee(l.fn.Info(), call)
	if target == nil || code.StmtList(l.fn.File.Parent(n)) == nil {
		return nil
	}
	fn := l.p.Function(target)
	if fn == nil || fn.File.Pkg != l.fn.File.Pkg || fn == l.fn || target.Signature().Results().Len() != 1 {
		return nil
	}
	given := fn.Obj.Signature().Params().At(0)
	if code.WrittenIn(fn.Info(), fn.Decl.Body, given) {
		return nil
	}
	s := &byteScope{p: l.p, fn: fn, body: fn.Decl.Body, vars: []types.Object{given}}
	s.holders()
	var found []*byteRun
	for stmt := range code.All[ast.Stmt](fn.Decl.Body) {
		k := sink(l.p, fn, stmt, l.src.Type())
		if k == nil || !s.isByte(k.value) || !returnsTrue(fn, stmt) {
			continue
		}
		conds, why := s.reach(stmt)
		dst, ok := l.renamed(fn, call, k.dst)
		if why == nil && ok {
			found = append(found, &byteRun{loop: l, sink: k, stmt: n, helper: true, dst: dst, conds: conds})
		}
	}
	return found
}

// goesOn reports whether statements only move the index on and continue.
func (l *byteLoop) goesOn(list []ast.Stmt) bool {
	if !l.post {
		if len(list) == 0 || !l.increments(list[0]) {
			return false
		}
		list = list[1:]
	}
	if len(list) != 1 {
		return false
	}
	b, ok := list[0].(*ast.BranchStmt)
	return ok && b.Tok == token.CONTINUE && b.Label == nil
}

// returnsTrue reports whether the statement after stmt returns true.
func returnsTrue(fn *prove.Function, stmt ast.Stmt) bool {
	list := code.StmtList(fn.File.Parent(stmt))
	for i, s := range list {
		if s == stmt && i+1 < len(list) {
			ret, ok := list[i+1].(*ast.ReturnStmt)
			return ok && len(ret.Results) == 1 && isTrue(fn.Info(), ret.Results[0])
		}
	}
	return false
}

func isTrue(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.String() == "true"
}

// renamed writes a destination of the function, a field behind its receiver,
// as the caller would: with the variable that it calls the method on.
func (l *byteLoop) renamed(fn *prove.Function, call *ast.CallExpr, dst ast.Expr) (string, bool) {
	root := code.RootIdent(dst)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || root == nil || fn.Decl.Recv == nil || fn.Info().Uses[root] != types.Object(fn.Obj.Signature().Recv()) || root == dst {
		return "", false
	}
	if _, ptr := fn.Obj.Signature().Recv().Type().(*types.Pointer); !ptr || !chain(l.fn.Info(), sel.X) || l.mentioned(sel.X) {
		return "", false
	}
	if s := l.fn.Info().Selections[sel]; s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return "", false
	}
	text := l.p.Source(l.fn.File, sel.X)
	return text + string(fn.File.Src[l.p.Offset(root.End()):l.p.Offset(dst.End())]), true
}
