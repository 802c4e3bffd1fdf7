package hints

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// checkNames are the compiler's words for its codes.
var checkNames = map[string]string{
	"isInBounds":      "Found IsInBounds",
	"isSliceInBounds": "Found IsSliceInBounds",
}

// A check is one bounds check in the source.
type check struct {
	note  model.Note
	fn    string   // symbol of the function that the line stands in
	expr  ast.Expr // the index or slice expression
	base  ast.Expr // what is indexed
	share shares   // own time of the line, where it was compiled with the check
	outer bool     // it was inlined into a loop of the module
}

// A checked is what one operand of one function costs in checks.
type checked struct {
	f      *file
	fd     *ast.FuncDecl
	loop   ast.Stmt // around all of them; nil when the function is inlined into one
	checks []check
}

// boundsChecks drafts the findings on bounds checks.
func (s *search) boundsChecks() []*draft {
	var out []*draft
	for _, g := range s.checkedOperands() {
		if d := s.boundsDraft(g); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// hotChecks returns the notes on bounds checks on lines of the profile, each
// place once.
func (s *search) hotChecks() map[line][]check {
	out := make(map[line][]check)
	for _, c := range s.hot.costs {
		if !c.Stack[0].Module {
			continue
		}
		outer := slices.ContainsFunc(c.Stack[1:physical(c.Stack, 0)+1], func(f model.Frame) bool {
			return f.Module && s.tree.inLoop(lineOf(f))
		})
		seen := make(map[model.Pos]bool)
		for _, n := range s.notes.At(chainAt(c.Stack, 0)) {
			if n.Kind != model.NoteBounds || seen[n.At()] {
				continue
			}
			seen[n.At()] = true
			at := lineOf(c.Stack[0])
			i := slices.IndexFunc(out[at], func(k check) bool { return k.note.At() == n.At() })
			if i < 0 {
				i = len(out[at])
				out[at] = append(out[at], check{note: n, fn: c.Stack[0].Func, share: make(shares)})
			}
			out[at][i].share[c.Benchmark] += c.Share
			out[at][i].outer = out[at][i].outer || outer
		}
	}
	return out
}

// checkedOperands groups the checks of hot lines by loop and operand.
func (s *search) checkedOperands() []*checked {
	groups := make(map[string]*checked)
	hot := s.hotChecks()
	for at, checks := range hot {
		f := s.tree.file(at.file)
		fd := f.funcAt(at.n)
		if fd == nil || f.info == nil {
			continue
		}
		for _, c := range checks {
			if c.share.most() < s.MinShare {
				continue
			}
			if c.expr, c.base = f.indexed(fd, c.note.At()); c.expr == nil {
				continue
			}
			loop := f.loopAround(c.expr)
			if loop == nil && !c.outer {
				continue
			}
			key := fmt.Sprint(f.Name, fd.Pos(), loopPos(loop), f.Text(c.base))
			if groups[key] == nil {
				groups[key] = &checked{f: f, fd: fd, loop: loop}
			}
			groups[key].checks = append(groups[key].checks, c)
		}
	}
	out := slices.Collect(maps.Values(groups))
	for _, g := range out {
		sorted.By(g.checks, check.compare)
	}
	slices.SortFunc(out, func(a, b *checked) int {
		return cmp.Or(cmp.Compare(a.f.Name, b.f.Name), a.checks[0].compare(b.checks[0]))
	})
	return out
}

// compare orders checks as they stand in the file: of a[i][j], that of a[i] is
// first.
func (c check) compare(o check) int {
	return cmp.Or(cmp.Compare(c.expr.Pos(), o.expr.Pos()), cmp.Compare(c.expr.End(), o.expr.End()), cmp.Compare(c.note.Message, o.note.Message))
}

func loopPos(loop ast.Stmt) token.Pos {
	if loop == nil {
		return token.NoPos
	}
	return loop.Pos()
}

// indexed returns the expression at whose bracket the compiler places a check.
func (f *file) indexed(fd *ast.FuncDecl, at model.Pos) (expr, base ast.Expr) {
	for n := range code.All[ast.Expr](fd) {
		var bracket token.Pos
		switch n := n.(type) {
		case *ast.IndexExpr:
			bracket, base = n.Lbrack, n.X
		case *ast.SliceExpr:
			bracket, base = n.Lbrack, n.X
		default:
			continue
		}
		if f.Line(bracket) == at.Line && f.Col(bracket) == at.Col {
			return n, base
		}
	}
	return nil, nil
}

func bracket(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.SliceExpr:
		return e.Lbrack
	}
	return e.Pos()
}

func (s *search) boundsDraft(g *checked) *draft {
	alts := g.alternatives()
	if len(alts) == 0 {
		return nil // nothing fits: that a check is there is no news
	}
	total, byLine := make(shares), make(map[line]bool)
	hottest := g.checks[0]
	var notes []model.Note
	for _, c := range g.checks {
		notes = append(notes, c.note)
		if c.share.most() > hottest.share.most() {
			hottest = c
		}
		at := line{g.f.Name, c.note.At().Line}
		if byLine[at] {
			continue // several on one line share its time
		}
		byLine[at] = true
		for bm, share := range c.share {
			total[bm] += share
		}
	}
	text := fmt.Sprintf("the compiler checks this index each time round, on a line with %s of the CPU time", words.Percent(hottest.share.most()))
	if n := len(g.checks); n > 1 {
		text = fmt.Sprintf("the compiler checks %d indexes of %s each time round, on lines with %s of the CPU time", n, g.f.Text(hottest.base), words.Percent(total.most()))
	}
	d := &draft{in: g.f, fd: g.fd, alts: alts, f: finding{
		Kind: BoundsCheck, At: hottest.note.At(), Func: hottest.fn, Resource: model.CPU,
		Message: checkNames[hottest.note.Message], Notes: notes, Text: text,
	}}
	d.f.warm(heat(total, total))
	return d
}

// gone checks that the compiler no longer has any of the checks.
func (g *checked) gone(edits []model.Edit) func(*escape.Notes) (string, bool) {
	return func(n *escape.Notes) (string, bool) {
		for _, c := range g.checks {
			at := g.f.Moved(bracket(c.expr), edits)
			for _, note := range n.OnLine(at.File, at.Line) {
				if note.Kind == model.NoteBounds && note.At().Col == at.Col {
					return "", false
				}
			}
		}
		return fmt.Sprintf("no %s on %s", strings.TrimPrefix(checkNames[g.checks[0].note.Message], "Found "), g.lines()), true
	}
}

func (g *checked) lines() string {
	var out []string
	for _, c := range g.checks {
		if n := fmt.Sprint(c.note.At().Line); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if len(out) == 1 {
		return "line " + out[0]
	}
	return "lines " + strings.Join(out, ", ")
}

// alternatives returns what fits the way that the operand is indexed.
func (g *checked) alternatives() []alternative {
	var out []alternative
	for _, a := range []func() (alternative, bool){g.constants, g.counted, g.bytes, g.walked} {
		if alt, ok := a(); ok {
			if len(alt.edits) > 0 {
				alt.check = g.gone(alt.edits)
			}
			out = append(out, alt)
		}
	}
	return out
}

// assigned reports whether a statement may change what an expression is: it
// assigns to a variable in it, takes the address of one, or declares one.
func (g *checked) assigned(in ast.Node, e ast.Expr) bool {
	vars := make(map[types.Object]bool)
	for id := range code.All[*ast.Ident](e) {
		if v, ok := g.f.info.Uses[id].(*types.Var); ok {
			vars[v] = true
		}
	}
	target := func(x ast.Expr) bool {
		switch x := ast.Unparen(x).(type) {
		case *ast.Ident:
			return vars[g.f.info.ObjectOf(x)]
		case *ast.SelectorExpr:
			return vars[g.f.info.Uses[x.Sel]]
		}
		return false
	}
	return code.Any(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			return vars[g.f.info.Defs[n]]
		case *ast.UnaryExpr:
			return n.Op == token.AND && target(n.X)
		}
		return slices.ContainsFunc(code.Assigned(n), target)
	})
}

// calls reports whether evaluating an expression calls something other than
// len or cap.
func calls(e ast.Expr) bool {
	return code.Any(e, func(c *ast.CallExpr) bool {
		name := escape.CalledName(c.Fun)
		return name != "len" && name != "cap"
	})
}
