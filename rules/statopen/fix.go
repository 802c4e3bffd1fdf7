package statopen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// fix returns the rewrite in which every way that the two calls can go leads
// where it led before, or none.
func (pr *probe) fix() []analysis.SuggestedFix {
	if pr.assign == nil || !pr.own && pr.usedElsewhere() {
		return nil
	}
	var edits []analysis.TextEdit
	switch pr.kind {
	case missing:
		edits = pr.dropCheck()
	case notExist:
		edits = pr.moveCheck()
	case there:
		edits = pr.openFirst()
	}
	if edits == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Open first", TextEdits: edits}}
}

// usedElsewhere reports whether the error is looked at outside the check, as
// it may be when the assignment stands alone.
func (pr *probe) usedElsewhere() bool {
	if pr.assign.Tok != token.DEFINE || pr.p.TypesInfo.Defs[pr.assign.Lhs[1].(*ast.Ident)] == nil {
		return true
	}
	return code.UsedBeyond(pr.p.Index, pr.err, pr.check)
}

// openCheck returns the if statement that looks at the error of opening, where
// the opening is v, err := os.Open(path) with a check of err != nil right
// after it.
func (pr *probe) openCheck() (assign *ast.AssignStmt, check *ast.IfStmt) {
	assign, ok := pr.opened.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 {
		return nil, nil
	}
	next := code.Following(pr.stmt)
	if len(next) < 2 {
		return nil, nil
	}
	check, ok = next[1].(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || !code.Departs(check.Body) {
		return nil, nil
	}
	if !code.NotNil(pr.p.TypesInfo, check.Cond, code.Var(pr.p.TypesInfo, assign.Lhs[1])) {
		return nil, nil
	}
	return assign, check
}

// dropCheck removes the probe where a file that is missing and one that cannot
// be opened lead to the same code.
func (pr *probe) dropCheck() []analysis.TextEdit {
	assign, check := pr.openCheck()
	if check == nil || !pr.sameBody(check.Body, code.Var(pr.p.TypesInfo, assign.Lhs[1])) {
		return nil
	}
	edits := []analysis.TextEdit{pr.p.Delete(pr.check)}
	if !pr.own {
		edits = append(edits, pr.p.Delete(pr.assign))
	}
	return edits
}

// sameBody reports whether the two checks' bodies are written alike and their
// names mean the same, the errors aside.
func (pr *probe) sameBody(other *ast.BlockStmt, err *types.Var) bool {
	a, b := idents(pr.check.Body), idents(other)
	if strings.TrimSpace(pr.p.Source(pr.check.Body)) != strings.TrimSpace(pr.p.Source(other)) || len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := pr.p.TypesInfo.ObjectOf(a[i]), pr.p.TypesInfo.ObjectOf(b[i])
		if x != y && (x != types.Object(pr.err) || y != types.Object(err)) {
			return false
		}
	}
	return true
}

func idents(n ast.Node) []*ast.Ident { return slices.Collect(code.All[*ast.Ident](n)) }

// moveCheck moves the check for a missing file behind the opening, whose error
// is the same: a path that cannot be looked up for another reason cannot be
// opened either.
func (pr *probe) moveCheck() []analysis.TextEdit {
	assign, _ := pr.openCheck()
	if assign == nil {
		return nil
	}
	openErr, ok := assign.Lhs[1].(*ast.Ident)
	if !ok || pr.namesClash(assign) {
		return nil
	}
	check := pr.checkText(openErr.Name)
	edits := []analysis.TextEdit{
		pr.p.Delete(pr.check),
		{Pos: assign.End(), End: assign.End(), NewText: []byte("\n" + check)},
	}
	if !pr.own {
		edits = append(edits, pr.p.Delete(pr.assign))
	}
	return edits
}

// checkText returns the check without its clause, about the error of that name.
func (pr *probe) checkText(name string) string {
	text := "if "
	from := pr.check.Cond.Pos()
	for _, id := range idents(pr.check) {
		if id.Pos() >= from && pr.p.TypesInfo.Uses[id] == pr.err {
			text += pr.p.Text(from, id.Pos()) + name
			from = id.End()
		}
	}
	return text + pr.p.Text(from, pr.check.End())
}

// namesClash reports whether the check's body would mean something else behind
// the opening: it uses a name that the opening declares or writes, or returns
// named results without naming them.
func (pr *probe) namesClash(assign *ast.AssignStmt) bool {
	names := map[string]bool{}
	for _, lhs := range assign.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok {
			return true
		}
		names[id.Name] = id.Name != "_"
	}
	for _, id := range idents(pr.check.Body) {
		if names[id.Name] && pr.p.TypesInfo.Uses[id] != pr.err {
			return true
		}
	}
	return nakedReturn(pr.check.Body)
}

func nakedReturn(body *ast.BlockStmt) bool {
	return code.Any(body, func(r *ast.ReturnStmt) bool { return len(r.Results) == 0 })
}

// openFirst rewrites a probe around the opening:
//
//	if _, err := os.Stat(p); err == nil { if f, err := os.Open(p); err == nil { … } }
//	if _, err := os.Stat(p); err == nil { return os.Open(p) }
//
// In the second a file that is there and cannot be opened still yields its
// error, and one that cannot be looked up the code that follows.
func (pr *probe) openFirst() []analysis.TextEdit {
	cond, ok := ast.Unparen(pr.check.Cond).(*ast.BinaryExpr)
	if !ok || !pr.own || pr.check.Else != nil || len(pr.check.Body.List) != 1 || cond.Op != token.EQL {
		return nil
	}
	switch inner := pr.opened.(type) {
	case *ast.IfStmt:
		test, ok := ast.Unparen(inner.Cond).(*ast.BinaryExpr)
		assign := inner.Init.(*ast.AssignStmt)
		if !ok || inner.Else != nil || test.Op != token.EQL || assign.Tok != token.DEFINE || len(assign.Lhs) != 2 ||
			code.Var(pr.p.TypesInfo, test.X) == nil || code.Var(pr.p.TypesInfo, test.X) != code.Var(pr.p.TypesInfo, assign.Lhs[1]) ||
			!pr.p.TypesInfo.Types[test.Y].IsNil() || code.Mentions(pr.p.TypesInfo, inner, pr.err) {
			return nil
		}
		return []analysis.TextEdit{{Pos: pr.check.Pos(), End: inner.Pos()}, {Pos: inner.End(), End: pr.check.End()}}
	case *ast.ReturnStmt:
		return pr.returnFirst()
	}
	return nil
}

func (pr *probe) returnFirst() []analysis.TextEdit {
	fn, ok := code.Func(pr.stmt)
	if !ok || pr.stmt.ParentEdgeKind() == edge.IfStmt_Else {
		return nil
	}
	osName := strings.TrimSuffix(pr.p.Source(pr.open.Fun), "."+pr.open.Fun.(*ast.SelectorExpr).Sel.Name)
	v, err := code.FreeLocal(fn.Node(), short(pr.p.TypesInfo, pr.open)), pr.err.Name()
	path := pr.p.Source(pr.open.Args[0])
	if code.Mentions(pr.p.TypesInfo, pr.open.Args[0], pr.err) {
		return nil
	}
	text := fmt.Sprintf("if %s, %s := %s; %s == nil {\nreturn %s, nil\n} else if !%s.IsNotExist(%s) {\nif _, missing := %s.Stat(%s); missing == nil {\nreturn %s, %s\n}\n}",
		v, err, pr.p.Source(pr.open), err, v, osName, err, osName, path, v, err)
	return []analysis.TextEdit{{Pos: pr.check.Pos(), End: pr.check.End(), NewText: []byte(text)}}
}

func short(info *types.Info, open *ast.CallExpr) string {
	if code.IsFunc(info, open, "os", "Open") {
		return "file"
	}
	return "data"
}
