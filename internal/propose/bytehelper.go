package propose

import (
	"go/ast"
	"go/token"
	"go/types"
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
	target := callee(l.fn.info(), call)
	if target == nil || stmtList(l.fn.file.parent(n)) == nil {
		return nil
	}
	fn := l.p.function(target)
	if fn == nil || fn.file.pkg != l.fn.file.pkg || fn == l.fn || target.Signature().Results().Len() != 1 {
		return nil
	}
	given := fn.obj.Signature().Params().At(0)
	if assigned(fn.info(), fn.decl.Body, given) {
		return nil
	}
	s := &byteScope{p: l.p, fn: fn, body: fn.decl.Body, vars: []types.Object{given}}
	s.holders()
	var found []*byteRun
	ast.Inspect(fn.decl.Body, func(node ast.Node) bool {
		stmt, ok := node.(ast.Stmt)
		if !ok {
			return true
		}
		k := l.p.sink(fn, stmt, l.src.Type())
		if k == nil || !s.isByte(k.value) || !returnsTrue(fn, stmt) {
			return true
		}
		conds, why := s.reach(stmt)
		dst, ok := l.renamed(fn, call, k.dst)
		if why == "" && ok {
			found = append(found, &byteRun{loop: l, sink: k, stmt: n, helper: true, dst: dst, conds: conds})
		}
		return true
	})
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
func returnsTrue(fn *function, stmt ast.Stmt) bool {
	list := stmtList(fn.file.parent(stmt))
	for i, s := range list {
		if s == stmt && i+1 < len(list) {
			ret, ok := list[i+1].(*ast.ReturnStmt)
			return ok && len(ret.Results) == 1 && isTrue(fn.info(), ret.Results[0])
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
func (l *byteLoop) renamed(fn *function, call *ast.CallExpr, dst ast.Expr) (string, bool) {
	root := rootIdent(dst)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || root == nil || fn.decl.Recv == nil || fn.info().Uses[root] != types.Object(fn.obj.Signature().Recv()) || root == dst {
		return "", false
	}
	if _, ptr := fn.obj.Signature().Recv().Type().(*types.Pointer); !ptr || !chain(l.fn.info(), sel.X) || l.mentioned(sel.X) {
		return "", false
	}
	if s := l.fn.info().Selections[sel]; s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return "", false
	}
	text := l.p.source(l.fn.file, sel.X)
	return text + string(fn.file.src[l.p.offset(root.End()):l.p.offset(dst.End())]), true
}
