package cold

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ReadyFirst tries the other cases of a select before it makes the timer that ends the wait.
var ReadyFirst = prove.Transformation{
	Name:     "ready-first",
	Doc:      "A timer is made for a select that waits for something else as well. The other cases are tried first, without a timer.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "ready-first", "BenchmarkTake", "allocs", "no timer where a token is there", 0),
	// It looks at the timers on the target's line.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if w := waitOf(s.Program, s.Fn, call); w != nil {
				c, why := proposeReadyFirst(w)
				s.Add("the timer is made before it is known whether there is anything to wait for", c, why)
			}
		}
	}),
}

// mostTwice is how many lines of a select are written twice at most.
const mostTwice = 16

// A wait is a select with a timer of its own.
type wait struct {
	p     *prove.Program
	fn    *prove.Function
	timer *types.Var // nil where time.After makes it in the case
	span  ast.Expr   // how long it waits
	stmts []ast.Stmt // from the one that makes the timer to the select, and a Stop behind it
	sel   *ast.SelectStmt
	other []*ast.CommClause // the cases but the timer's
}

// waitOf reads a call of time.NewTimer, with the select below it, or of time.After in a case; nil for other calls.
func waitOf(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *wait {
	w, info := &wait{p: p, fn: fn}, fn.Info()
	callee := code.Callee(info, call)
	if callee == nil || len(call.Args) != 1 {
		return nil
	}
	w.span = call.Args[0]
	switch code.CallName(callee) {
	case "time.NewTimer":
		a, ok := fn.File.Parent(call).(*ast.AssignStmt)
		if !ok {
			return nil
		}
		list := code.StmtList(fn.File.Parent(a))
		if a.Tok != token.DEFINE || len(a.Lhs) != 1 || list == nil {
			return nil
		}
		w.timer, _ = info.Defs[a.Lhs[0].(*ast.Ident)].(*types.Var)
		if w.timer == nil || !w.below(list[slices.Index(list, ast.Stmt(a)):]) {
			return nil
		}
	case "time.After":
		for n := fn.File.Parent(call); n != nil && w.sel == nil; n = fn.File.Parent(n) {
			if s, ok := n.(*ast.SelectStmt); ok {
				w.sel, w.stmts = s, []ast.Stmt{s}
			}
		}
	}
	if w.sel == nil || code.StmtList(fn.File.Parent(w.sel)) == nil || !w.cases(call) {
		return nil
	}
	return w
}

// below finds the select in the statements from the timer's on: only calls that are deferred may stand before it.
func (w *wait) below(list []ast.Stmt) bool {
	for i, s := range list[1:] {
		switch s := s.(type) {
		case *ast.DeferStmt:
			if lit, ok := s.Call.Fun.(*ast.FuncLit); ok && len(s.Call.Args) == 0 && !code.Mentions(w.fn.Info(), lit, w.timer) || w.stops(s.Call) {
				continue
			}
		case *ast.SelectStmt:
			w.sel, w.stmts = s, list[:i+2]
			if rest := list[i+2:]; len(rest) > 0 && w.stop(rest[0]) {
				w.stmts = list[:i+3]
			}
			return true
		}
		return false
	}
	return false
}

// cases splits the cases, and reports whether one of them alone is for the timer and there is no default.
func (w *wait) cases(call *ast.CallExpr) bool {
	info, timers := w.fn.Info(), 0
	for _, s := range w.sel.Body.List {
		c := s.(*ast.CommClause)
		e, ok := c.Comm.(*ast.ExprStmt)
		recv, isRecv := (*ast.UnaryExpr)(nil), false
		if ok {
			recv, isRecv = ast.Unparen(e.X).(*ast.UnaryExpr)
		}
		switch {
		case c.Comm == nil:
			return false
		case isRecv && w.timer == nil && ast.Unparen(recv.X) == ast.Expr(call), isRecv && w.isChannel(info, recv.X):
			timers++
		default:
			w.other = append(w.other, c)
		}
	}
	return timers == 1 && len(w.other) > 0
}

// isChannel reports whether an expression is the channel of the timer.
func (w *wait) isChannel(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && w.timer != nil && sel.Sel.Name == "C" && prove.IsUseOf(info, sel.X, w.timer)
}

// stops reports whether a call stops the timer.
func (w *wait) stops(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && w.timer != nil && sel.Sel.Name == "Stop" && prove.IsUseOf(w.fn.Info(), sel.X, w.timer)
}

// stop reports whether a statement only stops the timer.
func (w *wait) stop(s ast.Node) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && w.stops(call)
}

func proposeReadyFirst(w *wait) (*model.Change, *prove.Reason) {
	if why := w.site(); why != nil {
		return nil, why
	}
	done, why := w.channels()
	if why != nil {
		return nil, why
	}
	if why := w.later(); why != nil {
		return nil, why
	}
	text, why := w.tried()
	if why != nil {
		return nil, why
	}
	obligations := []model.Obligation{
		{Text: "any case may be taken that is ready", How: "proven", Why: "the language chooses one at random where several are; the first select takes one that is ready, and the second waits as before"},
		{Text: "how long it waits is the same later", How: "proven", Why: "it reads nothing that the cases change, and does nothing"},
		{Text: "asking for the channels twice does nothing", How: "proven", Why: "they are variables and fields"},
	}
	if done {
		obligations[2].How, obligations[2].Why = "assumed", "context.Context: successive calls to Done return the same value"
	}
	return w.p.Change(w.fn, w.edits(text), model.Change{
		Kind:        "ready-first",
		Title:       fmt.Sprintf("%s: make the timer of %s only where it has to wait", w.fn.File.Pkg.Name, w.fn.Obj.Name()),
		Obligations: obligations,
	})
}

// edits puts the timer and the select into the default of the first. What is deferred between them stays before both.
func (w *wait) edits(text string) []model.Edit {
	p, f := w.p, w.fn.File
	edits := []model.Edit{p.Insert(f, w.stmts[len(w.stmts)-1].End(), "\n}")}
	at := w.stmts[0]
	if slices.ContainsFunc(w.stmts, w.foreign) {
		at = w.sel
		for _, s := range w.stmts[:slices.Index(w.stmts, ast.Stmt(w.sel))] {
			if !w.foreign(s) {
				text += p.Source(f, s) + "\n"
				edits = append(edits, p.Put(f, s.Pos(), s.End(), ""))
			}
		}
	}
	return append(edits, p.Insert(f, at.Pos(), text))
}

// foreign reports whether a statement defers what has nothing to do with the timer.
func (w *wait) foreign(s ast.Stmt) bool {
	d, ok := s.(*ast.DeferStmt)
	return ok && !w.stops(d.Call)
}

// site checks what is around the select, and that the timer is for it alone.
func (w *wait) site() *prove.Reason {
	info := w.fn.Info()
	if _, labelled := w.fn.File.Parent(w.sel).(*ast.LabeledStmt); labelled || code.Any(w.sel, func(*ast.LabeledStmt) bool { return true }) {
		return prove.Refuse("there is a label")
	}
	if w.timer == nil {
		return nil
	}
	for id := range prove.UsesIn(info, w.fn.Decl.Body, w.timer) {
		inCase := slices.ContainsFunc(w.other, func(c *ast.CommClause) bool { return code.Within(c, id) })
		near := slices.ContainsFunc(w.stmts, func(s ast.Stmt) bool { return code.Within(s, id) })
		if !near || inCase && !w.stop(w.fn.File.Stmt(id)) {
			return prove.Refusef("%s is used otherwise at %s", w.timer.Name(), w.p.Pos(id.Pos()))
		}
	}
	return nil
}

// channels says why a case cannot be asked for twice, and whether one is a context's.
func (w *wait) channels() (done bool, why *prove.Reason) {
	info := w.fn.Info()
	for _, c := range w.other {
		var channel ast.Expr
		switch s := c.Comm.(type) {
		case *ast.SendStmt:
			channel = s.Chan
			if lit, ok := s.Value.(*ast.CompositeLit); !code.Place(s.Value) && info.Types[s.Value].Value == nil && (!ok || len(lit.Elts) > 0) {
				return false, prove.Refuse(types.ExprString(s.Value) + ", which is sent, would be evaluated twice")
			}
		case *ast.ExprStmt:
			channel = ast.Unparen(s.X).(*ast.UnaryExpr).X
		case *ast.AssignStmt:
			channel = ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr).X
		}
		if call, ok := ast.Unparen(channel).(*ast.CallExpr); ok {
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if isSel && sel.Sel.Name == "Done" && code.Place(sel.X) && types.TypeString(info.TypeOf(sel.X), nil) == "context.Context" {
				done = true
				continue
			}
		}
		if !code.Place(channel) {
			return false, prove.Refuse(types.ExprString(channel) + " would be evaluated twice")
		}
	}
	return done, nil
}

// later says why how long it waits cannot be worked out later, or not at all.
func (w *wait) later() *prove.Reason {
	info := w.fn.Info()
	eval := code.Eval{Info: info, Plain: true,
		NotNil: func(x ast.Expr) bool {
			return slices.ContainsFunc(w.other, func(c *ast.CommClause) bool {
				var asked ast.Node = c.Comm
				if a, ok := c.Comm.(*ast.AssignStmt); ok {
					asked = a.Rhs[0] // what it is assigned to is evaluated where the case is taken
				}
				return code.Any(asked, func(s *ast.SelectorExpr) bool { return code.SameVariable(info, s.X, x) })
			})
		},
		Call: func(call *ast.CallExpr) code.Loss {
			if callee := code.Callee(info, call); callee != nil && slices.Contains([]string{"time.Until", "Time.Sub", "Duration.Abs"}, code.CallName(callee)) {
				return code.Loss{}
			}
			return code.Loss{Grade: code.AnyLoss, Why: types.ExprString(call) + " is a call: it may have an effect"}
		}}
	return prove.Refuse(eval.Of(w.span).Why)
}

// tried writes a select that takes what is ready, up to its default.
func (w *wait) tried() (string, *prove.Reason) {
	p, f := w.p, w.fn.File
	var text strings.Builder
	text.WriteString("select {\n")
	for _, c := range w.other {
		from, to := p.Offset(c.Pos()), p.Offset(c.End())
		at := from
		for n := range code.All[ast.Stmt](c) {
			if w.stop(n) && p.Offset(n.Pos()) >= at {
				text.WriteString(strings.TrimRight(string(f.Src[at:p.Offset(n.Pos())]), " \t\n"))
				at = p.Offset(n.End())
			}
		}
		text.Write(f.Src[at:to])
		text.WriteString("\n")
	}
	written := text.String()
	if strings.Count(written, "\n") > mostTwice {
		return "", prove.Refusef("more than %d lines would be written twice", mostTwice)
	}
	return written + "default:\n", nil
}
