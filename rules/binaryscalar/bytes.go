package binaryscalar

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// plain reports binary.Write or binary.Read of a []byte, whose bytes have no order.
func plain(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, write bool) {
	if len(call.Args) != 3 || p.IsTest(call.Pos()) || !code.IsBytes(p.TypesInfo.TypeOf(call.Args[2])) {
		return
	}
	f := rule.Finding{Pos: call.Pos(), End: call.End()}
	var edits []analysis.TextEdit
	if write {
		f.Message = "binary.Write of a []byte copies it first; the writer's own Write does not"
		edits = plainWrite(p, cur, call)
	} else {
		f.Message = "binary.Read into a []byte reads into another one first; io.ReadFull does not"
		edits = plainRead(p, cur, call)
	}
	if edits != nil {
		f.Class = rule.B
		if write && code.IsNamed(p.TypesInfo.TypeOf(call.Args[0]), "bytes", "Buffer") {
			f.Class = rule.A
		}
		f.Fixes = []analysis.SuggestedFix{{Message: "Pass the bytes themselves", TextEdits: edits}}
	}
	p.Report(f)
}

func plainWrite(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) []analysis.TextEdit {
	target := call.Args[0]
	if u, ok := ast.Unparen(target).(*ast.UnaryExpr); ok && u.Op == token.AND {
		target = u.X
	}
	if !simple(target) {
		return nil
	}
	return instead(p, cur, call, p.Source(target)+".Write("+p.Source(call.Args[2])+")")
}

// plainRead reads into the slice itself where nobody sees what is in it after an error:
// binary.Read leaves it as it was then.
func plainRead(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) []analysis.TextEdit {
	set, ok := cur.Parent().Node().(*ast.AssignStmt)
	v := code.Var(p.TypesInfo, call.Args[2])
	if !ok || len(set.Lhs) != 1 || v == nil || v.Kind() != types.LocalVar {
		return nil
	}
	stmt, branch := cur.Parent(), (*ast.IfStmt)(nil)
	if up, ok := stmt.Parent().Node().(*ast.IfStmt); ok {
		stmt, branch = stmt.Parent(), up
	} else if next, ok := stmt.NextSibling(); ok {
		if branch, _ = next.Node().(*ast.IfStmt); branch != nil && branch.Init != nil {
			return nil // it may look at what was read
		}
	}
	if branch == nil || !dropped(p, branch, code.Var(p.TypesInfo, set.Lhs[0]), v) || !fresh(p, stmt, v, call) {
		return nil
	}
	name, _, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), "io")
	if !ok {
		return nil
	}
	return instead(p, cur, call, name+".ReadFull("+p.Source(call.Args[0])+", "+p.Source(call.Args[2])+")", "io")
}

// dropped reports whether a branch for an error leaves the function, and does not look
// at a variable.
func dropped(p *rule.Pass, branch *ast.IfStmt, err, v *types.Var) bool {
	if !code.NotNil(p.TypesInfo, branch.Cond, err) || len(branch.Body.List) == 0 {
		return false
	}
	_, leaves := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt)
	return leaves && !code.Mentions(p.TypesInfo, branch.Body, v)
}

// fresh reports whether a call in a statement is the first use of a variable that make
// has set before, in the same list.
func fresh(p *rule.Pass, stmt inspector.Cursor, v *types.Var, call *ast.CallExpr) bool {
	if p.Index.Uses(v)[0].Node() != ast.Unparen(call.Args[2]) {
		return false
	}
	for at, ok := stmt.PrevSibling(); ok; at, ok = at.PrevSibling() {
		made, ok := at.Node().(*ast.AssignStmt)
		if !ok || made.Tok != token.DEFINE || len(made.Lhs) != 1 || code.Var(p.TypesInfo, made.Lhs[0]) != v {
			continue
		}
		value, ok := ast.Unparen(made.Rhs[0]).(*ast.CallExpr)
		return ok && code.Builtin(p.TypesInfo, value) == "make"
	}
	return false
}

// instead returns the edits that put a call with one result more in the place of one of
// package binary, and change the imports.
func instead(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, text string, paths ...string) []analysis.TextEdit {
	edits, ok := code.Reimport(p, call.Pos(), paths, "encoding/binary", call.Fun, call.Args[1])
	order, known := ast.Unparen(call.Args[1]).(*ast.SelectorExpr)
	if !ok || !known || !simple(order) {
		return nil
	}
	return append(edits, discards(cur, call, text)...)
}

// discards returns the edits that put a call with a count and an error in the place of
// one with an error; nil where that is not possible.
func discards(cur inspector.Cursor, call *ast.CallExpr, text string) []analysis.TextEdit {
	edits := []analysis.TextEdit{{Pos: call.Pos(), End: call.End(), NewText: []byte(text)}}
	switch parent := cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		return edits
	case *ast.AssignStmt:
		if len(parent.Lhs) == 1 && (parent.Tok == token.ASSIGN || parent.Tok == token.DEFINE) {
			return append(edits, analysis.TextEdit{Pos: parent.Pos(), End: parent.Pos(), NewText: []byte("_, ")})
		}
	}
	return nil
}
