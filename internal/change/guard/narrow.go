package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// narrow names a condition that holds, or fails, for one length of an input
// and for neither the next nor the one before, however it is written: as two
// bounds, a shift, a difference. Lengths that the tests know are tried, and
// those near constants of the condition.
func (p precomputed) narrow(in *inputs, s *ast.IfStmt) {
	if !p.mentionsLength(in, s.Cond) {
		return
	}
	for _, n := range p.sizesNear(in, s.Cond) {
		if !in.singlesOut(s.Cond, n) {
			continue
		}
		picked, rest := s.Body.List, []ast.Stmt(nil)
		if !*in.at(s.Cond, n) {
			picked, rest = rest, picked
		}
		switch {
		case rejects(in, rest):
		case p.known.sizes[n], answers(in, picked), skips(picked) && p.movedIn(in.u, rest):
			p.add(model.SuspectPrecomputed, s.Cond, "inputs of one length are treated in another way")
			return
		}
	}
}

// oneLength reports whether a condition tells one length that the tests know
// from its neighbours.
func (p precomputed) oneLength(in *inputs, cond ast.Expr) bool {
	return slices.ContainsFunc(p.sizesNear(in, cond), func(n int64) bool { return in.singlesOut(cond, n) })
}

// sizesNear returns the lengths worth trying on a condition.
func (p precomputed) sizesNear(in *inputs, cond ast.Expr) []int64 {
	sizes := maps.Clone(p.known.sizes)
	for e := range code.All[ast.Expr](cond) {
		if k, ok := code.Int(in.u.info(), e); ok {
			sizes[k-1], sizes[k+1], sizes[k] = true, true, true
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(sizes)), func(n int64) bool {
		return n < leastSize || p.known.baseNums[number(constant.MakeInt64(n))]
	})
}

// singlesOut reports whether a condition is otherwise for inputs of length n
// than for those a little shorter or longer, and than for multiples: to ask
// for a multiple of eight singles nothing out.
func (in *inputs) singlesOut(cond ast.Expr, n int64) bool {
	at := in.at(cond, n)
	if at == nil {
		return false
	}
	return !slices.ContainsFunc([]int64{n - 1, n + 1, n - 8, n + 8, 2 * n}, func(m int64) bool {
		other := in.at(cond, m)
		return other == nil || *other == *at
	})
}

func (p precomputed) mentionsLength(in *inputs, cond ast.Expr) bool {
	return code.Any(cond, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return in.of(n) == length || in.evalHelper(n, leastSize) != nil
		case *ast.Ident:
			return in.of(n) == length
		}
		return false
	})
}

// at works out a condition for an input of length n: nil where it depends on
// more than that.
func (in *inputs) at(cond ast.Expr, n int64) (holds *bool) {
	defer func() {
		if recover() != nil { // go/constant panics on a division by zero
			holds = nil
		}
	}()
	v := in.eval(cond, n)
	if v == nil || v.Kind() != constant.Bool {
		return nil
	}
	b := constant.BoolVal(v)
	return &b
}

func (in *inputs) eval(e ast.Expr, n int64) constant.Value {
	if v := in.p.fixed(in.u, e); v != nil {
		return v
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if a := in.alias[in.u.info().Uses[x]]; a != nil && in.of(x) == length {
			return in.eval(a, n)
		}
	case *ast.CallExpr:
		if in.of(x) != length {
			return in.evalHelper(x, n)
		}
		if tv := in.u.info().Types[x.Fun]; tv.IsType() {
			return in.eval(x.Args[0], n)
		}
		return constant.MakeInt64(n)
	case *ast.UnaryExpr:
		if v := in.eval(x.X, n); v != nil && x.Op != token.AND && x.Op != token.ARROW {
			return constant.UnaryOp(x.Op, v, 0)
		}
	case *ast.BinaryExpr:
		return in.evalBinary(x, n)
	}
	return nil
}

// evalHelper works out a call of a function of one statement with an input.
func (in *inputs) evalHelper(c *ast.CallExpr, n int64) constant.Value {
	v := in.p.cand.decls[calleeName(in.u.info(), c)]
	if v == nil || v.fn == nil || v == in.u || len(c.Args) != 1 || in.depth > 6 {
		return nil
	}
	r := soleResult(v)
	if a := in.of(c.Args[0]); r == nil || a != whole && a != part {
		return nil
	}
	in.depth++
	defer func() { in.depth-- }()
	return in.inside(v).eval(r, n)
}

func (in *inputs) evalBinary(x *ast.BinaryExpr, n int64) constant.Value {
	a, b := in.eval(x.X, n), in.eval(x.Y, n)
	switch x.Op {
	case token.LAND, token.LOR:
		// What is not known is taken to hold: the question is whether the
		// length decides.
		if a == nil {
			return b
		}
		if b == nil {
			return a
		}
		return constant.BinaryOp(a, x.Op, b)
	}
	if a == nil || b == nil {
		return nil
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(a, x.Op, b))
	case token.SHL, token.SHR:
		k, ok := constant.Uint64Val(b)
		if !ok || k > 64 {
			return nil
		}
		return constant.Shift(a, x.Op, uint(k))
	case token.QUO:
		return constant.BinaryOp(a, token.QUO_ASSIGN, b)
	}
	return constant.BinaryOp(a, x.Op, b)
}
