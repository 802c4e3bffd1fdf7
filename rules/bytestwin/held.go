package bytestwin

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// held reports bytes that are copied into a string variable, to which nothing is done but
// what functions with a twin for bytes do. Nothing else sees the bytes while it lives.
func held(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		name, _, value := code.Declared(cur.Node().(ast.Stmt))
		_, data := code.Converted(p.TypesInfo, value)
		if data == nil || p.IsTest(value.Pos()) {
			continue
		}
		v := code.Var(p.TypesInfo, name)
		uses := p.Index.Uses(v)
		twin := slices.ContainsFunc(uses, func(use inspector.Cursor) bool { return hasTwin(p, use) })
		other := slices.ContainsFunc(uses, func(use inspector.Cursor) bool { return !hasTwin(p, use) && !looks(p, use) })
		if !twin || other || shared(p, cur, data) {
			continue
		}
		p.Report(rule.Finding{
			Pos: value.Pos(), End: value.End(), Class: rule.N,
			Message: "the bytes are copied into " + name.Name + ", which is only looked at; the functions that do so have twins for bytes",
		})
	}
}

// hasTwin reports whether a use is the text that a function with a twin for bytes looks at.
func hasTwin(p *rule.Pass, use inspector.Cursor) bool {
	if use.ParentEdgeKind() != edge.CallExpr_Args || code.Deferred(use.Parent()) {
		return false
	}
	f := code.Callee(p.TypesInfo, use.Parent().Node().(*ast.CallExpr))
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "strings":
		return slices.Contains(texts, f.Name()) || use.ParentEdgeIndex() == 0 && slices.Contains(first, f.Name())
	case "unicode/utf8":
		return slices.Contains(runes, f.Name())
	case "regexp":
		return f.Signature().Recv() != nil && slices.Contains(match, f.Name())
	}
	return false
}

// looks reports whether a use costs the same with bytes: a comparison, or the length.
func looks(p *rule.Pass, use inspector.Cursor) bool {
	switch n := use.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return n.Op == token.EQL || n.Op == token.NEQ
	case *ast.CallExpr:
		return code.Builtin(p.TypesInfo, n) == "len"
	case *ast.IndexExpr:
		return use.ParentEdgeKind() == edge.IndexExpr_X
	}
	return false
}

// shared reports whether the bytes are no local variable or element, or are used again
// behind the statement at cur, where they may change.
func shared(p *rule.Pass, cur inspector.Cursor, data ast.Expr) bool {
	root := data
	for {
		switch x := ast.Unparen(root).(type) {
		case *ast.SliceExpr:
			root = x.X
			continue
		case *ast.IndexExpr:
			root = x.X
			continue
		}
		break
	}
	v := code.Var(p.TypesInfo, root)
	fn, ok := code.Func(cur)
	return !ok || !code.Local(v) || code.Captured(p.Index, p.TypesInfo, v) || slices.ContainsFunc(p.Index.Uses(v), func(use inspector.Cursor) bool {
		return code.Within(fn.Node(), use.Node()) && use.Node().Pos() > cur.Node().End()
	})
}
