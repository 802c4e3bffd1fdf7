// Package initwork finds I/O and long loops in init functions and in the values of
// package variables.
package initwork

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "initwork",
	Title: "I/O or heavy work in init, or in variables of a package",
	IDs:   []string{"C41"}, Seeds: []string{"000", "001"},
	Tier: rule.Special, Fix: rule.N,
	Why: "Every start of every program that imports the package pays for it: tests, tools and health checks too. Packages are initialised one after the " +
		"other, before main begins. sync.OnceValues, or a function that main calls, pays when it is needed, and can return an error.",
	WhenNot: "It is a registry, or embedded data that is small. It is a program whose every run needs it: then the work is only moved.",
	Gap: "The first use is slower, and a mistake shows there instead of at the start. The rule sees I/O through static calls, and loops whose number of " +
		"iterations is constant: what is done for each file of an embedded tree it does not see.",
	Signature: "runtime.doInit1 in CPU profiles of the start; GODEBUG=inittrace=1 prints the time and the allocations of each package",
	Evidence: &rule.Evidence{
		Exempt: "the cost is paid before a benchmark begins, and without it is paid by the first use",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

func run(p *rule.Pass) {
	s := starter{p, p.ResultOf[effects.Analyzer].(*effects.Effects)}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil), (*ast.ValueSpec)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" && n.Body != nil {
				s.look(cur.ChildAt(edge.FuncDecl_Body, -1))
			}
		case *ast.ValueSpec:
			if _, file := cur.Parent().Parent().Node().(*ast.File); file {
				s.look(cur)
			}
		}
	}
}

type starter struct {
	p   *rule.Pass
	eff *effects.Effects
}

// look reports the calls in code that runs at the start, and its loops.
func (s starter) look(at inspector.Cursor) {
	at.Inspect([]ast.Node{(*ast.CallExpr)(nil), (*ast.FuncLit)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)}, func(cur inspector.Cursor) bool {
		switch n := cur.Node().(type) {
		case *ast.FuncLit:
			return cur.ParentEdgeKind() == edge.CallExpr_Fun && !spawned(cur.Parent())
		case *ast.CallExpr:
			return !spawned(cur) && !s.costs(n)
		case ast.Stmt:
			if long(s.p.TypesInfo, n) {
				s.report(n.Pos(), n.Pos(), "a loop of many iterations")
				return false
			}
		}
		return true
	})
}

func spawned(call inspector.Cursor) bool { return call.ParentEdgeKind() == edge.GoStmt_Call }

// costs reports a call that waits for files or the network, or has a long loop.
func (s starter) costs(call *ast.CallExpr) bool {
	f := code.Callee(s.p.TypesInfo, call)
	what := ""
	switch {
	case f == nil:
		return false
	case s.eff.Waits(s.p.Index, f):
		what = fmt.Sprintf("%s, which waits for files or the network", s.p.Source(call.Fun))
	case s.eff.Of(f).Blocks:
		what = fmt.Sprintf("%s, which waits (%s)", s.p.Source(call.Fun), s.eff.Of(f).Why)
	case s.loops(f, 0):
		what = fmt.Sprintf("%s, which has a loop of many iterations", s.p.Source(call.Fun))
	default:
		return false
	}
	s.report(call.Pos(), call.End(), what)
	return true
}

func (s starter) report(pos, end token.Pos, what string) {
	who := "each program that imports the package"
	if s.p.Pkg.Name() == "main" {
		who = "the program"
	}
	s.p.Report(rule.Finding{Pos: pos, End: end, Message: who + " runs " + what + ", before main begins"})
}

// loops reports whether a function of the package has a long loop, or calls one that
// has.
func (s starter) loops(f *types.Func, depth int) bool {
	fd := s.p.Index.Decl(f)
	if fd == nil || depth == 3 {
		return false
	}
	return code.Here(fd.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			return s.loops(code.Callee(s.p.TypesInfo, call), depth+1)
		}
		stmt, ok := n.(ast.Stmt)
		return ok && long(s.p.TypesInfo, stmt)
	}) != nil
}

// many is how many iterations are worth a report: from there on they take more than
// some microseconds.
const many = 10_000

// long reports whether a loop has a constant number of many iterations.
func long(info *types.Info, n ast.Stmt) bool {
	var bound ast.Expr
	switch n := n.(type) {
	case *ast.ForStmt:
		if cmp, ok := n.Cond.(*ast.BinaryExpr); ok && (cmp.Op == token.LSS || cmp.Op == token.LEQ) {
			bound = cmp.Y
		}
	case *ast.RangeStmt:
		bound = n.X
	}
	if bound == nil {
		return false
	}
	k, constant := code.Int(info, bound)
	return constant && k >= many
}
