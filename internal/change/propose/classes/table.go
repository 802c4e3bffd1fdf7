package classes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Table puts a look at a table for a condition on one byte or rune.
var Table = prove.Transformation{
	Name: "byte-table",
	Doc: "A condition that compares one byte or rune with constants, or looks for it in a constant set, looks at a table of 256 answers. " +
		"Where it may be true beyond ASCII, the old code stays for that.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "byte-table", "BenchmarkWords", "cpu", "a fraction of the time for a text whose bytes no branch can foresee", 0),
	// It looks at the conditions on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, c := range classesAt(s.Program, s.Fn, s.At.Line) {
			ch, why := proposeTable(c)
			s.Add("a byte is compared one by one", ch, why)
		}
	}),
}

// minWeight is the least that must be asked, three comparisons or a search:
// two comparisons are as fast as a table.
const minWeight = 6

// A class is a condition on one byte or rune that a table can answer.
type class struct {
	*predicate
	is    value
	whole bool       // it is the whole body of the function
	exprs []ast.Expr // else the operands that say it, next to each other
	chain ast.Expr   // that they are operands of
	answers
}

// Answers are what a condition is of each byte, or of each rune.
type answers struct {
	table [256]bool // of a rune, the first 128 alone
	rest  rest      // what is not ASCII
	how   string    // it is known
}

// A rest says what the condition is of runes that are not ASCII. Where it is
// sometimes true, the old code stays for them.
type rest int

const (
	never rest = iota
	always
	sometimes
)

// classesAt returns the function that a line is in, if that is a class as a
// whole, or else the largest conditions on the line that are.
func classesAt(p *prove.Program, fn *prove.Function, line int) []*class {
	d, found := newPredicate(p, fn), []*class(nil)
	if is := d.function(types.Bool); is != nil {
		if d.weight >= minWeight {
			found = append(found, &class{predicate: d, is: is, whole: true})
		}
		return found
	}
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || !p.Covers(n, line) {
			return n == nil || p.Covers(n, line)
		}
		if slices.ContainsFunc(found, func(c *class) bool { return c.holds(e) }) {
			return false
		}
		if up, ok := fn.File.Parent(e).(*ast.BinaryExpr); ok && isLogic(e) == up.Op {
			return true // a part of the chain that was looked at
		}
		for _, c := range classesOf(p, fn, e) {
			if c.weight >= minWeight && p.Covers(c, line) {
				found = append(found, c)
			}
		}
		return true
	})
	return found
}

func newPredicate(p *prove.Program, fn *prove.Function) *predicate {
	return &predicate{p: p, fn: fn, facts: &facts{}}
}

// Pos and End are those of the operands.
func (c *class) Pos() token.Pos { return c.exprs[0].Pos() }
func (c *class) End() token.Pos { return c.exprs[len(c.exprs)-1].End() }

func (c *class) holds(e ast.Expr) bool { return c.Pos() <= e.Pos() && e.End() <= c.End() }

// classesOf returns the longest runs of operands of a condition that ask one
// byte or rune.
func classesOf(p *prove.Program, fn *prove.Function, e ast.Expr) []*class {
	if b, ok := fn.Info().TypeOf(e).(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return nil
	}
	op := isLogic(e)
	operands := chain(e, op)
	var found []*class
	for len(operands) > 0 {
		d := newPredicate(p, fn)
		var parts []value
		for _, x := range operands {
			was, subject := *d.facts, d.subject
			v := d.compile(x)
			if v == nil || d.subject == nil {
				*d.facts, d.subject = was, subject
				break
			}
			parts = append(parts, v)
		}
		if n := len(parts); n > 1 || n == 1 && !isHelper(p, fn, operands[0]) {
			found = append(found, &class{predicate: d, is: joined(op, parts), exprs: operands[:n], chain: e})
		}
		operands = operands[max(1, len(parts)):]
	}
	return found
}

// isLogic returns the operator of a && b or a || b, else ILLEGAL.
func isLogic(e ast.Expr) token.Token {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return b.Op
	}
	return token.ILLEGAL
}

// isHelper reports whether a condition is a call of the module, perhaps
// negated: the table belongs there.
func isHelper(p *prove.Program, fn *prove.Function, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return isHelper(p, fn, e.X)
	case *ast.CallExpr:
		callee := code.Callee(fn.Info(), e)
		return callee != nil && p.InModule(callee)
	}
	return false
}

func joined(op token.Token, parts []value) value {
	return func(c int64) int64 {
		for _, is := range parts {
			if v := is(c); v == truth(op != token.LAND) {
				return v
			}
		}
		return truth(op == token.LAND)
	}
}

// chain returns the operands of a && b && … or a || b || … from left to right.
func chain(e ast.Expr, op token.Token) []ast.Expr {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op && isLogic(e) == op {
		return append(chain(b.X, op), chain(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// evaluate asks the condition about everything that it can be asked about,
// and says why a table cannot answer for it.
func (c *class) evaluate() *prove.Reason {
	if c.rune() {
		var why *prove.Reason
		from, to := c.fn.Decl.Body.Pos(), c.fn.Decl.Body.End()
		if !c.whole {
			from, to = c.Pos(), c.End()
		}
		c.answers, why = c.ofRunes(from, to, c.is)
		return why
	}
	for b := range c.table {
		c.table[b] = c.is(int64(b)) == 1
	}
	if c.panics {
		return prove.Refuse("it panics for some bytes")
	}
	if c.tables {
		return prove.Refuse("what package unicode says about bytes that are not ASCII is not the same in each Go release")
	}
	c.how = "it was evaluated for all 256 bytes"
	return nil
}

// ofRunes asks a condition about all runes, once for the place that it stands in: many lines may lead there.
func (d *predicate) ofRunes(from, to token.Pos, is value) (answers, *prove.Reason) {
	type key struct{ from, to token.Pos }
	type found struct {
		answers
		why *prove.Reason
	}
	all := prove.Remember(d.p, key{from, to}, func() found {
		a, why := d.askRunes(is)
		return found{a, why}
	})
	return all.answers, all.why
}

func (d *predicate) askRunes(is value) (a answers, why *prove.Reason) {
	for r := range int64(unicode.MaxASCII + 1) {
		a.table[r] = is(r) == 1
	}
	if a.rest = d.beyond(is); d.panics {
		return a, prove.Refuse("it panics for some runes")
	}
	switch says := "it was evaluated for "; a.rest {
	case sometimes:
		a.how = says + "each of 128; what is not ASCII goes the old way"
	default:
		a.how = fmt.Sprintf("%sall %d runes and around its constants, and is %t of all that is not ASCII", says, unicode.MaxRune+1, a.rest == always)
	}
	return a, nil
}

// beyond says what a condition is of what is not ASCII. It is sometimes true
// if that may differ in another Go release, or if it computes: without, values
// that are no runes can differ only next to a constant.
func (d *predicate) beyond(is value) rest {
	asked, yes := 0, 0
	ask := func(r int64) {
		if r > unicode.MaxASCII && r <= math.MaxInt32 || r < 0 && r >= math.MinInt32 {
			asked++
			yes += int(is(r))
		}
	}
	for r := int64(unicode.MaxASCII + 1); r <= unicode.MaxRune && !d.tables; r++ {
		ask(r)
	}
	for _, r := range append(d.values, math.MinInt32+1, 0, unicode.MaxRune, math.MaxInt32-1) {
		ask(r - 1)
		ask(r)
		ask(r + 1)
	}
	switch {
	case d.bends || d.tables || yes > 0 && yes < asked:
		return sometimes
	case yes > 0:
		return always
	}
	return never
}

func proposeTable(c *class) (*model.Change, *prove.Reason) {
	fn := c.fn
	if !code.Predeclared(fn.Obj.Pkg(), c.at(), "true", "bool", "byte", "uint32") {
		return nil, prove.Refuse("a predeclared name means something else there")
	}
	if why := c.evaluate(); why != nil {
		return nil, why
	}
	edits, why := c.edits()
	if why != nil {
		return nil, why
	}
	what := strings.Join(strings.Fields(c.p.Source(fn.File, c.subject)), " ")
	return c.p.Change(fn, edits, model.Change{
		Kind:  "byte-table",
		Title: fmt.Sprintf("%s: look %s of %s up in a table", fn.File.Pkg.Name, what, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the table says what the condition said", How: "proven", Why: c.how},
			{Text: "the condition does nothing else", How: "proven", Why: "it compares " + what + " with constants, and asks functions that only compute"},
		},
		Retains: "a table of 256 bytes stays in memory",
	})
}

func (c *class) at() token.Pos {
	if c.whole {
		return c.fn.Decl.Body.Lbrace + 1
	}
	return c.Pos()
}
