// Package clientpercall finds an http.Client that is made for one call and
// dropped.
package clientpercall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "clientpercall",
	Title: "http.Client made for one call and dropped",
	IDs:   []string{"C11"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.B,
	Why: "A shared client is tidier, but a client is a handful of fields. One without a Transport uses http.DefaultTransport, whose connections all " +
		"clients share. So nothing is dialled anew, and no cost was measured: 0.99 times, 73 allocations against 72. A Transport per call does cost, " +
		"which is the rule transportpercall.",
	WhenNot: "A field depends on the call, by a parameter or variable (a timeout, a cookie jar, a redirect policy), the client is returned, stored or passed on, or the code runs at " +
		"start-up only. A client with a Transport is not this rule's.",
	Gap: "The fix declares a package variable with the same fields; code that changes http.DefaultTransport, as tests do, still reaches it. The gain is " +
		"one small object per call at most, and none where the compiler keeps the client on the stack.",
	Signature: "none that stands out; connections are shared already",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkStatus", Metric: "cpu",
		Claimed: "a client per call defeats connection reuse and adds handshakes",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	obj := p.Index.Object("net/http", "Client")
	if obj == nil {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	vars := code.NewPackageVars(p.Pass)
	for _, use := range p.Index.Uses(obj) {
		if use.ParentEdgeKind() != edge.SelectorExpr_Sel {
			continue
		}
		switch of := use.Parent(); of.ParentEdgeKind() {
		case edge.CompositeLit_Type:
			look(p, calls, vars, of.Parent())
		case edge.ValueSpec_Type:
			if spec := of.Parent().Node().(*ast.ValueSpec); len(spec.Names) == 1 && len(spec.Values) == 0 {
				zero(p, calls, of.Parent(), spec.Names[0])
			}
		case edge.CallExpr_Args:
			call := of.Parent().Node().(*ast.CallExpr)
			if code.IsBuiltin(p.TypesInfo, call, "new") && drops(p, of.Parent()) {
				report(p, calls, of.Parent())
			}
		}
	}
}

// zero reports a local var c http.Client that only sends requests.
func zero(p *rule.Pass, calls *callers.Callers, spec inspector.Cursor, name *ast.Ident) {
	if v, ok := p.TypesInfo.Defs[name].(*types.Var); ok && code.Local(v) && sends(p, v) {
		report(p, calls, spec)
	}
}

// report reports a client at cur that serves the requests of its function only.
func report(p *rule.Pass, calls *callers.Callers, cur inspector.Cursor) {
	if decl, f := code.Decl(p.TypesInfo, cur); decl != nil && !calls.OnlyAtStart(f) {
		p.Report(finding(cur.Node()))
	}
}

func finding(n ast.Node) rule.Finding {
	return rule.Finding{
		Pos: n.Pos(), End: n.End(), Class: rule.N,
		Message: "this http.Client serves one call; its connections are http.DefaultTransport's, so that only the small object could be saved by sharing it",
	}
}

// look reports a client literal that serves requests of its function only.
func look(p *rule.Pass, calls *callers.Callers, vars *code.PackageVars, cur inspector.Cursor) {
	lit := cur.Node().(*ast.CompositeLit)
	decl, f := code.Decl(p.TypesInfo, cur)
	if decl == nil || calls.OnlyAtStart(f) || !stateless(lit) {
		return
	}
	dep := code.DependsAt(p.Index, p.TypesInfo, cur)
	cur = code.WithUnary(cur)
	fixed := dep == code.OnNothing
	for at, call := range code.Wrapped(p.Index, p.TypesInfo, cur) {
		same := fixed || decl.Recv == nil && !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return code.Depends(p.TypesInfo, x) != code.OnNothing })
		if same && drops(p, at) {
			report(p, calls, at)
		}
	}
	if dep == code.OnLocals || !drops(p, cur) {
		return
	}
	x := cur.Node().(ast.Expr)
	finding := finding(x)
	if fixed && !code.MentionsOwn(p.TypesInfo, p.Pkg, lit) && vars.AfterInit(calls, f) && !adjusted(p, cur) {
		name := vars.Name("sharedClient")
		finding.Class = rule.B
		finding.Fixes = []analysis.SuggestedFix{{Message: "Share one client", TextEdits: []analysis.TextEdit{
			vars.Declare(decl, "// "+name+" sends the requests of "+f.Name()+".\nvar "+name+" = &"+p.Source(lit)),
			{Pos: x.Pos(), End: x.End(), NewText: []byte(name)},
		}}}
	}
	p.Report(finding)
}

// stateless reports whether the literal has named fields, and no
// transport or jar among them.
func stateless(lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if id, ok := kv.Key.(*ast.Ident); !ok || id.Name == "Transport" || id.Name == "Jar" {
			return false
		}
	}
	return true
}

// drops reports whether a function sends requests with the client that the
// expression at cur makes, and does nothing else with it.
func drops(p *rule.Pass, cur inspector.Cursor) bool {
	if request(cur) {
		return true
	}
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return false
	}
	return sends(p, p.TypesInfo.Defs[assign.Lhs[0].(*ast.Ident)])
}

// sends reports whether all that is done with a client is to send requests.
func sends(p *rule.Pass, client types.Object) bool {
	sent := false
	for _, at := range p.Index.Uses(client) {
		if !request(at) && !adjusts(p, at) {
			return false
		}
		sent = sent || request(at)
	}
	return sent
}

// adjusts reports whether the client at cur gets a field that no parameter or variable of the
// function decides.
func adjusts(p *rule.Pass, cur inspector.Cursor) bool {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok || cur.Parent().ParentEdgeKind() != edge.AssignStmt_Lhs || sel.Sel.Name == "Transport" || sel.Sel.Name == "Jar" {
		return false
	}
	assign := cur.Parent().Parent().Node().(*ast.AssignStmt)
	return len(assign.Rhs) == 1 && code.DependsAt(p.Index, p.TypesInfo, cur.Parent().Parent().ChildAt(edge.AssignStmt_Rhs, 0)) != code.OnLocals
}

// adjusted reports whether the client that the expression at cur makes gets fields later.
func adjusted(p *rule.Pass, cur inspector.Cursor) bool {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	return ok && slices.ContainsFunc(p.Index.Uses(p.TypesInfo.ObjectOf(assign.Lhs[0].(*ast.Ident))), func(at inspector.Cursor) bool { return !request(at) })
}

// request reports whether the expression at cur is the client of a request.
func request(cur inspector.Cursor) bool {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok || cur.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	switch sel.Sel.Name {
	case "Do", "Get", "Head", "Post", "PostForm":
		return true
	}
	return false
}
