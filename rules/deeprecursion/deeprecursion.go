// Package deeprecursion finds recursion whose depth the data decides, on goroutines that
// are new.
package deeprecursion

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "deeprecursion",
	Title: "deep recursion in fresh goroutines",
	IDs:   []string{"C48"}, Seeds: []string{"001"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "A goroutine starts with a small stack, and copies it each time it doubles. One that is used again has grown already: a few that take the work in " +
		"turn pay once. A loop with a stack of its own needs no growth.",
	WhenNot: "The depth is small: below sixteen levels, or halved at each. The goroutine lives on. The function repeats itself after an error only, or " +
		"compares its depth with a limit.",
	Gap: "The runtime starts goroutines with what they needed on average, so that the cost falls where all are alike. Keep goroutines before you " +
		"rewrite: recursion is easier to read. The rule sees functions that call themselves, and pairs that call each other.",
	Signature: "runtime.morestack, runtime.newstack and runtime.copystack in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkDepths", Metric: "cpu",
		Claimed: "a parser that recurses 60 levels deep spends 12 % in runtime.morestack",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	fresh := started(p, calls)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncLit)(nil)) {
		literal(p, calls, cur)
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		fd := cur.Node().(*ast.FuncDecl)
		f, ok := p.TypesInfo.Defs[fd.Name].(*types.Func)
		if !ok {
			continue
		}
		if at, call := again(p, cur, f); call != nil {
			finding := rule.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: f.Name() + " calls itself as deep as the data goes, and a new goroutine copies its stack each time that doubles",
			}
			if !fresh[rule.FuncID(f)] && !counts(p.TypesInfo, fd, call) {
				request := calls.OnRequest(f)
				finding.If, finding.Message = []rule.Condition{request}, finding.Message+callers.Known(f, request)
			}
			if !code.Rare(p.TypesInfo, at) && !limited(p.TypesInfo, fd.Type, fd.Body) {
				p.Report(finding)
			}
		}
	}
}

// literal reports a function literal that calls itself by the variable that holds it, in
// a goroutine of its own or for a request.
func literal(p *rule.Pass, calls *callers.Callers, cur inspector.Cursor) {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 {
		return
	}
	v, lit := code.Var(p.TypesInfo, assign.Lhs[0]), cur.Node().(*ast.FuncLit)
	call := code.Here(lit.Body, func(call *ast.CallExpr) bool {
		return v != nil && code.Var(p.TypesInfo, call.Fun) == v && !halves(p.TypesInfo, call)
	})
	if call == nil || limited(p.TypesInfo, lit.Type, lit.Body) {
		return
	}
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(),
		Message: v.Name() + " calls itself as deep as the data goes, and a new goroutine copies its stack each time that doubles",
	}
	spawned := spawns(cur) || slices.ContainsFunc(p.Index.Uses(v), func(use inspector.Cursor) bool {
		return !code.Within(lit, use.Node()) && spawns(use)
	})
	if _, fn := code.Decl(p.TypesInfo, cur); !spawned {
		request := calls.OnRequest(fn)
		f.If, f.Message = []rule.Condition{request}, f.Message+callers.Known(fn, request)
	}
	p.Report(f)
}

// spawns reports whether a place is part of a go statement.
func spawns(cur inspector.Cursor) bool {
	for range cur.Enclosing((*ast.GoStmt)(nil)) {
		return true
	}
	return false
}

// again returns the first call in a function of itself, or of one that calls it.
func again(p *rule.Pass, decl inspector.Cursor, f *types.Func) (at inspector.Cursor, call *ast.CallExpr) {
	for cur := range decl.Preorder((*ast.CallExpr)(nil)) {
		n := cur.Node().(*ast.CallExpr)
		callee := code.Callee(p.TypesInfo, n)
		if callee == nil || callee.Pkg() != p.Pkg || halves(p.TypesInfo, n) || code.Deferred(cur) {
			continue
		}
		if callee.Origin() == f || calls(p, callee, f) {
			return cur, n
		}
	}
	return decl, nil
}

// calls reports whether a function of the package calls another.
func calls(p *rule.Pass, from, to *types.Func) bool {
	fd := p.Index.Decl(from)
	return fd != nil && code.Here(fd.Body, func(call *ast.CallExpr) bool {
		f := code.Callee(p.TypesInfo, call)
		return f != nil && f.Origin() == to
	}) != nil
}

// halves reports whether a call goes on with a part of what there is, whose size is
// computed: the depth grows with the logarithm then.
func halves(info *types.Info, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		return code.Any(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				return n.Op == token.QUO || n.Op == token.SHR
			case *ast.SliceExpr:
				return !fixed(info, n.Low) || !fixed(info, n.High)
			}
			return false
		})
	})
}

func fixed(info *types.Info, x ast.Expr) bool { return x == nil || info.Types[x].Value != nil }

// counts reports whether a function passes its depth on: a parameter plus one, which is
// no place in something.
func counts(info *types.Info, fd *ast.FuncDecl, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		sum, ok := ast.Unparen(arg).(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			return false
		}
		k, constant := code.Int(info, sum.Y)
		v := code.Var(info, sum.X)
		return constant && k == 1 && v != nil && code.Declares(fd.Type, v) && !indexes(info, fd, v)
	})
}

func indexes(info *types.Info, fd *ast.FuncDecl, v *types.Var) bool {
	return code.Any(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			return code.Mentions(info, n.Index, v)
		case *ast.SliceExpr:
			return code.Mentions(info, n, v)
		}
		return false
	})
}

// limited reports whether a parameter that is a number is compared with a constant
// or a limit by name, and the function leaves then.
func limited(info *types.Info, typ *ast.FuncType, body *ast.BlockStmt) bool {
	return code.Here(body, func(n *ast.IfStmt) bool {
		cmp, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
		if !ok || !code.Departs(n.Body) || cmp.Op != token.GTR && cmp.Op != token.GEQ {
			return false
		}
		v := code.Var(info, cmp.X)
		return v != nil && code.Declares(typ, v) && !code.Any(cmp.Y, func(*ast.CallExpr) bool { return true })
	}) != nil
}

// started returns the functions that run on goroutines which the package starts, by
// [rule.FuncID].
func started(p *rule.Pass, calls *callers.Callers) map[string]bool {
	fresh := map[string]bool{}
	var todo []string
	for cur := range p.Index.Inspect.Root().Preorder((*ast.GoStmt)(nil)) {
		for call := range code.All[*ast.CallExpr](cur.Node()) {
			if f := code.Callee(p.TypesInfo, call); f != nil && f.Pkg() == p.Pkg {
				todo = append(todo, rule.FuncID(f))
			}
		}
	}
	callees := map[string][]string{}
	for _, e := range calls.Edges {
		callees[e.From] = append(callees[e.From], e.To)
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !fresh[id] {
			fresh[id] = true
			todo = append(todo, callees[id]...)
		}
	}
	return fresh
}
