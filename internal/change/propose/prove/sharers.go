package prove

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A Shared is a slice whose memory was followed through a function of a file.
type Shared struct {
	File *File
	Flow *flow.Flow
	Is   func(ast.Expr) bool // whether an expression is the slice itself
	// Adds and Writes tell whether a call comes to other code that appends to the slice, or that writes elements of it or
	// cuts it. They are nil where there is none.
	Adds, Writes func(*ast.CallExpr) bool
}

// ShowsRoom says where memory that was followed in a file shows how much room it has: it asks for the capacity, or append, or a
// function that appends, makes something of it that is not what is given.
func (p *Module) ShowsRoom(s *Shared) *Reason {
	if s.Flow.CapSeen {
		return Refuse("its capacity is asked for")
	}
	for _, call := range s.Flow.Extends {
		if !GoesBack(s.File, call, s.Is) {
			return Refusef("append makes another slice of its memory at %s", p.Pos(call.Pos()))
		}
	}
	calls := s.Flow.Extends
	if s.Adds != nil && s.held() {
		calls = slices.Collect(code.All[*ast.CallExpr](s.Flow.Body))
	}
	for _, call := range calls {
		if !slices.Contains(s.Flow.Extends, call) && !s.Adds(call) {
			continue
		}
		if by := s.sharer(call); by != "" {
			return Refusef("%s has its memory as well, which append may move at %s", by, p.Pos(call.Pos()))
		}
	}
	return p.stored(s)
}

// sharer names what has the memory of the slice when a call extends that, and is used afterwards, where elements are written to
// or the slice is cut: whether it sees that depends on the room. A loop has the slice that it ranges over.
func (s *Shared) sharer(call *ast.CallExpr) string {
	for r := range code.All[*ast.RangeStmt](s.Flow.Body) {
		if r.Value != nil && code.Within(r.Body, call) && s.refers(r.X) && s.changes(r.Body, token.NoPos, token.NoPos) {
			return "the loop around it"
		}
	}
	for _, v := range s.Flow.Vars {
		since := s.since(v)
		if lit := s.File.Literal(call); lit != nil && !code.Declares(lit, v) && !s.itself(v) && s.changes(s.Flow.Body, since, since) {
			return v.Name() // the literal may run at any time
		}
		if since >= call.Pos() || s.itself(v) || !s.lives(v, call) {
			continue
		}
		if s.changes(s.Flow.Body, since, call.Pos()) || slices.ContainsFunc(s.loops(call, v), func(loop ast.Node) bool {
			return s.changes(loop, token.NoPos, token.NoPos)
		}) {
			return v.Name()
		}
	}
	return s.keeper(call)
}

// held reports whether anything else in the function may have the memory.
func (s *Shared) held() bool {
	return slices.ContainsFunc(s.Flow.Vars, func(v *types.Var) bool { return !s.itself(v) }) ||
		code.Any(s.Flow.Body, func(r *ast.RangeStmt) bool { return r.Value != nil && s.refers(r.X) })
}

// since is where a variable may begin to have the memory: behind the statement that defines it.
func (s *Shared) since(v *types.Var) token.Pos {
	def := s.Flow.Definition(v)
	switch stmt := s.File.Stmt(def).(type) {
	case *ast.AssignStmt, *ast.DeclStmt:
		return stmt.End()
	}
	return def.Pos()
}

// itself reports whether a variable is the slice.
func (s *Shared) itself(v *types.Var) bool {
	return code.Any(s.Flow.Body, func(id *ast.Ident) bool { return s.Flow.Info.ObjectOf(id) == v && s.Is(id) })
}

// loops returns the innermost loop around a call, and those that a variable outlives.
func (s *Shared) loops(call *ast.CallExpr, v *types.Var) (all []ast.Node) {
	for loop := s.File.Loop(call); loop != nil && (all == nil || !code.Declares(loop, v)); loop = s.File.Loop(s.File.Parent(loop)) {
		all = append(all, loop)
	}
	return all
}

// lives reports whether a variable may be used after a call: behind it, in a loop around both, in a literal, or as a result.
func (s *Shared) lives(v *types.Var, call *ast.CallExpr) bool {
	return v.Kind() == types.ResultVar || code.Any(s.Flow.Body, func(id *ast.Ident) bool {
		return s.Flow.Info.Uses[id] == v && (id.Pos() > call.End() || s.File.Literal(id) != nil ||
			slices.ContainsFunc(s.loops(call, v), func(loop ast.Node) bool { return code.Within(loop, id) && !code.Declares(loop, v) }))
	})
}

// changes reports whether elements are written behind a place in a piece of syntax, or the slice is cut since another.
func (s *Shared) changes(in ast.Node, since, after token.Pos) bool {
	return code.Any(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		switch {
		case n.Pos() <= since:
			return false
		case ok && (s.Writes != nil && s.Writes(call) || s.appendsTo(call)):
			return true
		case ok && n.Pos() > after && s.fills(call):
			return true
		}
		return s.cut(n) || n.Pos() > after && slices.ContainsFunc(code.Assigned(n), s.element)
	})
}

// ChangesElements reports whether the function writes elements of the slice, or cuts it.
func (s *Shared) ChangesElements() bool { return s.changes(s.Flow.Body, token.NoPos, token.NoPos) }

// refers reports whether an expression is the slice, or a variable that may have its memory.
func (s *Shared) refers(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return s.Is(ast.Unparen(e)) || ok && s.Flow.Tracks(id)
}

// element reports whether an expression is an element, or a part of one.
func (s *Shared) element(to ast.Expr) bool {
	for ; to != nil; to = code.Base(to) {
		if at, ok := to.(*ast.IndexExpr); ok && s.refers(at.X) {
			return true
		}
	}
	return false
}

// cut reports whether a statement makes the slice shorter: what is appended next is written over elements.
func (s *Shared) cut(n ast.Node) bool {
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	for i, e := range a.Rhs {
		if x, ok := ast.Unparen(e).(*ast.SliceExpr); ok && x.High != nil && s.Is(ast.Unparen(a.Lhs[i])) && s.part(x) {
			return true
		}
	}
	return false
}

// part reports whether an expression is the slice, or what is cut off it.
func (s *Shared) part(e ast.Expr) bool { return s.refers(uncut(e)) }

// appendsTo reports whether a call appends to a part of the slice that has room.
func (s *Shared) appendsTo(call *ast.CallExpr) bool {
	if code.Builtin(s.Flow.Info, call) != "append" {
		return false
	}
	_, cut := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
	return cut && !flow.Full(call.Args[0]) && s.part(call.Args[0])
}

// fills reports whether a call may write elements of the slice, or of a part of it: copy, clear, or a function that is given
// it. What only reads it is HarmlessCall.
func (s *Shared) fills(call *ast.CallExpr) bool {
	info := s.Flow.Info
	switch name := code.Builtin(info, call); {
	case name == "copy", name == "clear":
		return s.part(call.Args[0])
	case name != "" || HarmlessCall(info, call):
		return false
	}
	return slices.ContainsFunc(call.Args, s.part) || slices.ContainsFunc(s.Flow.Calls, func(h flow.Handing) bool { return h.Call == call })
}

// Fresh reports whether the owner of a field is a struct that the function has made, and no literal has: nothing that has run
// before it, or that called it, knows the field.
func (fn *Function) Fresh(owner ast.Expr) bool {
	v := code.Var(fn.Info(), owner)
	return v != nil && code.Local(v) && madeHere(fn, v) && !code.WrittenIn(fn.Info(), fn.Decl.Body, v) &&
		!code.Any(fn.Decl.Body, func(lit *ast.FuncLit) bool { return code.Mentions(fn.Info(), lit, v) })
}
