package scratch

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/rules/code"
)

// stays reports whether no use lets the memory outlive the block that makes it.
func (s *scratch) stays() bool {
	uses := s.p.Index.Uses(s.v)
	home, _ := code.Func(s.cur)
	for _, cur := range uses {
		if fn, _ := code.Func(cur); fn != home {
			return false
		}
		if s.kind == buffer {
			if !s.bufferUse(cur) {
				return false
			}
		} else if !s.use(cur) {
			return false
		}
	}
	return len(uses) > 0
}

// use reads one use of a map or slice, or of a part of it.
func (s *scratch) use(cur inspector.Cursor) bool {
	x := cur.Node()
	switch p := cur.Parent().Node().(type) {
	case *ast.IndexExpr:
		return p.X == x && s.element(cur.Parent())
	case *ast.SliceExpr:
		return p.X != x || s.use(cur.Parent())
	case *ast.RangeStmt:
		return p.X == x
	case *ast.CallExpr:
		return s.argument(cur, p)
	case *ast.AssignStmt:
		// x = append(x, …), whose right side is another use.
		if len(p.Lhs) != 1 || p.Lhs[0] != x || p.Tok != token.ASSIGN {
			return false
		}
		call, ok := p.Rhs[0].(*ast.CallExpr)
		return ok && s.appends(call)
	}
	return false
}

func (s *scratch) appends(call *ast.CallExpr) bool {
	return code.IsBuiltin(s.p.TypesInfo, call, "append") && code.Var(s.p.TypesInfo, call.Args[0]) == s.v
}

// argument reads a use as an operand of a call.
func (s *scratch) argument(cur inspector.Cursor, call *ast.CallExpr) bool {
	at := cur.Parent().Parent().Node()
	switch at.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false
	}
	if s.appends(call) && call.Args[0] == cur.Node() {
		assign, ok := at.(*ast.AssignStmt)
		s.grows = true
		return ok && len(assign.Lhs) == 1 && code.Var(s.p.TypesInfo, assign.Lhs[0]) == s.v
	}
	if cur.ParentEdgeKind() == edge.CallExpr_Fun || code.KeptBy(s.p.TypesInfo, s.eff, call, cur.Node().(ast.Expr)) {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); !ok || s.p.TypesInfo.Uses[id] == nil || s.p.TypesInfo.Uses[id].Parent() != types.Universe {
		s.calls = true
	}
	return true
}

// element reads a use of an element: its address must not be taken, be it by a
// method with a pointer receiver or by slicing an array.
func (s *scratch) element(cur inspector.Cursor) bool {
	for {
		x := cur.Node()
		switch p := cur.Parent().Node().(type) {
		case *ast.UnaryExpr:
			return p.Op != token.AND
		case *ast.SliceExpr:
			_, array := s.p.TypesInfo.TypeOf(p.X).Underlying().(*types.Array)
			return !array || p.X != x
		case *ast.SelectorExpr:
			sel := s.p.TypesInfo.Selections[p]
			if sel == nil || sel.Kind() != types.FieldVal {
				return sel != nil && (isPointer(s.p.TypesInfo.TypeOf(p.X)) || !isPointer(sel.Obj().(*types.Func).Signature().Recv().Type()))
			}
		case *ast.IndexExpr, *ast.ParenExpr:
		default:
			return true
		}
		cur = cur.Parent()
	}
}

var bufferMethods = map[string]bool{
	"Write": true, "WriteString": true, "WriteByte": true, "WriteRune": true, "Len": true, "Cap": true, "String": true, "Reset": true,
	"Truncate": true, "Grow": true, "Read": true, "ReadByte": true, "ReadRune": true, "ReadString": true, "ReadFrom": true, "WriteTo": true,
}

// bufferUse reads one use of a buffer.
func (s *scratch) bufferUse(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.SelectorExpr:
		call := cur.Parent().Parent()
		if cur.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return false
		}
		switch call.Parent().Node().(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			return false
		}
		if p.Sel.Name == "Bytes" {
			return s.use(call)
		}
		return bufferMethods[p.Sel.Name]
	case *ast.UnaryExpr:
		if p.Op != token.AND {
			return false
		}
		call, ok := cur.Parent().Parent().Node().(*ast.CallExpr)
		return ok && s.argument(cur.Parent(), call)
	case *ast.CallExpr:
		return isPointer(s.v.Type()) && s.argument(cur, p)
	}
	return false
}
