package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// CompareParts compares a text with parts that are not put together.
var CompareParts = prove.Transformation{
	Name:     "compare-parts",
	Doc:      "A concatenation that is made only to be compared with a text, or for strings.HasPrefix, HasSuffix, TrimPrefix, TrimSuffix, CutPrefix or CutSuffix to look for, is not put together. The text is compared with its parts.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "compare-parts", "BenchmarkWithin", "allocs", "no text for each name that is compared, where it has more than 32 bytes", 0),
	// It looks at the comparisons on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for x := range prove.On[ast.Expr](s) {
			if c := partMatchOf(s.Program, s.Fn, x); c != nil {
				ch, why := c.propose()
				s.Add(prove.Short(types.ExprString(c.sum))+" is put together to be compared", ch, why)
			}
		}
	}),
}

// A partMatch is a question about a text and a concatenation.
type partMatch struct {
	p    *prove.Program
	fn   *prove.Function
	node ast.Expr
	call *ast.CallExpr // what asks; nil for == and !=
	kind string        // Is, or the function of package strings
	not  bool          // the answer is turned around
	left bool          // the concatenation stands before the text
	sum  ast.Expr      // the concatenation

	text  piece
	parts []piece
}

// partMatchOf reads a comparison with a concatenation; nil for another expression.
func partMatchOf(p *prove.Program, fn *prove.Function, x ast.Expr) *partMatch {
	info := fn.Info()
	c := &partMatch{p: p, fn: fn, node: x}
	var text ast.Expr
	switch x := x.(type) {
	case *ast.BinaryExpr:
		c.kind, c.not, text, c.sum = "Is", x.Op == token.NEQ, x.X, x.Y
		if x.Op != token.EQL && !c.not {
			return nil
		}
		if !summed(info, x.Y) {
			c.left, text, c.sum = true, x.Y, x.X
		}
	case *ast.CallExpr:
		callee := code.Callee(info, x)
		if callee == nil || len(x.Args) != 2 || !slices.Contains([]string{"HasPrefix", "HasSuffix", "TrimPrefix", "TrimSuffix", "CutPrefix", "CutSuffix"}, callee.Name()) ||
			!code.IsFunc(info, x, "strings", callee.Name()) {
			return nil
		}
		c.kind, c.call, text, c.sum = callee.Name(), x, x.Args[0], x.Args[1]
	default:
		return nil
	}
	if !summed(info, c.sum) || !code.IsString(info.TypeOf(text)) {
		return nil
	}
	c.text = c.piece(text)
	if _, constant := code.String(info, text); constant {
		c.text.own = false
	}
	for _, part := range prove.Summands(info, c.sum) {
		c.parts = append(c.parts, c.piece(part))
	}
	return c
}

// summed reports whether an expression is a text that is put together when it is evaluated.
func summed(info *types.Info, x ast.Expr) bool {
	return code.IsString(info.TypeOf(x)) && len(prove.Summands(info, x)) > 1
}

// piece reads an operand. The bytes that it converts are compared as they are.
func (c *partMatch) piece(x ast.Expr) piece {
	f, info := c.fn.File, c.fn.Info()
	p := piece{x: ast.Unparen(x)}
	if _, data := code.Converted(info, x); data != nil {
		p.x, p.bytes = ast.Unparen(data), true
	}
	p.text = c.p.Source(f, p.x)
	value, constant := code.String(info, p.x)
	p.own = constant && code.Place(p.x) || c.still(p.x)
	if lit, ok := p.x.(*ast.BasicLit); ok { // not of a name, which may have another value in other builds
		p.own = !strings.Contains(lit.Value, "\n")
		if len(value) == 1 && value[0] < 0x80 {
			p.one = strconv.QuoteRune(rune(value[0]))
		}
	} else if !p.bytes && info.TypeOf(p.x) != types.Typ[types.String] {
		p.text, p.own = "string("+p.text+")", false
	}
	return p
}

// still reports whether an expression is a variable that no other code can change meanwhile.
func (c *partMatch) still(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	v, _ := c.fn.Info().Uses[id].(*types.Var)
	if !ok || !code.Local(v) || code.Captured(c.fn.File.Pkg.Index(), c.fn.Info(), v) {
		return false
	}
	lit := c.fn.File.Literal(x) // which may run beside the function
	return lit == nil || code.Declares(lit, v) || !code.WrittenIn(c.fn.Info(), c.fn.Decl.Body, v)
}

func (c *partMatch) propose() (*model.Change, *prove.Reason) {
	f, fn := c.fn.File, c.fn
	switch {
	case f.Commented(c.node):
		return nil, prove.Refuse("there is a comment within the comparison")
	case !code.Predeclared(fn.Obj.Pkg(), c.node.Pos(), "string", "byte", "bool", "len", "true", "false"):
		return nil, prove.Refuse("a predeclared name means something else there")
	case summed(fn.Info(), c.text.x):
		return nil, prove.Refuse("so is what it is compared with")
	case len(c.parts) > len(partNames):
		return nil, prove.Refuse("it has too many parts")
	case c.text.bytes && c.kind != "Is" && !strings.HasPrefix(c.kind, "Has"):
		return nil, prove.Refuse("what is left is a text of its own, not of the bytes")
	case c.kind == "Is" && !c.inPlace() && types.Unalias(fn.Info().TypeOf(c.node)) != fn.Info().TypeOf(c.node).Underlying():
		return nil, prove.Refuse("the answer is of a type of its own")
	}
	if why := c.ordered(); why != nil {
		return nil, why
	}
	edits, evaluated := c.rewrite()
	if c.call != nil {
		imports, ok := c.p.Reimport(f, c.node.Pos(), nil, "strings", c.call.Fun)
		if !ok {
			return nil, prove.Refusef("the import of strings cannot be dropped in %s", f.Name)
		}
		edits = append(edits, imports...)
	}
	return c.p.Change(fn, edits, model.Change{
		Kind:  "compare-parts",
		Title: fmt.Sprintf("%s: compare with the parts of %s in %s", f.Pkg.Name, prove.Short(types.ExprString(c.sum)), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the answer is the same", How: "proven", Why: "the parts stand one behind the other, each where those before it end; the length comes first, so that all of them fit"},
			{Text: "the operands are evaluated as before", How: "proven", Why: evaluated},
		},
	})
}

// ordered says why it may be noticed when an operand is evaluated. Calls keep their order; what
// else is read must not depend on them, and of panics there is one only, or all are alike.
func (c *partMatch) ordered() *prove.Reason {
	info := c.fn.Info()
	call := func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} }
	strict := &code.Eval{Info: info, Call: call}
	lenient := &code.Eval{Info: info, Call: call, NotNil: func(ast.Expr) bool { return true }}
	operands := append([]piece{c.text}, c.parts...)
	var first *piece
	acts := 0
	for i := range operands {
		grade := lenient.Of(operands[i].x).Grade
		if grade == code.AnyLoss {
			acts++
		}
		if grade == code.AnyLoss && acts == 1 || grade == code.PanicLoss && first == nil {
			first = &operands[i]
		}
	}
	if first == nil {
		return nil
	}
	for i := range operands {
		o := &operands[i]
		grade := strict.Of(o.x).Grade
		switch _, constant := code.String(info, o.x); {
		case o == first && acts < 2, grade == code.AnyLoss && !o.bytes && !c.left && returned(info, o.x):
		case grade != code.NoLoss, acts > 0 && !constant && (o.bytes || !c.still(o.x)):
			return prove.Refuse("it may be noticed when " + prove.Short(o.text) + " is evaluated")
		}
	}
	return nil
}

// returned reports whether an expression is what a call returns, or what is received, and nothing that is read after that.
func returned(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		return !info.Types[x.Fun].IsType() || code.IsString(info.TypeOf(x.Args[0])) && returned(info, x.Args[0])
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	}
	return false
}

// inPlace reports whether the answer is a condition that is written out: all that it names can be read as often as it takes.
func (c *partMatch) inPlace() bool {
	asks := c.kind == "Is" || strings.HasPrefix(c.kind, "Has")
	return asks && c.text.own && len(c.parts) <= 3 && !slices.ContainsFunc(c.parts, func(p piece) bool { return !p.own })
}

// rewrite makes the edits: a condition, or a call of a function that gets each operand once. It
// returns why they are evaluated as before.
func (c *partMatch) rewrite() ([]model.Edit, string) {
	put := func(text string) model.Edit { return c.p.Put(c.fn.File, c.node.Pos(), c.node.End(), text) }
	if c.inPlace() {
		return []model.Edit{put(c.placed(c.condition(c.text, c.parts)))}, "they are constants and variables that nothing else changes meanwhile"
	}
	args := []string{c.text.text}
	for _, p := range c.parts {
		args = append(args, p.text)
	}
	name := ""
	declared := c.p.Declare(c.fn.File, func(i int) (string, []string) {
		name = prove.Numbered(partStems[c.kind], i)
		return c.helper(name), []string{name}
	})
	not := ""
	if c.not {
		not = "!"
	}
	edits := []model.Edit{put(not + name + "(" + strings.Join(args, ", ") + ")")}
	if declared != "" {
		edits = append(edits, c.p.Below(c.fn, declared))
	}
	return edits, "a function gets each of them once, in the same order as far as that could be noticed"
}

// placed writes a condition so that it stands for the comparison in what is around that.
func (c *partMatch) placed(condition string) string {
	if c.not {
		return "!(" + condition + ")"
	}
	switch around := c.fn.File.Parent(c.node).(type) {
	case *ast.BinaryExpr:
		if around.Op != token.LAND && around.Op != token.LOR {
			return "(" + condition + ")"
		}
	case *ast.UnaryExpr:
		return "(" + condition + ")"
	}
	return condition
}
