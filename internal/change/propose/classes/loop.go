package classes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Loop goes over the bytes of a text instead of its runes.
var Loop = prove.Transformation{
	Name:     "byte-loop",
	Doc:      "A loop over the runes of a string that does the same for all that are not ASCII, and nothing for each of them but to leave, goes over the bytes. None has to be decoded.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "byte-loop", "BenchmarkValid", "cpu", "a byte is read where a rune was decoded", 0),
	// It looks at the loops around the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for loop := range prove.On[*ast.RangeStmt](s) {
			if l := runesOf(s.Program, s.Fn, loop); l != nil {
				c, why := l.propose()
				s.Add(prove.Short(types.ExprString(loop.X))+" is decoded rune by rune", c, why)
			}
		}
	}),
}

// A runes is a loop over the runes of a string.
type runes struct {
	p       *prove.Program
	fn      *prove.Function
	loop    *ast.RangeStmt
	r, key  *types.Var // key is nil where it has no name
	subject ast.Expr   // a use of r
	does    []ast.Stmt // for a rune that is not ASCII
}

// runesOf reads a loop whose runes have a name; nil for others.
func runesOf(p *prove.Program, fn *prove.Function, loop *ast.RangeStmt) *runes {
	info := fn.Info()
	id, ok := loop.Value.(*ast.Ident)
	if !ok || loop.Tok != token.DEFINE || !code.IsString(info.TypeOf(loop.X)) {
		return nil
	}
	l := &runes{p: p, fn: fn, loop: loop}
	l.r, _ = info.Defs[id].(*types.Var)
	if key, ok := loop.Key.(*ast.Ident); ok && key.Name != "_" {
		l.key, _ = info.Defs[key].(*types.Var)
	}
	if l.r == nil {
		return nil
	}
	if l.subject = useOf(info, loop.Body, l.r); l.subject == nil {
		return nil
	}
	return l
}

func (l *runes) propose() (*model.Change, *prove.Reason) {
	info, fn, p := l.fn.Info(), l.fn, l.p
	for _, v := range []*types.Var{l.r, l.key} {
		switch {
		case v == nil:
		case code.WrittenIn(info, l.loop.Body, v):
			return nil, prove.Refuse(v.Name() + " is written in the loop")
		case code.Any(l.loop.Body, func(f *ast.FuncLit) bool { return code.Mentions(info, f, v) }):
			return nil, prove.Refuse("a function literal uses " + v.Name())
		}
	}
	to, why := l.list(l.loop.Body.List)
	if why != nil {
		return nil, why
	}
	if to != left && to != stepped && len(l.does) > 0 {
		return nil, prove.Refusef("it does something for each rune that is not ASCII (%s)", p.Pos(l.does[0].Pos()))
	}
	head := slices.ContainsFunc(fn.File.Syntax.Comments, func(g *ast.CommentGroup) bool { return l.loop.For <= g.Pos() && g.Pos() < l.loop.X.End() })
	if head || !code.Predeclared(fn.Obj.Pkg(), l.loop.Pos(), "rune", "len") {
		return nil, prove.Refuse("there is a comment in the head of the loop, or rune or len means something else")
	}
	return p.Change(fn, l.edits(), model.Change{
		Kind:  "byte-loop",
		Title: fmt.Sprintf("%s: go over the bytes of %s in %s", fn.File.Pkg.Name, prove.Short(types.ExprString(l.loop.X)), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "a byte of ASCII is its rune", How: "proven", Why: "UTF-8 is made so, and no other rune has such a byte"},
			{Text: "all else is treated as before", How: "proven", Why: fmt.Sprintf("each condition on the way was evaluated for all %d runes from U+0080 on, U+FFFD of malformed bytes among them: they all go one way, which uses no rune and does nothing twice", unicode.MaxRune-unicode.MaxASCII)},
		},
	})
}

// An end is where statements lead for a rune that is not ASCII.
type end int

const (
	on      end = iota // to the next statement
	next               // to the next rune
	left               // out of the loop
	stepped            // out of the switch around, or else of the loop
)

// list goes the way of such a rune through statements.
func (l *runes) list(all []ast.Stmt) (end, *prove.Reason) {
	for _, s := range all {
		to, why := l.stmt(s)
		if why != nil || to != on {
			return to, why
		}
	}
	return on, nil
}

func (l *runes) stmt(s ast.Stmt) (end, *prove.Reason) {
	switch s := s.(type) {
	case *ast.IfStmt:
		is, known := l.says(s.Cond)
		switch {
		case s.Init != nil || !known:
			return on, prove.Refusef("the condition at %s is not the same for all runes that are not ASCII", l.p.Pos(s.Cond.Pos()))
		case is:
			return l.list(s.Body.List)
		case s.Else != nil:
			return l.stmt(s.Else)
		}
		return on, nil
	case *ast.BlockStmt:
		return l.list(s.List)
	case *ast.SwitchStmt:
		return l.choice(s)
	case *ast.BranchStmt:
		return l.branch(s)
	}
	if code.Mentions(l.fn.Info(), s, l.r) {
		return on, prove.Refusef("what is not ASCII is used at %s", l.p.Pos(s.Pos()))
	}
	if code.Any(s, func(b *ast.BranchStmt) bool { return b.Tok != token.BREAK || b.Label != nil }) {
		return on, prove.Refusef("the way out of the statement at %s is not followed", l.p.Pos(s.Pos()))
	}
	l.does = append(l.does, s)
	if _, returns := s.(*ast.ReturnStmt); returns {
		return left, nil
	}
	return on, nil
}

func (l *runes) branch(s *ast.BranchStmt) (end, *prove.Reason) {
	labeled, _ := l.fn.File.Parent(l.loop).(*ast.LabeledStmt)
	own := s.Label != nil && labeled != nil && labeled.Label.Name == s.Label.Name
	switch {
	case s.Tok == token.CONTINUE && (s.Label == nil || own):
		return next, nil
	case s.Tok == token.BREAK && s.Label == nil:
		return stepped, nil
	case s.Tok == token.CONTINUE, s.Tok == token.BREAK:
		return left, nil
	}
	return on, prove.Refusef("%s at %s", s.Tok, l.p.Pos(s.Pos()))
}

// choice goes into the clause that all runes beyond ASCII choose.
func (l *runes) choice(s *ast.SwitchStmt) (end, *prove.Reason) {
	why := prove.Refusef("the switch at %s does not choose the same for all runes that are not ASCII", l.p.Pos(s.Pos()))
	if s.Init != nil {
		return on, why
	}
	var body, other []ast.Stmt
	found := false
	for _, n := range s.Body.List {
		clause := n.(*ast.CaseClause)
		if clause.List == nil {
			other = clause.Body
		}
		for _, e := range clause.List {
			if s.Tag != nil {
				e = &ast.BinaryExpr{X: s.Tag, Op: token.EQL, Y: e}
			}
			is, known := l.says(e)
			if !known {
				return on, why
			}
			if is && !found {
				body, found = clause.Body, true
			}
		}
	}
	if !found {
		body = other
	}
	to, why := l.list(body)
	if to == stepped {
		to = on
	}
	return to, why
}

// says returns what a condition is for all runes that are not ASCII; known is false where it differs among them.
func (l *runes) says(cond ast.Expr) (is, known bool) {
	d := newPredicate(l.p, l.fn)
	d.subject = l.subject
	if v := d.compile(cond); v != nil {
		first := v(unicode.MaxASCII + 1)
		for r := int64(unicode.MaxASCII + 1); r <= unicode.MaxRune; r++ {
			if v(r) != first || d.panics || d.tables {
				return false, false
			}
		}
		return first == 1, true
	}
	op := isLogic(ast.Unparen(cond))
	if op == token.ILLEGAL {
		return false, false
	}
	// One that is false makes a && b false. Those before it are asked more often: they must neither act nor panic.
	eval := &code.Eval{Info: l.fn.Info(), Call: func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} }}
	for _, x := range chain(ast.Unparen(cond), op) {
		if is, known = l.says(x); known && is == (op == token.LOR) {
			return is, true
		}
		if !known && eval.Of(x) != (code.Loss{}) {
			break
		}
	}
	return false, false
}

// edits writes the loop over bytes.
func (l *runes) edits() []model.Edit {
	f, p, info := l.fn.File, l.p, l.fn.Info()
	i, text, bound := "", p.Source(f, l.loop.X), ""
	if l.key != nil {
		i = l.key.Name()
	} else {
		i = code.FreeLocal(l.fn.Decl, "i")
	}
	def := i + " := 0"
	if v := code.Var(info, l.loop.X); !code.Local(v) || code.WrittenIn(info, l.loop.Body, v) || code.Captured(f.Pkg.Index(), info, v) {
		bound = code.FreeLocal(l.fn.Decl, "text")
		def, text = i+", "+bound+" := 0, "+text, bound
	}
	at := l.loop.Body.Lbrace + 1
	return []model.Edit{
		p.Put(f, l.loop.For, l.loop.X.End(), fmt.Sprintf("for %s; %s < len(%s); %s++", def, i, text, i)),
		p.Insert(f, at, fmt.Sprintf("\n\t%s := rune(%s[%s])", l.r.Name(), text, i)),
	}
}
