package sizes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A stepped is the head of a loop over numbers: it runs as often as step goes into of/by+more, rounded up, and not at all
// where that is negative.
type stepped struct {
	of       ast.Expr // a variable of type int, or what has a length
	len      bool     // its length counts
	by, step int64    // at least 1
	more     int64
}

// farthest is how large the constants in the head of a loop may be: their sums do not overflow then.
const farthest = 1 << 20

// steps reads the head of a loop that counts in another way than from 0 up by one, such as for i := len(s)-1; i >= 0; i--
// or for i := 1; i <= n; i += 2. It has no of for other loops.
func (c counter) steps(s *ast.ForStmt) (one part) {
	info := c.fn.Info()
	i, from, up, step := stepping(info, s)
	if i == nil || code.WrittenIn(info, s.Body, i) || code.AddressTaken(info, s.Body, i) {
		return one
	}
	cond := s.Cond.(*ast.BinaryExpr)
	far, near := from, cond.Y
	if up {
		far, near = cond.Y, from
	}
	less, ok := prove.ConstInt(info, near)
	st := stepped{by: 1, step: step, more: -less}
	if !ok || max(less, -less) > farthest || !st.read(info, far) {
		return one
	}
	if cond.Op == token.LEQ || cond.Op == token.GEQ {
		st.more++
	}
	if up {
		if changes(info, s.Body, far) {
			return one
		}
		if same, _ := (&prove.Invariant{Prog: c.p, Fn: c.fn, Stmt: s}).Same(st.of); !same {
			return one
		}
	}
	text, signed := st.text(c.p.Source(c.fn.File, st.of))
	if signed && !c.p.GoAtLeast(c.fn.File, "go1.21") {
		return one
	}
	return part{of: st.of, text: text, stmt: s}
}

// stepping reads for i := from; i < end; i += step, where i is an int and step a constant; i is nil for other loops.
func stepping(info *types.Info, s *ast.ForStmt) (i *types.Var, from ast.Expr, up bool, step int64) {
	init, ok1 := s.Init.(*ast.AssignStmt)
	cond, ok2 := s.Cond.(*ast.BinaryExpr)
	if !ok1 || !ok2 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return nil, nil, false, 0
	}
	var counts ast.Expr
	var tok token.Token
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		counts, tok, step = post.X, post.Tok, 1
	case *ast.AssignStmt:
		if counts, tok = post.Lhs[0], post.Tok; tok == token.ADD_ASSIGN || tok == token.SUB_ASSIGN {
			step, _ = prove.ConstInt(info, post.Rhs[0])
		}
	}
	up = tok == token.INC || tok == token.ADD_ASSIGN
	towards := cond.Op == token.GTR || cond.Op == token.GEQ
	if up {
		towards = cond.Op == token.LSS || cond.Op == token.LEQ
	}
	i, _ = info.Defs[init.Lhs[0].(*ast.Ident)].(*types.Var)
	if i == nil || !isInt(i.Type()) || step < 1 || step > farthest || !towards || counts == nil || code.Var(info, counts) != i || code.Var(info, cond.X) != i {
		return nil, nil, false, 0
	}
	return i, init.Rhs[0], up, step
}

func isInt(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Int
}

// read takes in a length or a variable, with constants behind it.
func (st *stepped) read(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		k, ok := prove.ConstInt(info, e.Y)
		if !ok || k < 1 || k > farthest {
			return false
		}
		switch e.Op {
		case token.ADD:
			st.more += k
		case token.SUB:
			st.more -= k
		case token.QUO:
			if _, nested := ast.Unparen(e.X).(*ast.BinaryExpr); nested {
				return false // a sum is divided
			}
			st.by = k
		default:
			return false
		}
		return st.read(info, e.X) && max(st.more, -st.more) <= 4*farthest
	case *ast.CallExpr:
		if code.Builtin(info, e) == "len" {
			st.of, st.len = code.Countable(info, e.Args[0]), true
		}
	case *ast.Ident:
		if v := code.Var(info, e); v != nil && code.Local(v) && isInt(v.Type()) && st.by == 1 && st.step == 1 {
			st.of = e // which may be negative
		}
	}
	return st.of != nil
}

// text writes how often the loop runs, for the text of what counts. What is negative is 0, for which max is needed, and
// nothing overflows on the way there.
func (st *stepped) text(text string) (number string, signed bool) {
	if st.len {
		text = "len(" + text + ")"
	} else {
		text, signed = fmt.Sprintf("max(%s, %d)", text, -st.more), true
	}
	if st.by > 1 {
		text = fmt.Sprintf("%s/%d", text, st.by)
	}
	more := st.more + st.step - 1 // the last step may be shorter
	if more != 0 {
		text = fmt.Sprintf("%s%+d", text, more)
		if st.step > 1 {
			text = "(" + text + ")"
		}
	}
	if st.step > 1 {
		text = fmt.Sprintf("%s/%d", text, st.step)
	}
	if more < 0 && st.len {
		text, signed = "max("+text+", 0)", true
	}
	return text, signed
}
