package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// FoldCompare compares a text without a copy of it in one case.
var FoldCompare = prove.Transformation{
	Name:     "fold-compare",
	Doc:      "A text that strings.ToLower or ToUpper, or those of bytes, make only to compare it with constants, for a prefix or suffix, or with another, is compared as it is, letter by letter. Beyond ASCII the old call answers.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "fold-compare", "BenchmarkScheme", "allocs", "no copy of a text that has letters of the other case", 0),
	// It looks at the calls on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if c := foldingOf(s.Program, s.Fn, call); c != nil && !c.right() {
				ch, why := c.propose()
				s.Add(prove.Short(types.ExprString(call))+" makes a text to compare it", ch, why)
			}
		}
	}),
}

// A folding is a text in one case, and what is asked about it.
type folding struct {
	p     *prove.Program
	fn    *prove.Function
	call  *ast.CallExpr
	pkg   string     // strings or bytes
	to    string     // ToLower or ToUpper
	v     *types.Var // holds the text; nil where it has no name
	asked []foldUse
}

// A foldUse is one question about the text.
type foldUse struct {
	node   ast.Node // what is asked: an expression, or a switch over the text
	kind   string   // Is, HasPrefix, HasSuffix or Same
	with   ast.Expr // the constant; for Same the other text
	unlike bool     // the answer is turned around
}

// foldingOf reads a call that makes a text of one case; nil for another.
func foldingOf(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *folding {
	for _, pkg := range []string{"strings", "bytes"} {
		for _, to := range []string{"ToLower", "ToUpper"} {
			if code.IsFunc(fn.Info(), call, pkg, to) {
				return &folding{p: p, fn: fn, call: call, pkg: pkg, to: to}
			}
		}
	}
	return nil
}

// right reports whether the call is on the right of a comparison that the one on its left stands for.
func (c *folding) right() bool {
	b, ok := c.fn.File.Parent(c.call).(*ast.BinaryExpr)
	return ok && ast.Unparen(b.Y) == ast.Expr(c.call) && c.same(b.X) != nil
}

// same returns what another call of the same function is of, and nil for another expression.
func (c *folding) same(x ast.Expr) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || !code.IsFunc(c.fn.Info(), call, c.pkg, c.to) {
		return nil
	}
	return call.Args[0]
}

func (c *folding) propose() (*model.Change, *prove.Reason) {
	f, fn := c.fn.File, c.fn
	if !code.Predeclared(fn.Obj.Pkg(), fn.Decl.End(), "string", "byte", "bool", "len", "true", "false") {
		return nil, prove.Refuse("a predeclared name means something else there")
	}
	if why := c.questions(); why != nil {
		return nil, why
	}
	edits, why := c.rewrite()
	if why != nil {
		return nil, why
	}
	return c.p.Change(fn, edits, model.Change{
		Kind:  "fold-compare",
		Title: fmt.Sprintf("%s: compare %s without a copy in one case in %s", f.Pkg.Name, prove.Short(types.ExprString(c.call.Args[0])), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "each comparison has the same answer", How: "proven",
				Why: "a byte in ASCII becomes one byte, so texts that differ in one differ; where one is not in ASCII, " + c.pkg + "." + c.to + " answers as before"},
			{Text: "nothing else sees the text", How: "proven", Why: "all its uses are comparisons"},
			{Text: "the texts are often in ASCII", How: "assumed", Why: "measurement decides whether that pays"},
		},
	})
}

// questions reads what is asked about the text.
func (c *folding) questions() *prove.Reason {
	f, info := c.fn.File, c.fn.Info()
	if f.Commented(c.call) {
		return prove.Refuse("there is a comment within the call")
	}
	def, _ := f.Parent(c.call).(*ast.AssignStmt)
	if def == nil {
		return c.ask(c.call)
	}
	name, _, _ := code.Declared(def)
	v, _ := info.Defs[name].(*types.Var)
	switch {
	case v == nil:
		return prove.Refuse("the text is stored where others read it")
	case c.pkg == "bytes":
		return prove.Refusef("%s may change before the comparison", prove.Short(types.ExprString(c.call.Args[0])))
	}
	c.v = v
	for id := range prove.UsesIn(info, c.fn.Decl.Body, v) {
		if why := c.ask(id); why != nil {
			return why
		}
	}
	return nil
}

// ask reads what is asked where the text stands in the expression x.
func (c *folding) ask(x ast.Expr) *prove.Reason {
	f, info := c.fn.File, c.fn.Info()
	around := f.Parent(x)
	for {
		paren, ok := around.(*ast.ParenExpr)
		if !ok {
			break
		}
		x, around = paren, f.Parent(paren)
	}
	use := foldUse{node: around}
	switch at := around.(type) {
	case *ast.BinaryExpr:
		use.with, use.kind, use.unlike = at.Y, "Is", at.Op == token.NEQ
		if at.Y == x {
			use.with = at.X
		}
		if other := c.same(use.with); other != nil && c.v == nil {
			use.kind, use.with = "Same", other
		} else if !c.constant(use.with) {
			use.kind = ""
		}
		if at.Op != token.EQL && at.Op != token.NEQ {
			use.kind = ""
		}
	case *ast.CallExpr:
		if _, text := code.Converted(info, at); text != nil && c.pkg == "bytes" {
			return c.ask(at)
		}
		use.kind, use.with = c.calls(at, x)
	case *ast.SwitchStmt:
		if use.kind = "Is"; !c.switches(at) {
			use.kind = ""
		}
	}
	switch {
	case use.kind == "":
		return prove.Refusef("it is not only compared with constants (%s)", c.p.Pos(x.Pos()))
	case use.with != nil && f.Commented(use.node):
		return prove.Refuse("there is a comment within the comparison")
	}
	c.asked = append(c.asked, use)
	return nil
}

// constant reports whether an expression is a constant text.
func (c *folding) constant(x ast.Expr) bool {
	_, ok := code.String(c.fn.Info(), x)
	return ok
}

// calls returns what a call with the text x asks, and the constant that it compares with.
func (c *folding) calls(call *ast.CallExpr, x ast.Expr) (kind string, with ast.Expr) {
	info := c.fn.Info()
	if fn := code.Callee(info, call); fn != nil {
		kind = fn.Name()
	}
	switch {
	case len(call.Args) != 2 || !code.IsFunc(info, call, c.pkg, kind):
		return "", nil
	case kind == "Equal":
		kind = "Is"
	case kind != "HasPrefix" && kind != "HasSuffix", call.Args[0] != x:
		return "", nil
	}
	with = call.Args[1]
	if with == x {
		with = call.Args[0]
	}
	if c.pkg == "bytes" {
		with, _ = code.Converted(info, with)
	}
	if with == nil || !c.constant(with) {
		return "", nil
	}
	return kind, with
}

// switches reports whether all cases of a switch over the text are constants.
func (c *folding) switches(sw *ast.SwitchStmt) bool {
	if sw.Init != nil && c.v == nil && !c.steady() {
		return false
	}
	for _, s := range sw.Body.List {
		for _, x := range s.(*ast.CaseClause).List {
			if !c.constant(x) || c.fn.File.Commented(x) {
				return false
			}
		}
	}
	return true
}

// rewrite makes the edits: the text stays as it was, and the helpers answer.
func (c *folding) rewrite() ([]model.Edit, *prove.Reason) {
	f, p := c.fn.File, c.p
	var edits []model.Edit
	put := func(from, to token.Pos, text string) {
		edits = append(edits, p.Put(f, from, to, text))
	}
	q := p.Qualifier(f, c.fn.Decl.End(), c.pkg)
	if q == "" {
		return nil, prove.Refusef("package %s has another name outside the function", c.pkg)
	}
	text := p.Source(f, c.call.Args[0])
	if c.v != nil {
		put(c.call.Pos(), c.call.End(), text)
		text = c.v.Name()
	}
	declared, names := "", map[string]string{}
	ask := func(use foldUse, of string, with ast.Expr) string {
		if names[use.kind] == "" {
			declared += p.Declare(f, func(i int) (string, []string) {
				names[use.kind] = prove.Numbered(c.stem()+use.kind, i)
				return c.helper(use.kind, names[use.kind], q), []string{names[use.kind]}
			})
		}
		not := ""
		if use.unlike {
			not = "!"
		}
		return not + names[use.kind] + "(" + of + ", " + p.Source(f, with) + ")"
	}
	for _, use := range c.asked {
		sw, ok := use.node.(*ast.SwitchStmt)
		if !ok {
			put(use.node.Pos(), use.node.End(), ask(use, text, use.with))
			continue
		}
		of, head := text, ""
		if c.v == nil && !c.steady() {
			of = code.FreeLocal(c.fn.Decl, "text")
			head = of + " := " + text + "; "
		}
		put(sw.Tag.Pos(), sw.Tag.End(), strings.TrimSuffix(head, " "))
		for _, s := range sw.Body.List {
			for _, x := range s.(*ast.CaseClause).List {
				put(x.Pos(), x.End(), ask(use, of, x))
			}
		}
	}
	if declared == "" {
		gone, ok := p.Reimport(f, c.call.Pos(), nil, c.pkg, c.gone()...)
		if !ok {
			return nil, prove.Refusef("the import of %s cannot be dropped in %s", c.pkg, f.Name)
		}
		return append(edits, gone...), nil
	}
	return append(edits, p.Below(c.fn, declared)), nil
}

// steady reports whether the cases of a switch read the same variable again.
func (c *folding) steady() bool {
	v := code.Var(c.fn.Info(), c.call.Args[0])
	return code.Local(v) && !code.AddressTaken(c.fn.Info(), c.fn.Decl.Body, v)
}

// gone returns the names of the package that the edits take out.
func (c *folding) gone() []ast.Node {
	nodes := []ast.Node{c.call.Fun}
	for _, use := range c.asked {
		switch at := use.node.(type) {
		case *ast.CallExpr:
			nodes = append(nodes, at.Fun)
		case *ast.BinaryExpr:
			if use.kind == "Same" {
				nodes = append(nodes, ast.Unparen(at.Y).(*ast.CallExpr).Fun)
			}
		}
	}
	return nodes
}

func (c *folding) stem() string {
	stem := strings.ToLower(strings.TrimPrefix(c.to, "To"))
	if c.pkg == "bytes" {
		stem += "Bytes"
	}
	return stem
}

// The helpers go through what both texts have, from the front or the end. Up to there all bytes
// were in ASCII and alike: the first byte that differs decides, as does the end of one of them.
var foldHelpers = map[string]string{
	"Is": `for i := 0; i < len(s); i++ {
		c := s[i]
		FOLD
		if i == len(want) || c != want[i] {
			return false
		}
	}
	return len(s) == len(want)`,
	"HasPrefix": `for i := 0; i < len(want); i++ {
		if i == len(s) {
			return false
		}
		c := s[i]
		FOLD
		if c != want[i] {
			return false
		}
	}
	return true`,
	"HasSuffix": `for i := 1; i <= len(want); i++ {
		if i > len(s) {
			return false
		}
		c := s[len(s)-i]
		FOLD
		if c != want[len(want)-i] {
			return false
		}
	}
	return true`,
	"Same": `for i := 0; i < len(s) && i < len(want); i++ {
		c, d := s[i], want[i]
		if c|d >= 0x80 {
			return WHOLE
		}
		if 'FROM' <= c && c <= 'UPTO' {
			c STEP 'a' - 'A'
		}
		if 'FROM' <= d && d <= 'UPTO' {
			d STEP 'a' - 'A'
		}
		if c != d {
			return false
		}
	}
	return len(s) == len(want)`,
}

const foldByte = `switch {
		case c >= 0x80:
			return WHOLE
		case 'FROM' <= c && c <= 'UPTO':
			c STEP 'a' - 'A'
		}`

// helper declares what answers one kind of question.
func (c *folding) helper(kind, name, q string) string {
	folded, params := q+"."+c.to+"(s)", "s, want string"
	if c.pkg == "bytes" {
		folded = "string(" + folded + ")"
		params = "s []byte, want string"
	}
	whole := folded + " == want"
	switch kind {
	case "Same":
		whole = q + "." + c.to + "(s) == " + q + "." + c.to + "(want)"
	case "HasPrefix", "HasSuffix":
		whole = q + "." + kind + "(" + q + "." + c.to + "(s), want)"
		if c.pkg == "bytes" {
			whole = q + "." + kind + "(" + q + "." + c.to + "(s), []byte(want))"
		}
	}
	from, upto, step := "A", "Z", "+="
	if c.to == "ToUpper" {
		from, upto, step = "a", "z", "-="
	}
	body := strings.NewReplacer("FROM", from, "UPTO", upto, "STEP", step, "WHOLE", whole).Replace(strings.ReplaceAll(foldHelpers[kind], "FOLD", foldByte))
	return fmt.Sprintf("// %s reports whether %s. It makes no new text where s is in ASCII.\nfunc %s(%s) bool {\n\t%s\n}\n\n", name, whole, name, params, body)
}
