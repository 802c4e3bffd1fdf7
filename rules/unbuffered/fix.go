package unbuffered

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// fix returns the fix that puts a buffer before the loop and, for writes,
// flushes it after the loop; nil where a way out of the loop would leave the
// flush out, or where its error has nowhere to go.
func (s *search) fix(g *group) []analysis.SuggestedFix {
	file := s.p.File(g.loop.Pos())
	q, edits, ok := code.Import(s.p.TypesInfo, s.p.Pkg, file, g.loop.Pos(), "bufio")
	if stmt, isStmt := code.Stmt(g.cur); !ok || !isStmt || stmt.Node() != g.loop {
		return nil
	}
	maker, want := "NewWriter", "w"
	if g.key.read {
		maker, want = "NewReader", "r"
	}
	name := code.FreeLocal(g.fn.Node(), want)
	if !g.key.read {
		flush, ok := s.flush(g, name)
		if !ok || !s.onlyFailures(g) {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: g.loop.End(), End: g.loop.End(), NewText: []byte("\n" + flush)})
	}
	text := name + " := " + q + "." + maker + "(" + g.file.Name() + ")\n"
	edits = append(edits, analysis.TextEdit{Pos: g.loop.Pos(), End: g.loop.Pos(), NewText: []byte(text)})
	for _, x := range g.args {
		edits = append(edits, analysis.TextEdit{Pos: x.Pos(), End: x.End(), NewText: []byte(name)})
	}
	return []analysis.SuggestedFix{{Message: "Buffer what the loop " + map[bool]string{true: "reads", false: "writes"}[g.key.read], TextEdits: edits}}
}

// onlyFailures reports whether each return in the loop is taken because a
// write has failed, after which there is nothing to flush.
func (s *search) onlyFailures(g *group) bool {
	ok := true
	for cur := range g.cur.Preorder((*ast.ReturnStmt)(nil)) {
		failed := false
		for p := range cur.Enclosing((*ast.IfStmt)(nil)) {
			if code.Within(g.loop, p.Node()) && s.checks(g, p.Node().(*ast.IfStmt)) != "" && code.Within(p.Node().(*ast.IfStmt).Body, cur.Node()) {
				failed = true
			}
		}
		ok = ok && failed
	}
	return ok
}

// checks returns the name of the error of a write that an if statement tests
// against nil, where it makes the write itself; otherwise "".
func (s *search) checks(g *group, stmt *ast.IfStmt) string {
	assign, ok := stmt.Init.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return ""
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	cmp, isCmp := stmt.Cond.(*ast.BinaryExpr)
	last, isID := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
	if !ok || !isCmp || !isID || cmp.Op != token.NEQ || !slices.Contains(g.calls, call) || !s.p.TypesInfo.Types[cmp.Y].IsNil() {
		return ""
	}
	if id, ok := cmp.X.(*ast.Ident); !ok || id.Name != last.Name {
		return ""
	}
	return last.Name
}

// flush returns the statement that flushes the buffer. Its error is handled as
// that of a write is, or returned.
func (s *search) flush(g *group, name string) (string, bool) {
	for _, at := range g.at {
		for p := range at.Enclosing((*ast.IfStmt)(nil)) {
			stmt := p.Node().(*ast.IfStmt)
			err := s.checks(g, stmt)
			if err == "" || !code.Within(stmt.Init, at.Node()) || stmt.Else != nil || !s.movable(g, stmt) {
				continue
			}
			op := stmt.Init.(*ast.AssignStmt).Tok.String()
			return "if " + err + " " + op + " " + name + ".Flush(); " + err + " != nil " + s.p.Source(stmt.Body), true
		}
	}
	results, ok := failure(s.p.TypesInfo, g.fn.Node())
	return "if err := " + name + ".Flush(); err != nil {\nreturn " + results + "\n}", ok
}

// movable reports whether the body of an error check means the same after the
// loop: it leaves the function and uses nothing that the loop declares.
func (s *search) movable(g *group, stmt *ast.IfStmt) bool {
	ok := code.Departs(stmt.Body)
	if len(stmt.Body.List) > 0 {
		if x, isExpr := stmt.Body.List[len(stmt.Body.List)-1].(*ast.ExprStmt); isExpr {
			call, isCall := x.X.(*ast.CallExpr)
			ok = isCall && !code.MayReturn(s.p.TypesInfo, call)
		}
	}
	ast.Inspect(stmt.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			ok = false
		case *ast.Ident:
			if obj := s.p.TypesInfo.Uses[n]; obj != nil && code.Within(g.loop, n) && obj.Pos() >= g.loop.Pos() && obj.Pos() < stmt.Pos() {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// failure returns the results that return err from a function, if its last is
// an error and the others can be nil.
func failure(info *types.Info, fn ast.Node) (string, bool) {
	var sig *types.Signature
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		sig, _ = info.TypeOf(fn.Name).(*types.Signature)
	case *ast.FuncLit:
		sig, _ = info.TypeOf(fn).(*types.Signature)
	}
	if sig == nil || sig.Results().Len() == 0 {
		return "", false
	}
	var results []string
	n := sig.Results().Len()
	for i := range n - 1 {
		switch sig.Results().At(i).Type().Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Chan, *types.Signature:
			results = append(results, "nil")
		default:
			return "", false
		}
	}
	last := sig.Results().At(n - 1).Type()
	return strings.Join(append(results, "err"), ", "), code.IsError(last)
}
