package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// keeper names what was given the memory for good, or the address of an element, when a call extends the slice. What is written
// to elements then is seen there or not, as the room decides.
func (s *Shared) keeper(call *ast.CallExpr) string {
	for _, leak := range s.Flow.Leaks {
		e, ok := leak.At.(ast.Expr)
		if !ok {
			continue
		}
		address, ok := unparen(s.File, e).(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			if s.early(e, call) && s.changes(s.Flow.Body, s.from(e, call), s.from(e, call)) && s.handsOn(e) {
				return "what is " + leak.Why
			}
			continue
		}
		switch up := unparen(s.File, address).(type) {
		case *ast.AssignStmt:
			i := slices.Index(up.Rhs, ast.Expr(address))
			if i < 0 || len(up.Lhs) != len(up.Rhs) {
				break
			}
			if v := code.Var(s.Flow.Info, up.Lhs[i]); v != nil && code.Local(v) {
				if s.stale(v, e, call) {
					return v.Name()
				}
				continue
			}
		case *ast.CallExpr:
			if code.Builtin(s.Flow.Info, up) == "" {
				continue // as a rule nothing keeps it
			}
		case *ast.ReturnStmt:
			if s.File.Literal(up) == nil {
				continue
			}
			return "what a function literal returns"
		case *ast.StarExpr, *ast.BinaryExpr, *ast.SelectorExpr:
			continue
		}
		if s.early(e, call) {
			return "an address of an element"
		}
	}
	return ""
}

// unparen returns what is around an expression, without parentheses.
func unparen(f *File, e ast.Expr) ast.Node {
	up := f.Parent(e)
	for {
		paren, ok := up.(*ast.ParenExpr)
		if !ok {
			return up
		}
		up = f.Parent(paren)
	}
}

// handsOn reports whether the memory is put where it is looked at later: in another slice, a literal or a channel. What is stored
// otherwise is for stored to look at.
func (s *Shared) handsOn(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		return code.Builtin(s.Flow.Info, call) == "append" && !slices.Contains(s.Flow.Extends, call)
	}
	switch unparen(s.File, e).(type) {
	case *ast.SendStmt, *ast.CompositeLit:
		return true
	}
	return false
}

// early reports whether something may come before a call, in a loop around both, too.
func (s *Shared) early(e ast.Expr, call *ast.CallExpr) bool {
	return e.End() <= call.Pos() || s.around(e, call) != nil
}

// around returns the innermost loop around both.
func (s *Shared) around(e ast.Expr, call *ast.CallExpr) *ast.BlockStmt {
	loop := s.File.Loop(call)
	for loop != nil && !code.Within(loop, e) {
		loop = s.File.Loop(s.File.Parent(loop))
	}
	return loop
}

// from is where code that runs behind both begins.
func (s *Shared) from(e ast.Expr, call *ast.CallExpr) token.Pos {
	if loop := s.around(e, call); loop != nil {
		return loop.Pos()
	}
	return call.Pos()
}

// stale reports whether a variable has the address of an element, and is used, when a call has extended the slice.
func (s *Shared) stale(v *types.Var, e ast.Expr, call *ast.CallExpr) bool {
	used := func(from, to token.Pos) bool {
		return code.Any(s.Flow.Body, func(id *ast.Ident) bool {
			return s.Flow.Info.Uses[id] == v && (from < id.Pos() && id.Pos() < to || s.File.Literal(id) != s.File.Literal(e))
		})
	}
	loop := s.around(e, call)
	outlives := loop != nil && !code.Declares(loop, v)
	if e.Pos() > call.Pos() {
		return outlives && used(call.End(), e.Pos())
	}
	return used(call.End(), s.Flow.Body.End()) || outlives && used(loop.Pos(), e.Pos())
}
