package sizes

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// alone says what else has the memory of the slice when it is extended. Append had to move it, as there was no room: now both
// see what is written.
func (b *begun) alone(fl *flow.Flow) *prove.Reason {
	if fl.CapSeen {
		return prove.Refuse("its capacity is asked for")
	}
	taken := func(v *types.Var) bool { return code.AddressTaken(b.fn.Info(), b.fn.Decl.Body, v) }
	if b.fn.File.Literal(b.list[b.made]) != nil || slices.ContainsFunc(b.names, taken) {
		return prove.Refuse("it is in a function literal, or used by its address")
	}
	for _, v := range fl.Vars {
		if !slices.Contains(b.names, v) && b.early(fl.Definition(v)) != "" {
			return prove.Refusef("%s has its memory as well", v.Name())
		}
	}
	for _, leak := range fl.Leaks {
		if why := b.early(leak.At); why != "" {
			return prove.Refusef("it is %s %s", leak.Why, why)
		}
	}
	for _, call := range fl.Extends {
		if (call.Pos() < b.last || !b.exact && b.more.least == 0 && b.clip == 0) && !slices.Contains(b.grows, call) {
			return prove.Refusef("it is extended into something else at %s", b.p.Pos(call.Pos()))
		}
	}
	for _, call := range b.grows {
		if why := b.back(call); why != nil {
			return why
		}
	}
	return b.uses()
}

// clips reports whether the slice can be cut to its length behind the last statement that appends to it: where nothing was
// appended, it has no more room then than it had before. Nothing in that statement may have it already.
func (b *begun) clips(fl *flow.Flow) bool {
	i := slices.IndexFunc(b.list, func(s ast.Stmt) bool { return s.Pos() < b.last && b.last <= s.End() })
	if i < 0 {
		return false
	}
	end := b.list[i].End()
	_, line := b.p.LineOf(b.fn.File, b.list[i])
	if rest := strings.TrimSpace(string(b.fn.File.Src[b.p.Offset(end):line])); rest != "" && !strings.HasPrefix(rest, "//") {
		return false
	}
	inside := func(n ast.Node) bool { return n.Pos() < end }
	returned := func(r *ast.ReturnStmt) bool { return b.named(r) > 0 }
	if slices.ContainsFunc(fl.Leaks, func(l flow.Leak) bool { return inside(l.At) }) || code.Any(b.list[i], returned) ||
		slices.ContainsFunc(fl.Extends, func(c *ast.CallExpr) bool { return inside(c) && !slices.Contains(b.grows, c) }) {
		return false
	}
	b.clip = i
	return true
}

// early says how a place comes before the last extension, "" where it does not.
func (b *begun) early(n ast.Node) string {
	if n.Pos() < b.last {
		return "before all is appended"
	}
	for loop := b.fn.File.Loop(n); loop != nil; loop = b.fn.File.Loop(b.fn.File.Parent(loop)) {
		if !code.Within(loop, b.list[b.made]) && slices.ContainsFunc(b.grows, func(c *ast.CallExpr) bool { return code.Within(loop, c) }) {
			return "in a loop that appends to it"
		}
	}
	return ""
}

// back says where an extension becomes something other than the slice itself, or than what is returned.
func (b *begun) back(call *ast.CallExpr) *prove.Reason {
	info, f := b.fn.Info(), b.fn.File
	switch up := f.Parent(call).(type) {
	case *ast.AssignStmt:
		if id, ok := up.Lhs[0].(*ast.Ident); ok && len(up.Lhs) == 1 && b.is(info.ObjectOf(id)) {
			return nil
		}
	case *ast.CallExpr:
		if slices.Contains(b.grows, up) {
			return nil
		}
	case *ast.ReturnStmt:
		_, style := b.p.Appending(info, call)
		adds := style != nil && style.Full || slices.Contains(b.list, ast.Stmt(up)) && (b.exact || b.more.least > 0)
		if adds && b.named(up) == 1 {
			return nil
		}
	}
	return prove.Refusef("it is extended into something else at %s", b.p.Pos(call.Pos()))
}

// named counts where a node names the slice.
func (b *begun) named(n ast.Node) int {
	count := 0
	for id := range code.All[*ast.Ident](n) {
		if b.is(b.fn.Info().Uses[id]) {
			count++
		}
	}
	return count
}

func (b *begun) is(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && slices.Contains(b.names, v)
}

// uses says which statement before the last extension keeps the slice as it was, or cuts it.
func (b *begun) uses() *prove.Reason {
	for n := range code.All[ast.Node](b.fn.Decl.Body) {
		why := ""
		switch n := n.(type) {
		case *ast.FuncLit:
			why = "used by a function literal"
		case *ast.DeferStmt, *ast.GoStmt:
			why = "kept for later"
		case *ast.ReturnStmt:
			if !slices.ContainsFunc(n.Results, func(r ast.Expr) bool { return b.extends(r) }) {
				why = "returned, or what is returned is made of it,"
			}
		case *ast.RangeStmt:
			if n.Value != nil && b.named(n.X) > 0 && slices.ContainsFunc(b.grows, func(c *ast.CallExpr) bool { return code.Within(n.Body, c) }) {
				why = "ranged over while it is appended to,"
			}
		case *ast.SliceExpr:
			if !b.within(n) {
				why = "cut, perhaps behind its end,"
			}
		}
		if b.sets(n) {
			why = "set"
		}
		if why != "" && n.Pos() < b.last && b.named(n) > 0 {
			return prove.Refusef("it is %s at %s", why, b.p.Pos(n.Pos()))
		}
	}
	return nil
}

// sets reports whether a node gives the variable another value than the slice, extended.
func (b *begun) sets(n ast.Node) bool {
	if a, ok := n.(*ast.AssignStmt); ok && (n == b.list[b.made] || len(a.Rhs) == 1 && b.extends(a.Rhs[0])) {
		return false
	}
	return slices.ContainsFunc(code.Assigned(n), func(l ast.Expr) bool { return b.is(code.Var(b.fn.Info(), l)) })
}

// extends reports whether an expression is an extension of the slice.
func (b *begun) extends(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && slices.Contains(b.grows, call)
}

// within reports whether a cut, if it is one of the slice, ends within what that begins with: behind it there was no room.
func (b *begun) within(cut *ast.SliceExpr) bool {
	info := b.fn.Info()
	if b.named(cut.X) == 0 || cut.High == nil {
		return true
	}
	n, known := prove.ConstInt(info, cut.High)
	return b.is(code.Var(info, cut.X)) && !cut.Slice3 && (known && n <= b.least() || prove.OfLength(info, cut.High, cut.X))
}

// least is how many elements the slice begins with at least.
func (b *begun) least() (n int64) {
	if b.n != nil {
		n, _ = prove.ConstInt(b.fn.Info(), b.n)
		return n
	}
	for _, a := range b.start.parts {
		n += int64(len(a.elems) + spelled(b.fn.Info(), a.all))
	}
	return n
}
