package regexpliteral

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// edits returns the edits that replace the match and the package that they
// need, if any; they are nil where there is no room.
func (m *match) edits() (edits []analysis.TextEdit, path string) {
	if tv := m.p.TypesInfo.Types[m.arg]; tv.Value != nil {
		return nil, ""
	}
	quoted := strconv.Quote(m.literal)
	arg := m.p.Source(m.arg)
	if m.begin && m.final {
		arg = code.Exposed(m.p, m.arg)
		if !m.text {
			arg = "string(" + m.p.Source(m.arg) + ")"
		}
		op := "=="
		if m.not {
			op = "!="
		}
		return m.placed(fmt.Sprintf("%s %s %s", arg, op, quoted), true), ""
	}
	file := m.p.File(m.call.Pos())
	path = "strings"
	if !m.text {
		path = "bytes"
		quoted = "[]byte(" + quoted + ")"
	}
	name, _, ok := code.Import(m.p.TypesInfo, m.p.Pkg, file, m.call.Pos(), path)
	if !ok {
		return nil, ""
	}
	text := fmt.Sprintf("%s.%s(%s, %s)", name, m.function()[len(path)+1:], arg, quoted)
	if m.not {
		text = "!" + text
	}
	return m.placed(text, false), path
}

// placed returns the edits that put an expression where the match is asked
// for.
func (m *match) placed(text string, comparison bool) []analysis.TextEdit {
	x := m.at.Node()
	switch m.at.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		if comparison {
			return nil // it is no statement
		}
	}
	if !m.pair {
		if comparison && tight(m.at.ParentEdgeKind(), m.at.Parent().Node()) {
			text = "(" + text + ")"
		}
		return []analysis.TextEdit{{Pos: x.Pos(), End: x.End(), NewText: []byte(text)}}
	}
	switch parent := m.at.Parent().Node().(type) {
	case *ast.ReturnStmt:
		if len(parent.Results) == 1 {
			return []analysis.TextEdit{{Pos: x.Pos(), End: x.End(), NewText: []byte(text + ", nil")}}
		}
	case *ast.AssignStmt: // ok, _ := regexp.MatchString(…)
		if len(parent.Lhs) != 2 || len(parent.Rhs) != 1 {
			return nil
		}
		id, isID := parent.Lhs[1].(*ast.Ident)
		first, firstID := parent.Lhs[0].(*ast.Ident)
		if !isID || id.Name != "_" || firstID && first.Name == "_" {
			return nil
		}
		return []analysis.TextEdit{{Pos: parent.Lhs[0].End(), End: parent.End(), NewText: []byte(" " + parent.Tok.String() + " " + text)}}
	}
	return nil
}

// tight reports whether the place binds more tightly than a comparison.
func tight(kind edge.Kind, parent ast.Node) bool {
	switch kind {
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		op := parent.(*ast.BinaryExpr).Op
		return op != token.LAND && op != token.LOR
	case edge.UnaryExpr_X:
		return true
	}
	return false
}

// leftover returns what the match alone needed: its call, and the declaration
// of a variable that has no other use, with the edit that removes it.
func (m *match) leftover() (nodes []ast.Node, edits []analysis.TextEdit) {
	if m.v == nil {
		return []ast.Node{m.call.Fun}, nil
	}
	spec, ok := m.init.(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 || len(m.p.Index.Uses(m.v)) != 1 || m.vars.Elsewhere(m.v.Name()) {
		return nil, nil
	}
	var decl ast.Node = spec
	cur, ok := m.p.Index.Inspect.Root().FindByPos(spec.Pos(), spec.Pos())
	if !ok {
		return nil, nil
	}
	for c := range cur.Enclosing((*ast.GenDecl)(nil)) {
		if gd := c.Node().(*ast.GenDecl); len(gd.Specs) == 1 {
			decl = gd
		}
	}
	if documented(decl) || documented(spec) || m.p.File(spec.Pos()) != m.p.File(m.call.Pos()) {
		return nil, nil // a comment may say what the pattern is for
	}
	return []ast.Node{decl}, []analysis.TextEdit{m.p.Delete(decl)}
}

func documented(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Doc != nil
	case *ast.ValueSpec:
		return n.Doc != nil || n.Comment != nil
	}
	return false
}

// aloneInBlock reports whether an assignment is a statement of a block.
func (m *match) aloneInBlock(assign *ast.AssignStmt) bool {
	cur, ok := m.p.Index.Inspect.Root().FindByPos(assign.Pos(), assign.Pos())
	if !ok {
		return false
	}
	stmt, ok := code.Stmt(cur)
	return ok && stmt.Node() == assign
}
