package lookups

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ofRange reads for k := range m { … m[k] … }: the loop has the value at hand. It needs
// a key that equals itself, which NaN does not, and a map variable that keeps its map:
// the loop goes on over the old one.
func (l *pair) ofRange(s *ast.RangeStmt) {
	key, ok := s.Key.(*ast.Ident)
	if !ok || s.Tok != token.DEFINE || s.Value != nil || key.Name == "_" {
		return
	}
	m, ok := code.Core(l.fn.Info().TypeOf(s.X)).(*types.Map)
	if l.nan = ok && !code.Reflexive(m.Key()); !ok {
		return
	}
	l.at, l.first = s, &ast.IndexExpr{X: s.X, Index: key}
	if !l.named(l.first) {
		return
	}
	v, local := s.X.(*ast.Ident)
	local = local && l.names[0].Parent() != l.fn.Obj.Pkg().Scope()
	if local && code.WrittenIn(l.fn.Info(), s.Body, l.fn.Info().ObjectOf(v)) || !local && l.renamedIn(s.Body) {
		return
	}
	l.follow(s.Body)
}

// rangeEdits lets the loop bring the value. A key that nothing else reads goes.
func (l *pair) rangeEdits(s *ast.RangeStmt, name string) ([]model.Edit, *prove.Reason) {
	if name == "" {
		return nil, prove.Refuse("no name for it is free")
	}
	f, info := l.fn.File, l.fn.Info()
	put := func(n ast.Node, text string) model.Edit {
		return l.p.Put(f, n.Pos(), n.End(), text)
	}
	key := s.Key.(*ast.Ident)
	left := code.Any(s.Body, func(id *ast.Ident) bool {
		return info.Uses[id] == info.Defs[key] && !slices.ContainsFunc(l.reads, func(e *ast.IndexExpr) bool { return code.Within(e, id) })
	})
	kept := "_"
	if left {
		kept = key.Name
	}
	edits := []model.Edit{put(key, kept+", "+name)}
	for _, e := range l.reads {
		text := name
		if commaOK(f.Parent(e)) {
			text += ", true"
		}
		edits = append(edits, put(e, text))
	}
	return edits, nil
}

// commaOK reports whether a look-up also says that there is an entry.
func commaOK(up ast.Node) bool {
	switch up := up.(type) {
	case *ast.AssignStmt:
		return len(up.Lhs) == 2 && len(up.Rhs) == 1
	case *ast.ValueSpec:
		return len(up.Names) == 2 && len(up.Values) == 1
	}
	return false
}
