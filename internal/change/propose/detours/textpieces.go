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

// TextPieces makes one string of bytes that are taken apart into strings.
var TextPieces = prove.Transformation{
	Name:     "text-pieces",
	Doc:      "Bytes that become several strings, part by part, become one string first, and package strings takes that apart.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "text-pieces", "BenchmarkNames", "allocs", "one string for all pieces", 0),
	// It looks at the lines of the target and of its module's frames, for the call and for what is made of the pieces.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, c := range cuttings(s.Program, s.Fn) {
			why := c.follow()
			if !c.covers(s.At.Line) || why == nil && !c.several(c.texts) || why != nil && c.call == nil && !c.severalTexts(c.root) {
				continue
			}
			var ch *model.Change
			if why == nil {
				ch, why = c.propose()
			}
			s.Add("parts of "+prove.Short(types.ExprString(c.src))+" become strings one by one", ch, why)
		}
	}),
}

// cuttings returns the calls that take bytes apart, and the variables of bytes, in a function.
func cuttings(p *prove.Program, fn *prove.Function) (all []*cutting) {
	for n := range code.All[ast.Expr](fn.Decl) {
		c := &cutting{reading: &reading{p: p, fn: fn, src: n}}
		switch n := n.(type) {
		case *ast.CallExpr:
			c.call = n
			if c.cuts() {
				all = append(all, c)
			}
		case *ast.Ident:
			if c.holdsBytes(n) {
				all = append(all, c)
			}
		}
	}
	return all
}

// splitters are the functions of package bytes whose twins in package strings give the same pieces.
var splitters = []string{"Split", "SplitN", "SplitAfter", "SplitAfterN", "Fields", "SplitSeq", "SplitAfterSeq", "FieldsSeq", "Lines"}

// A cutting is a call that takes bytes apart, or a variable of bytes, with what becomes of the pieces.
type cutting struct {
	*reading               // of the pieces
	call     *ast.CallExpr // nil for a variable
	stmts    []ast.Stmt    // which may use the pieces
	elements []ast.Expr    // pieces by their index
	value    ast.Expr      // what a variable is defined as, alone
	text     string        // the name of the string that is made of another variable, in front of stmts
}

// cuts reads what becomes of the pieces; it is false where that is not just ranging and indexing.
func (c *cutting) cuts() bool {
	info, f := c.fn.Info(), c.fn.File
	fn := code.Callee(info, c.call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "bytes" || !slices.Contains(splitters, fn.Name()) || len(c.call.Args) != fn.Signature().Params().Len() || code.IsNil(info, c.call.Args[0]) {
		return false
	}
	c.src = c.call.Args[0]
	whole := f.Stmt(c.call)
	list := code.StmtList(f.Parent(whole))
	from := slices.Index(list, whole)
	if _, selects := c.call.Fun.(*ast.SelectorExpr); !selects || from < 0 || fn.Signature().Recv() != nil {
		return false
	}
	c.stmts = list[from:]
	if loop, ok := whole.(*ast.RangeStmt); ok {
		return c.ranged(c.call, loop)
	}
	name, typ, value := code.Declared(whole)
	if name == nil || typ != nil || value != ast.Expr(c.call) {
		return false
	}
	c.list, _ = info.Defs[name].(*types.Var)
	for id := range prove.UsesIn(info, c.fn.Decl.Body, c.list) {
		if !c.listed(id) {
			return false
		}
	}
	return true
}

// holdsBytes reads the definition of a variable of bytes that are not made here.
func (c *cutting) holdsBytes(name *ast.Ident) bool {
	info, f := c.fn.Info(), c.fn.File
	v, ok := info.Defs[name].(*types.Var)
	if !ok || !code.Local(v) || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.Byte])) {
		return false
	}
	c.root, c.vars = v, []*types.Var{v}
	whole := f.Stmt(name)
	if code.ParameterIndex(c.fn.Obj.Signature(), v) >= 0 {
		c.stmts = c.fn.Decl.Body.List
	} else if a, ok := whole.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		list := code.StmtList(f.Parent(a))
		if from := slices.Index(list, whole); from >= 0 {
			c.stmts = list[from+1:]
		}
	}
	if len(c.stmts) == 0 {
		return false
	}
	if _, typ, value := code.Declared(whole); value != nil && typ == nil {
		if c.value = value; madeOfString(info, value) != nil || c.partOf(value) {
			return false
		}
	}
	c.text = code.FirstFree(c.fn.Decl, "text", name.Name+"Text")
	return c.text != "" && c.severalTexts(nil)
}

// severalTexts reports whether bytes become strings at several places, or repeatedly; where of is not nil, the bytes of that
// variable.
func (c *cutting) severalTexts(of *types.Var) bool {
	var texts []ast.Node
	for _, s := range c.stmts {
		for call := range code.All[*ast.CallExpr](s) {
			if _, data := code.Converted(c.fn.Info(), call); data != nil && (of == nil || code.Var(c.fn.Info(), code.RootIdent(data)) == of) {
				texts = append(texts, call)
			}
		}
	}
	return c.several(texts)
}

// partOf reports whether bytes are those of another variable, or a part of them.
func (c *cutting) partOf(e ast.Expr) bool {
	id := code.RootIdent(e)
	return id != nil && code.IsBytes(c.fn.Info().TypeOf(id))
}

// ranged reads a loop over the pieces.
func (c *cutting) ranged(over ast.Expr, loop *ast.RangeStmt) bool {
	piece := loop.Value
	if fn := code.Callee(c.fn.Info(), c.call).Name(); strings.HasSuffix(fn, "Seq") || fn == "Lines" {
		piece = loop.Key
	}
	if loop.X != over || loop.Tok != token.DEFINE {
		return false
	}
	if v := code.Var(c.fn.Info(), piece); v != nil {
		c.add(v)
	}
	c.loops = append(c.loops, loop)
	return true
}

// listed reads a use of the variable that holds all pieces.
func (c *cutting) listed(id *ast.Ident) bool {
	f := c.fn.File
	switch up := f.Parent(id).(type) {
	case *ast.CallExpr:
		return code.Builtin(c.fn.Info(), up) == "len"
	case *ast.IndexExpr:
		c.elements = append(c.elements, up)
		return up.X == ast.Expr(id)
	case *ast.RangeStmt:
		return c.ranged(id, up)
	case *ast.SliceExpr:
		loop, ok := f.Parent(up).(*ast.RangeStmt)
		return ok && up.X == ast.Expr(id) && c.ranged(up, loop)
	}
	return false
}

// covers reports whether a line takes the bytes apart, or makes a string of a part.
func (c *cutting) covers(line int) bool {
	if c.call != nil {
		return c.p.Covers(c.call, line) || c.reading.covers(line) || slices.ContainsFunc(c.elements, func(e ast.Expr) bool { return c.p.Covers(e, line) })
	}
	return code.Any(c.fn.Decl.Body, func(call *ast.CallExpr) bool {
		_, data := code.Converted(c.fn.Info(), call)
		return data != nil && c.p.Covers(call, line) && code.Any(data, c.holds)
	})
}

// follow looks at all that is done with the pieces, and at what the bytes may become meanwhile.
func (c *cutting) follow() *prove.Reason {
	for _, e := range c.elements {
		if why := c.use(e); why != nil {
			return why
		}
	}
	if why := c.reading.follow(); why != nil {
		return why
	}
	return c.stays()
}

// stays says why the bytes may be others when a piece is used last.
func (c *cutting) stays() *prove.Reason {
	info, f := c.fn.Info(), c.fn.File
	uses := func(id *ast.Ident) bool {
		v := info.Uses[id]
		return v != nil && (c.holds(id) || c.list != nil && v == c.list) && !slices.Contains(c.bare, id)
	}
	var last ast.Stmt
	var end token.Pos
	var earlier *ast.Ident // has a piece of what the bytes were in the turn before
	for id := range code.All[*ast.Ident](c.fn.Decl.Body) {
		beyond := id.Pos() < c.stmts[0].Pos() || id.End() > c.stmts[len(c.stmts)-1].End() || f.Literal(id) != f.Literal(c.stmts[0])
		if v := info.Defs[id]; beyond && v != nil && v != c.root && c.holds(id) {
			earlier = id
		}
		if !uses(id) {
			continue
		}
		if beyond {
			return prove.Refuse(id.Name + " is used where the pieces may be of other bytes")
		}
		last = f.Stmt(id)
		end = max(end, c.evaluated(id))
	}
	if last == nil {
		return prove.Refuse("nothing is made of it")
	}
	// after reports whether a call or an assignment of the last statement has all uses there in its operands.
	after := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			return slices.Contains(c.loops, n) // package bytes runs it
		case *ast.CallExpr, *ast.AssignStmt:
			if c.call != nil && n == ast.Node(c.call) {
				return true
			}
			return end == last.End() && code.Body(last) == nil && code.Within(last, n) && !code.Any(last, func(id *ast.Ident) bool { return uses(id) && !code.Within(n, id) })
		}
		return false
	}
	n := c.fn.BytesWritten(c.stmts, end, func(n ast.Node) bool {
		return c.call != nil && n == ast.Node(c.call.Args[0]) || prove.Departs(n) && !code.Any(n, uses)
	}, after)
	switch {
	case n == nil && earlier != nil:
		return prove.Refuse(earlier.Name + " may have a piece of what the bytes were before")
	case n == nil:
		return nil
	}
	return prove.Refusef("the bytes may change before the last piece is a string (%s)", c.p.Pos(n.Pos()))
}

// evaluated returns where a use is done with: at the end of its statement or of the head of that, and of the loops around it.
func (c *cutting) evaluated(id *ast.Ident) token.Pos {
	f := c.fn.File
	end := f.Stmt(id).End()
	switch s := f.Stmt(id).(type) {
	case *ast.IfStmt:
		end = s.Body.Pos()
	case *ast.SwitchStmt:
		end = s.Body.Pos()
	}
	for up := f.Parent(id); up != nil && up != f.Parent(c.stmts[0]); up = f.Parent(up) {
		if code.Body(up) != nil {
			end = max(end, up.End())
		}
	}
	return end
}

// several reports whether strings are more than one for each time that the bytes are there. Those of a branch that ends the
// function are not counted.
func (c *cutting) several(texts []ast.Node) bool {
	f := c.fn.File
	within := f.Parent(c.stmts[0])
	texts = slices.DeleteFunc(slices.Clone(texts), func(n ast.Node) bool {
		for up := f.Parent(n); up != nil && up != within; up = f.Parent(up) {
			if prove.Departs(up) {
				return true
			}
		}
		return false
	})
	return len(texts) > 1 || len(texts) == 1 && f.Loop(texts[0]) != f.Loop(c.stmts[0])
}

func (c *cutting) propose() (*model.Change, *prove.Reason) {
	info := c.fn.Info()
	switch {
	case c.call != nil:
		sel := c.call.Fun.(*ast.SelectorExpr)
		c.put(sel.X.Pos(), sel.X.End(), "strings")
		c.paths, c.bytes = []string{"strings"}, append(c.bytes, sel)
		for _, a := range c.call.Args {
			if code.IsBytes(info.TypeOf(a)) || code.IsNil(info, a) {
				c.asText(a)
			}
		}
	case c.value != nil && len(c.bare) == 0:
		c.asText(c.value)
	default:
		for _, id := range c.named {
			c.put(id.Pos(), id.End(), c.text)
		}
		c.edits = append(c.edits, c.p.Insert(c.fn.File, c.stmts[0].Pos(), c.text+" := string("+c.root.Name()+")\n"))
	}
	return c.change(model.Change{
		Kind:  "text-pieces",
		Title: fmt.Sprintf("%s: make a string of %s once in %s", c.fn.File.Pkg.Name, prove.Short(types.ExprString(c.src)), c.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the pieces say the same when they are used", How: "proven", Why: "up to the last use no code writes bytes, waits for others, or calls what is not read; nothing writes to the pieces, and nothing else gets them"},
			{Text: "package strings answers as package bytes does", How: "assumed", Why: "its documentation: the functions of the same name are the same for strings"},
			{Text: "the pieces may share the memory of the text", How: "assumed", Why: "a string does not change; where one piece is kept alone, so is the text"},
		},
	})
}

// asText makes bytes a string.
func (c *cutting) asText(e ast.Expr) {
	if code.IsNil(c.fn.Info(), e) {
		c.put(e.Pos(), e.End(), `""`)
		return
	}
	if conv := madeOfString(c.fn.Info(), e); conv != nil {
		c.put(conv.Pos(), conv.Args[0].Pos(), "")
		c.put(conv.Args[0].End(), conv.End(), "")
		return
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		if s, ok := constantBytes(c.fn.Info(), lit); ok {
			c.put(e.Pos(), e.End(), strconv.Quote(s))
			return
		}
	}
	c.put(e.Pos(), e.Pos(), "string(")
	c.put(e.End(), e.End(), ")")
}

// constantBytes returns what a literal of constant bytes says.
func constantBytes(info *types.Info, lit *ast.CompositeLit) (string, bool) {
	var b []byte
	for _, e := range lit.Elts {
		n, ok := prove.ConstInt(info, e)
		if !ok {
			return "", false
		}
		b = append(b, byte(n))
	}
	return string(b), true
}
