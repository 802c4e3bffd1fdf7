package guard

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"math/big"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// precomputed asks whether the candidate knows the input of a benchmark, or what it has
// to give for one.
type precomputed struct{ *pair }

// literals compares the texts and numbers that are new in a unit with what
// the tests hold.
func (p precomputed) literals(u *unit) {
	for _, root := range u.nodes {
		p.literalsIn(u, root)
	}
}

func (p precomputed) literalsIn(u *unit, root ast.Node) {
	var inError []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				return false
			}
		case *ast.CallExpr:
			if p.speaks(u, n) {
				inError = append(inError, n)
			}
		case *ast.CompositeLit:
			p.table(u, n)
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		v := constantOf(u.info(), e)
		if v == nil {
			return true
		}
		within := slices.ContainsFunc(inError, func(c ast.Node) bool { return c.Pos() <= e.Pos() && e.End() <= c.End() })
		switch v.Kind() {
		case constant.String:
			p.textIn(e, constant.StringVal(v), within)
			return false // its parts are of no interest
		case constant.Int, constant.Float:
			if !ofOthers(u, e) {
				p.numberIn(e, v)
			}
			return false
		}
		return true
	})
}

// ofOthers reports whether an expression names a constant of another package: its number is no news there.
func ofOthers(u *unit, e ast.Expr) bool {
	x := ast.Unparen(e)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		x = sel.Sel
	}
	id, ok := x.(*ast.Ident)
	return ok && u.info().Uses[id] != nil && u.info().Uses[id].Pkg() != u.pkg.Types
}

// speaks reports whether a call makes text for people: errors, logs, panics.
func (p precomputed) speaks(u *unit, c *ast.CallExpr) bool {
	return code.IsBuiltin(u.info(), c, "panic") || hasAnyPrefix(calleeName(u.info(), c), "fmt.", "errors.", "log.", "log/slog.", "(*log.", "(*log/slog.")
}

func (p precomputed) textIn(e ast.Expr, s string, spoken bool) {
	if !p.known.inBase(s) {
		p.tells(s, e)
		p.copied(e, s, spoken)
	}
}

// copied names a new text that the tests hold too.
func (p precomputed) copied(e ast.Expr, s string, spoken bool) {
	if p.known.inBase(s) || len(s) < leastText {
		return
	}
	how := cmp.Or(p.known.says(s), p.known.saysDecoded(s))
	if how != "" && !(spoken && len(s) < 2*longText) {
		p.add(model.SuspectPrecomputed, e, "a text that "+how)
	}
}

// table names literals of numbers, bytes or texts that the tests hold too.
func (p precomputed) table(u *unit, c *ast.CompositeLit) {
	if b := bytesOf(u.info(), c); len(b) >= leastText {
		p.textIn(c, string(b), false)
	}
	var texts strings.Builder
	var nums []constant.Value
	for _, el := range c.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		switch v := constantOf(u.info(), el); {
		case v == nil:
		case v.Kind() == constant.String:
			texts.WriteString(constant.StringVal(v))
		case v.Kind() == constant.Int || v.Kind() == constant.Float:
			nums = append(nums, v)
		}
	}
	if texts.Len() > 0 {
		p.copied(c, texts.String(), false)
	}
	if p.isNewText(u, c) && p.sequenceKnown(nums) {
		p.add(model.SuspectPrecomputed, c, "a row of numbers that is in the tests")
	}
}

// sequenceKnown reports whether four numbers in a row stand in a row in the
// tests too. Rows that rise evenly are everywhere.
func (p precomputed) sequenceKnown(nums []constant.Value) bool {
	for i := 0; i+4 <= len(nums); i++ {
		var b strings.Builder
		distinct := map[string]bool{}
		for _, v := range nums[i : i+4] {
			b.WriteString("," + number(v))
			distinct[number(v)] = true
		}
		b.WriteString(",")
		if len(distinct) >= 3 && !even(nums[i:i+4]) && slices.ContainsFunc(p.known.seqs, func(s string) bool { return strings.Contains(s, b.String()) }) {
			return true
		}
	}
	return false
}

// even reports whether numbers rise or fall by the same step, or each is the
// same multiple of the one before.
func even(nums []constant.Value) bool {
	step, ratio := true, true
	for i := 2; i < len(nums); i++ {
		a := constant.BinaryOp(nums[i-1], token.SUB, nums[i-2])
		b := constant.BinaryOp(nums[i], token.SUB, nums[i-1])
		step = step && constant.Compare(a, token.EQL, b)
		c := constant.BinaryOp(nums[i-1], token.MUL, nums[i-1])
		d := constant.BinaryOp(nums[i], token.MUL, nums[i-2])
		ratio = ratio && constant.Compare(c, token.EQL, d)
	}
	return step || ratio
}

// numberIn names a new number that no one comes by twice by chance, and that
// the tests hold or that is a hash of what they hold.
func (p precomputed) numberIn(e ast.Expr, v constant.Value) {
	s := number(v)
	if p.known.baseNums[s] || !peculiar(v) {
		return
	}
	switch text, isHash := p.known.hashes[s]; {
	case isHash:
		p.add(model.SuspectPrecomputed, e, fmt.Sprintf("a number that is the hash of what the tests hold: %q", shorten(text)))
	case p.known.nums[s]:
		p.add(model.SuspectPrecomputed, e, "a number that is in the tests")
	}
}

// peculiar reports whether a number is one that code has no other reason to
// hold: of four digits or more, not round, and not near a power of two.
func peculiar(v constant.Value) bool {
	if i := constant.ToInt(v); i.Kind() == constant.Int {
		n, ok := new(big.Int).SetString(i.ExactString(), 10)
		if !ok {
			return false
		}
		n.Abs(n)
		if n.Cmp(big.NewInt(1000)) < 0 || new(big.Int).Mod(n, big.NewInt(100)).Sign() == 0 {
			return false
		}
		for _, d := range []int64{-1, 0, 1} {
			m := new(big.Int).Add(n, big.NewInt(d))
			if uint(m.BitLen()) == m.TrailingZeroBits()+1 {
				return false
			}
		}
		return n.TrailingZeroBits() < 8
	}
	s := v.String()
	return len(strings.Trim(s, "0.")) >= 4
}
