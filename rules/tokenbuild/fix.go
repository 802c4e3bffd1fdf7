package tokenbuild

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A builder is a string variable that a strings.Builder is to stand for.
type builder struct {
	p  *rule.Pass
	v  *types.Var
	fn ast.Node // that declares it
}

// edits rewrites the declaration and each use; ok is false if one cannot be. A Builder is
// not copied, so that all uses are methods called in the function that declares it.
func (b *builder) edits(at inspector.Cursor) (edits []analysis.TextEdit, ok bool) {
	fn, ok := code.Func(at)
	decl, isVar := b.declaration(fn)
	if !ok || !isVar || !types.Identical(b.v.Type(), types.Typ[types.String]) {
		return nil, false
	}
	b.fn = fn.Node()
	name, edits, ok := code.Import(b.p.TypesInfo, b.p.Pkg, b.p.File(decl.Pos()), decl.Pos(), "strings")
	if !ok {
		return nil, false
	}
	edits = append(edits, analysis.TextEdit{Pos: decl.Pos(), End: decl.End(), NewText: []byte("var " + b.v.Name() + " " + name + ".Builder")})
	for _, use := range b.p.Index.Uses(b.v) {
		edit, ok := b.use(use)
		if in, _ := code.Func(use); !ok || in.Node() != b.fn {
			return nil, false
		}
		edits = append(edits, edit)
	}
	return edits, true
}

// declaration returns the statement that declares the variable alone, as an empty string.
func (b *builder) declaration(fn inspector.Cursor) (ast.Stmt, bool) {
	for cur := range fn.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil)) {
		s := cur.Node().(ast.Stmt)
		if name, _, value := code.Declared(s); name != nil && b.p.TypesInfo.Defs[name] == b.v {
			at, ok := code.Stmt(cur)
			return s, ok && at == cur && (value == nil || b.isEmpty(value))
		}
	}
	return nil, false
}

func (b *builder) isEmpty(x ast.Expr) bool {
	s, ok := code.String(b.p.TypesInfo, x)
	return ok && s == ""
}

// use rewrites one use: what adds to the string, empties it, asks for its length or reads it.
func (b *builder) use(cur inspector.Cursor) (analysis.TextEdit, bool) {
	name, parent := b.v.Name(), cur.Parent().Node()
	replace := func(n ast.Node, text string) (analysis.TextEdit, bool) {
		return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}, true
	}
	switch {
	case cur.ParentEdgeKind() == edge.AssignStmt_Lhs:
		as := parent.(*ast.AssignStmt)
		switch {
		case len(as.Lhs) != 1:
		case as.Tok == token.ADD_ASSIGN && !code.Mentions(b.p.TypesInfo, as.Rhs[0], b.v):
			return replace(as, name+b.write(as.Rhs[0]))
		case as.Tok == token.ASSIGN && b.isEmpty(as.Rhs[0]):
			return replace(as, name+".Reset()")
		}
		return analysis.TextEdit{}, false
	case cur.ParentEdgeKind() == edge.CallExpr_Args && code.IsBuiltin(b.p.TypesInfo, parent.(*ast.CallExpr), "len"):
		return replace(parent, name+".Len()")
	case cur.ParentEdgeKind() == edge.BinaryExpr_X && b.isEmpty(parent.(*ast.BinaryExpr).Y):
		switch op := parent.(*ast.BinaryExpr).Op; op {
		case token.EQL, token.NEQ:
			return replace(parent, name+".Len() "+op.String()+" 0")
		}
	case code.Writes(b.p.TypesInfo, cur):
		return analysis.TextEdit{}, false
	}
	return replace(cur.Node(), name+".String()")
}

// write returns the call that adds an operand.
func (b *builder) write(x ast.Expr) string {
	r := character(b.p.TypesInfo, x)
	if r == nil {
		return ".WriteString(" + b.p.Source(x) + ")"
	}
	if types.Identical(b.p.TypesInfo.TypeOf(r), types.Typ[types.Rune]) {
		return ".WriteRune(" + b.p.Source(r) + ")"
	}
	return ".WriteString(" + b.p.Source(x) + ")"
}
