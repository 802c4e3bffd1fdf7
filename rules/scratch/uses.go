package scratch

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// stays reports whether no use lets the memory outlive the block that makes it.
func (s *scratch) stays() bool {
	uses := s.p.Index.Uses(s.v)
	home, _ := code.Func(s.cur)
	for _, cur := range uses {
		if !s.sameMemory(cur) || deferred(cur, home) {
			return false
		}
	}
	if len(uses) == 0 {
		return false
	}
	known := s.eff.Source()
	if s.kind == buffer {
		known.Call = flow.Buffer.Source(known.Call)
	}
	fn := s.funcs.Around(s.p.TypesInfo, s.cur)
	known.Now = fn.AtOnce
	fl := &flow.Flow{Func: fn, Source: known, NoLocals: true}
	if s.kind == buffer && !isPointer(s.v.Type()) {
		fl.Uses(s.v, func(id *ast.Ident) { fl.Value(id) })
	} else {
		fl.Track(s.v)
	}
	fl.Drain()
	s.calls, s.dynamic, s.nilSeen = len(fl.Calls) > 0, fl.Dynamic(), fl.NilSeen
	return !fl.Outlives()
}

// sameMemory reports whether the variable keeps its memory at a use, or what append
// makes of it, and is not compared with nil.
func (s *scratch) sameMemory(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return false
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() != edge.AssignStmt_Lhs {
			return false
		}
		call, ok := p.Rhs[0].(*ast.CallExpr)
		if !ok || len(p.Lhs) != 1 || p.Tok != token.ASSIGN || s.kind == buffer {
			return false
		}
		if code.IsBuiltin(s.p.TypesInfo, call, "append") {
			s.grows = true
		} else {
			s.extends = true
		}
		return code.Var(s.p.TypesInfo, flow.Extended(s.p.TypesInfo, call)) == s.v
	}
	return true
}

// deferred reports whether a use stands in a deferred call of its function, or of a
// literal in it: that of the function would see what later iterations write.
func deferred(cur, home inspector.Cursor) bool {
	for p := range cur.Enclosing((*ast.DeferStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if _, is := p.Node().(*ast.DeferStmt); is || p == home {
			return is
		}
	}
	return false
}
