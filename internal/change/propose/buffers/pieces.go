package buffers

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Pieces cuts a string piece by piece where strings.Split made a slice of them.
var Pieces = prove.Transformation{
	Name:     "split-pieces",
	Doc:      "A string that strings.Split takes apart only to range over the pieces, or to take the first, is cut one piece at a time, without a slice of them.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "split-pieces", "BenchmarkOptions", "allocs", "no slice for the pieces", 0),
	// It looks at the calls around the target's line and those of the module's
	// frames: package strings makes the slice.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			c := &splitting{p: s.Program, fn: s.Fn, call: call}
			if !c.splits() || !c.used() {
				continue
			}
			ch, why := proposePieces(c)
			s.Add(prove.Short(types.ExprString(call))+" makes a slice that is only ranged over, or asked for its first piece", ch, why)
		}
	}),
}

// A splitting is a call of strings.Split, with what its result is used for.
type splitting struct {
	p     *prove.Program
	fn    *prove.Function
	call  *ast.CallExpr
	first []*ast.IndexExpr // asks for the first piece
	loop  *ast.RangeStmt   // over the pieces, or those behind the first
	tail  bool             // over those behind the first
	def   *ast.AssignStmt  // of the variable that holds the pieces; nil where there is none
	end   string           // the name of an index, where there is no strings.Cut yet
}

// splits reports whether the call is of strings.Split, or of SplitN for two pieces, by
// the name of the package.
func (c *splitting) splits() bool {
	info := c.fn.Info()
	if _, named := c.call.Fun.(*ast.SelectorExpr); !named {
		return false
	}
	if code.IsFunc(info, c.call, "strings", "SplitN") {
		n, ok := prove.ConstInt(info, c.call.Args[2])
		index, first := c.fn.File.Parent(c.call).(*ast.IndexExpr)
		return ok && n == 2 && first && c.isFirst(index)
	}
	return code.IsFunc(info, c.call, "strings", "Split")
}

// isFirst reports whether an index is the first one.
func (c *splitting) isFirst(e *ast.IndexExpr) bool {
	n, ok := prove.ConstInt(c.fn.Info(), e.Index)
	return ok && n == 0
}

// used reads what the pieces are used for; it is false for other uses. The first one
// alone is for rule splitcut, where there is Cut.
func (c *splitting) used() bool {
	switch up := c.fn.File.Parent(c.call).(type) {
	case *ast.IndexExpr:
		c.first = append(c.first, up)
		a, ok := c.fn.File.Parent(up).(*ast.AssignStmt)
		return ok && !c.p.GoAtLeast(c.fn.File, "go1.18") && c.isFirst(up) && len(a.Rhs) == 1 && a.Rhs[0] == ast.Expr(up) && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) && c.listed(a)
	case *ast.RangeStmt:
		c.loop = up
		return up.X == ast.Expr(c.call) && up.Tok != token.ASSIGN
	case *ast.AssignStmt:
		if up.Tok != token.DEFINE || len(up.Lhs) != 1 || len(up.Rhs) != 1 || !c.listed(up) {
			return false
		}
		c.def = up
		return c.uses(c.fn.Info().Defs[up.Lhs[0].(*ast.Ident)])
	}
	return false
}

// listed reports whether a statement stands in a list, where there is room for more.
func (c *splitting) listed(s ast.Stmt) bool { return code.StmtList(c.fn.File.Parent(s)) != nil }

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

// uses reads all uses of a variable that holds the pieces. One loop takes them.
func (c *splitting) uses(v types.Object) bool {
	if v == nil {
		return false
	}
	info, f := c.fn.Info(), c.fn.File
	for id := range prove.UsesIn(info, c.fn.Decl.Body, v) {
		switch up := f.Parent(id).(type) {
		case *ast.IndexExpr:
			if up.X != ast.Expr(id) || !c.isFirst(up) || f.AssignedTo(up) || prove.Addressed(f, up) {
				return false
			}
			c.first = append(c.first, up)
		case *ast.SliceExpr:
			from, ok := int64(0), false
			if up.Low != nil {
				from, ok = prove.ConstInt(info, up.Low)
			}
			if !ok || from != 1 || up.High != nil || !c.ranged(up) {
				return false
			}
			c.tail = true
		default:
			if !c.ranged(id) {
				return false
			}
		}
	}
	return c.loop != nil && (c.tail || len(c.first) == 0)
}

// ranged reports whether e is what the one loop ranges over, which is reached once at
// most for each time that the pieces are made.
func (c *splitting) ranged(e ast.Expr) bool {
	f := c.fn.File
	loop, ok := f.Parent(e).(*ast.RangeStmt)
	if !ok || c.loop != nil || loop.X != e || loop.Tok == token.ASSIGN ||
		f.Loop(loop) != f.Loop(c.def) || f.Literal(loop) != f.Literal(c.def) {
		return false
	}
	c.loop = loop
	return true
}

func proposePieces(c *splitting) (*model.Change, *prove.Reason) {
	f := c.fn.File
	if sep, ok := code.String(c.fn.Info(), c.call.Args[1]); !ok || sep == "" {
		return nil, prove.Refuse("the separator may be empty: " + types.ExprString(c.call.Args[1]) + " is no constant, or has no characters")
	}
	if f.Commented(c.call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	if code.Jumps(c.fn.Decl.Body) {
		return nil, prove.Refuse(c.fn.Obj.Name() + " uses goto")
	}
	edits, why := c.edits()
	if why != nil {
		return nil, why
	}
	return c.p.Change(c.fn, edits, model.Change{
		Kind:  "split-pieces",
		Title: fmt.Sprintf("%s: cut %s without a slice of the pieces in %s", f.Pkg.Name, prove.Short(types.ExprString(c.call.Args[0])), c.fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the pieces are the same, in the same order", How: "proven", Why: "a separator that is not empty is looked for from left to right either way, and a string does not change"},
			{Text: "nothing else looks at the slice of them", How: "proven", Why: "it is only ranged over once, or asked for its first piece, which is always there"},
		},
	})
}

// edits writes the change: a loop or a statement without the slice.
func (c *splitting) edits() ([]model.Edit, *prove.Reason) {
	switch {
	case c.loop == nil:
		return c.head()
	case c.def == nil && blank(c.loop.Key) && c.p.GoAtLeast(c.fn.File, "go1.24") && !recovers(c.fn.Info(), c.loop.Body):
		value := ""
		if !blank(c.loop.Value) {
			value = c.source(c.loop.Value) + " := "
		}
		return []model.Edit{c.put(c.loop.Pos(), c.loop.Body.Lbrace, fmt.Sprintf("for %srange %s ", value, c.calls("SplitSeq", c.source(c.call.Args[0]))))}, nil
	}
	if why := c.counted(); why != nil {
		return nil, why
	}
	if !c.p.GoAtLeast(c.fn.File, "go1.22") && c.keeps() {
		return nil, prove.Refuse("before Go 1.22 the loop has one variable for all pieces, and something in it may keep that")
	}
	rest, more, first := code.FirstFree(c.fn.Decl, "rest", "left"), code.FirstFree(c.fn.Decl, "more", "found"), "_"
	old := !c.p.GoAtLeast(c.fn.File, "go1.18")
	if old {
		c.end = code.FirstFree(c.fn.Decl, "end", "at", "i")
	}
	if len(c.first) > 0 || old && c.tail {
		first = code.FirstFree(c.fn.Decl, "first", "head")
	}
	if rest == "" || more == "" || first == "" || old && c.end == "" {
		return nil, prove.Refuse("no names are free for the pieces")
	}
	return c.loops(first, rest, more), nil
}

// recovers reports whether a body asks for a panic: that of a loop over a function would be another function, which was not
// deferred.
func recovers(info *types.Info, body ast.Node) bool {
	return code.Any(body, func(call *ast.CallExpr) bool { return code.Builtin(info, call) == "recover" })
}

// counted says why the index of a loop cannot be counted by the loop itself.
func (c *splitting) counted() *prove.Reason {
	if blank(c.loop.Key) {
		return nil
	}
	info, i := c.fn.Info(), c.loop.Key.(*ast.Ident)
	v, _ := info.Defs[i].(*types.Var)
	if code.WrittenIn(info, c.loop.Body, v) || code.AddressTaken(info, c.loop.Body, v) || code.Any(c.loop.Body, func(lit *ast.FuncLit) bool { return code.Mentions(info, lit, v) }) {
		return prove.Refusef("something in the loop sets %s, or keeps it", i.Name)
	}
	return nil
}

// loops writes the loop that cuts, and what stands before it.
func (c *splitting) loops(first, rest, more string) []model.Edit {
	src := c.source(c.call.Args[0])
	head, names, values, step := fmt.Sprintf("for %s ", more), fmt.Sprintf("%s, %s", rest, more), src+", true", ""
	if !blank(c.loop.Key) {
		i := c.source(c.loop.Key)
		head, names, values, step = fmt.Sprintf("for %s := 0; %s; %[1]s++ ", i, more), i+", "+names, "0, "+values, i+"++ "
	}
	var edits []model.Edit
	switch {
	case c.def == nil:
		head = fmt.Sprintf("for %s := %s; %s; %s", names, values, more, step)
	case c.tail:
		edits = append(edits, c.put(c.def.Pos(), c.def.End(), c.begin(first, rest, more, src)))
	default:
		edits = append(edits, c.put(c.def.Pos(), c.def.End(), fmt.Sprintf("%s, %s := %s, true", rest, more, src)))
	}
	for _, e := range c.first {
		edits = append(edits, c.put(e.Pos(), e.End(), first))
	}
	next, piece := "_", ""
	if !blank(c.loop.Value) {
		next = c.source(c.loop.Value)
		piece = "var " + next + " string\n"
	}
	body := fmt.Sprintf("%s{\n\t%s%s", head, piece, c.cut(next, rest, more))
	if c.p.Pos(c.loop.Body.Lbrace).Line == c.p.Pos(c.loop.Body.Rbrace).Line {
		body += "\n"
	}
	return append(edits, c.put(c.loop.Pos(), c.loop.Body.Lbrace+1, body))
}

// begin cuts the first piece off.
func (c *splitting) begin(first, rest, more, src string) string {
	if c.end == "" {
		return fmt.Sprintf("%s, %s, %s := %s", first, rest, more, c.calls("Cut", src))
	}
	return fmt.Sprintf("%s, %s, %s := %s, \"\", false\nif %s := %s; %s >= 0 {\n\t%s, %s, %s = %s[:%s], %s[%s+%d:], true\n}",
		first, rest, more, src, c.end, c.calls("Index", first), c.end, first, rest, more, first, c.end, first, c.end, c.width())
}

// cut cuts the next piece off, without strings.Cut where that is not there yet.
func (c *splitting) cut(next, rest, more string) string {
	if c.end == "" {
		return fmt.Sprintf("%s, %s, %s = %s", next, rest, more, c.calls("Cut", rest))
	}
	cut, last := fmt.Sprintf("%s = %s[%s+%d:]", rest, rest, c.end, c.width()), more+" = false"
	if next != "_" {
		cut = fmt.Sprintf("%s, %s = %s[:%s], %s[%s+%d:]", next, rest, rest, c.end, rest, c.end, c.width())
		last = fmt.Sprintf("%s, %s = %s, false", next, more, rest)
	}
	return fmt.Sprintf("if %s := %s; %s >= 0 {\n\t%s\n} else {\n\t%s\n}", c.end, c.calls("Index", rest), c.end, cut, last)
}

// width returns how long the separator is.
func (c *splitting) width() int {
	sep, _ := code.String(c.fn.Info(), c.call.Args[1])
	return len(sep)
}

// head cuts the variable off behind the first piece.
func (c *splitting) head() ([]model.Edit, *prove.Reason) {
	a := c.fn.File.Parent(c.first[0]).(*ast.AssignStmt)
	to, src := c.source(a.Lhs[0]), c.source(c.call.Args[0])
	v := code.Var(c.fn.Info(), a.Lhs[0])
	end := code.FirstFree(c.fn.Decl, "end", "at", "i")
	if end == "" || v == nil || !code.Local(v) || !types.Identical(v.Type(), types.Typ[types.String]) {
		return nil, prove.Refuse(to + " is no local string, or no name is free")
	}
	set := fmt.Sprintf("%s %s %s\n", to, a.Tok, src)
	if to == src && a.Tok == token.ASSIGN {
		set = ""
	}
	return []model.Edit{c.put(a.Pos(), a.End(), fmt.Sprintf("%sif %s := %s; %s >= 0 {\n\t%s = %s[:%s]\n}", set, end, c.calls("Index", to), end, to, to, end))}, nil
}

// keeps reports whether the body of the loop may keep the variable of the piece.
func (c *splitting) keeps() bool {
	id, ok := c.loop.Value.(*ast.Ident)
	return ok && (code.AddressTaken(c.fn.Info(), c.loop.Body, c.fn.Info().Defs[id]) || code.Any(c.loop.Body, func(*ast.FuncLit) bool { return true }))
}

func (c *splitting) put(from, to token.Pos, text string) model.Edit {
	return c.p.Put(c.fn.File, from, to, text)
}

func (c *splitting) source(n ast.Node) string { return c.p.Source(c.fn.File, n) }

// calls writes a call of package strings with the separator.
func (c *splitting) calls(name, of string) string {
	return fmt.Sprintf("%s.%s(%s, %s)", c.source(c.call.Fun.(*ast.SelectorExpr).X), name, of, c.source(c.call.Args[1]))
}
