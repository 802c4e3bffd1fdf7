// Package goroutineleak finds goroutines that nothing can end: that wait for a channel, or
// that do the same again and again.
package goroutineleak

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "goroutineleak",
	Title: "a goroutine waits, or works at intervals, without a way to end it",
	IDs:   []string{"C39"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "If nobody sends, the goroutine keeps its stack and all that it refers to for as long as the process lives. So does one that wakes at " +
		"intervals, or whenever something comes, for an object that is long out of use. A select that also waits for a context's Done, or a channel that is closed at the end, ends it.",
	WhenNot: "The goroutine lives as long as the process, as one that main or init starts does. The channel is closed by its owner, as in a range over it, or is itself the signal to end: " +
		"one of struct{}, a timer's, one for signals of the system.",
	Gap: "Whether the sender always sends, or closes the channel, the rule cannot see where the channel comes from outside; pawl diagnose reads " +
		"goroutineleak profiles, which prove a leak. A receive that is given up must not leave a sender behind: the rule abandonedsend.",
	Signature: "a stack in runtime.chanrecv1 whose count grows in goroutine profiles; all of it in a goroutineleak profile",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is memory that grows with each goroutine, not time",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.GoStmt)(nil)) {
		body := started(p, cur.Node().(*ast.GoStmt).Call)
		if body == nil {
			continue
		}
		at, ok := p.Index.Inspect.Root().FindNode(body)
		if !ok || stuck(p, cur, at) {
			continue
		}
		if _, f := code.Decl(p.TypesInfo, cur); f != nil && !calls.OnlyAtStart(f) {
			endless(p, cur, body)
		}
	}
}

// stuck reports the first receive of a goroutine that may wait for ever.
func stuck(p *rule.Pass, start, body inspector.Cursor) bool {
	for use := range body.Preorder((*ast.UnaryExpr)(nil)) {
		if x := use.Node().(*ast.UnaryExpr); x.Op == token.ARROW && waits(p, body, use, x.X) {
			p.Report(rule.Finding{
				Pos: x.Pos(), End: x.End(), Hot: start.Node(),
				Message: "a goroutine waits here for a value, and nothing ends it if none comes; a select with a context's Done does",
			})
			return true
		}
	}
	return false
}

// endless reports a loop of a goroutine that works for an object, at intervals or whenever
// something comes, and has no way out.
func endless(p *rule.Pass, start inspector.Cursor, body *ast.BlockStmt) {
	for _, loop := range body.List {
		turn := paced(p, loop)
		if turn == nil || leaves(p, turn) {
			continue
		}
		if v := owned(p, loop); v != nil && !lasting(p, start.Node().(*ast.GoStmt).Call, v) {
			p.Report(rule.Finding{
				Pos: loop.Pos(), End: turn.Pos(), Hot: start.Node(),
				Message: fmt.Sprintf("nothing ends this goroutine, which keeps %s for as long as the process lives; a select with a context's Done does", v.Name()),
			})
		}
	}
}

// paced returns the body of an endless loop whose turns wait for the time to pass, or for what
// comes through a channel; else nil. Nobody closes the channel of a ticker.
func paced(p *rule.Pass, loop ast.Stmt) *ast.BlockStmt {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		if loop.Cond == nil && waitsEachTurn(p, loop.Body) {
			return loop.Body
		}
	case *ast.RangeStmt:
		ch, ok := types.Unalias(p.TypesInfo.TypeOf(loop.X)).(*types.Chan)
		if v := code.Named(p.TypesInfo, loop.X); ok && v != nil && v.IsField() && code.IsNamed(ch.Elem(), "time", "Time") && v.Pkg().Path() == "time" {
			return loop.Body
		}
	}
	return nil
}

// waitsEachTurn reports whether a turn of a loop sleeps or receives.
func waitsEachTurn(p *rule.Pass, body *ast.BlockStmt) bool {
	return code.Here(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return code.IsFunc(p.TypesInfo, n, "time", "Sleep")
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	}) != nil
}

// leaves reports whether something in a loop may end it, or the goroutine.
func leaves(p *rule.Pass, body *ast.BlockStmt) bool {
	return code.Here(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return n.Tok == token.BREAK || n.Tok == token.GOTO
		case *ast.CallExpr:
			if code.IsBuiltin(p.TypesInfo, n, "panic") {
				return true
			}
			f := code.Callee(p.TypesInfo, n)
			if f == nil {
				return false // what a function value does is done in each turn
			}
			return f.Name() == "Goexit" || f.Name() == "Exit" || strings.HasPrefix(f.Name(), "Fatal") || strings.HasPrefix(f.Name(), "Panic")
		}
		return false
	}) != nil
}

// owned returns a parameter or receiver that a loop works for: it may be out of use long
// before the process ends, which a package variable is not.
func owned(p *rule.Pass, loop ast.Stmt) *types.Var {
	for id := range code.All[*ast.Ident](loop) {
		v, ok := p.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Kind() != types.ParamVar && v.Kind() != types.RecvVar || loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
			continue
		}
		if _, basic := v.Type().Underlying().(*types.Basic); !basic {
			return v
		}
	}
	return nil
}

// lasting reports whether a call gives a receiver or parameter of its function a package
// variable, which is in use for as long as the process lives.
func lasting(p *rule.Pass, call *ast.CallExpr, v *types.Var) bool {
	all := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && v.Kind() == types.RecvVar {
		all = []ast.Expr{sel.X}
	}
	return slices.ContainsFunc(all, func(x ast.Expr) bool {
		if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.AND {
			x = u.X
		}
		given := code.Var(p.TypesInfo, x)
		return given != nil && given.Kind() == types.PackageVar
	})
}

// started returns the body that a goroutine runs: of a literal, or a function of
// the package.
func started(p *rule.Pass, call *ast.CallExpr) *ast.BlockStmt {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return lit.Body
	}
	if fd := p.Index.Decl(code.Callee(p.TypesInfo, call)); fd != nil {
		return fd.Body
	}
	return nil
}

// waits reports whether a receive of a goroutine stands alone, from a channel that
// comes from outside, or from a field that the package never closes.
func waits(p *rule.Pass, body, use inspector.Cursor, x ast.Expr) bool {
	home, _ := code.Func(use)
	outer, _ := code.Func(body)
	v := code.Named(p.TypesInfo, x)
	if home.Index() != outer.Index() || v == nil || selected(use) || signals(v.Type()) || closed(p, v) {
		return false
	}
	return v.IsField() || parameter(p, body, v)
}

// selected reports whether a receive is a case of a select.
func selected(use inspector.Cursor) bool {
	for p := range use.Enclosing((*ast.CommClause)(nil)) {
		comm := p.Node().(*ast.CommClause).Comm
		return comm != nil && code.Within(comm, use.Node())
	}
	return false
}

// signals reports whether values of a channel say nothing but that something is over.
func signals(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return true
	}
	str, empty := ch.Elem().Underlying().(*types.Struct)
	return empty && str.NumFields() == 0 || code.IsNamed(ch.Elem(), "time", "Time") || code.IsNamed(ch.Elem(), "os", "Signal")
}

// closed reports whether the package closes a channel, or sends to it itself: then it
// may well see to it that a value comes.
func closed(p *rule.Pass, v *types.Var) bool {
	for _, use := range p.Index.Uses(v) {
		for around := range use.Enclosing((*ast.CallExpr)(nil), (*ast.SendStmt)(nil)) {
			switch n := around.Node().(type) {
			case *ast.SendStmt:
				if code.Within(n.Chan, use.Node()) {
					return true
				}
			case *ast.CallExpr:
				if code.IsBuiltin(p.TypesInfo, n, "close") {
					return true
				}
			}
		}
	}
	return false
}

// parameter reports whether v is a parameter, of the goroutine's function or of one
// around it.
func parameter(p *rule.Pass, body inspector.Cursor, v *types.Var) bool {
	for fn := range body.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		sig, _ := p.TypesInfo.TypeOf(name(fn.Node())).(*types.Signature)
		if code.ParameterIndex(sig, v) >= 0 {
			return true
		}
	}
	return false
}

// name returns the expression that has a function's type.
func name(fn ast.Node) ast.Expr {
	if fd, ok := fn.(*ast.FuncDecl); ok {
		return fd.Name
	}
	return fn.(*ast.FuncLit)
}
