// Package transportpercall finds an http.Transport that is made for one call
// and dropped.
package transportpercall

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "transportpercall",
	Title: "http.Transport made for one call and dropped",
	IDs:   []string{"C12"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B,
	Why: "A Transport is the pool of connections. One that is made per call dials, and shakes hands under TLS, for each request. What it dialled stays " +
		"open, with two goroutines, until the other side or IdleConnTimeout closes it.",
	WhenNot: "The transport is returned, stored or passed on, so that it may live longer. The code runs at start-up only. Something in the transport " +
		"depends on the call: a TLS configuration per tenant, a proxy, a socket path. DisableKeepAlives is set or CloseIdleConnections called, which " +
		"shows that the isolation is wanted.",
	Gap: "A shared transport may give a request the connection of an earlier one, which matters to servers that tie state to connections. The fix " +
		"declares a package variable with the same fields; its limits then hold for all calls together. Transports that constructors of other " +
		"packages make are not seen. A function that only returns a transport, and that nobody is seen to call, is of tier special. One " +
		"that depends on the fields of its method's receiver, or on what a returned literal finds around it, could be kept there; it is shown " +
		"only where a profile has it.",
	Signature: "net/http.(*Transport).dialConn and crypto/tls.(*Conn).HandshakeContext in CPU profiles; net/http.(*persistConn).readLoop growing in goroutine profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkStatus", Metric: "wall",
		Claimed: "a transport per request defeats keep-alive and pays for dialling and TLS each time",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	obj := p.Index.Object("net/http", "Transport")
	if obj == nil {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	vars := code.NewPackageVars(p.Pass)
	for _, use := range p.Index.Uses(obj) {
		lit, ok := literal(p.TypesInfo, use)
		if !ok {
			continue
		}
		look(p, calls, vars, lit, lit)
		found := false
		for at := range code.Wrapped(p.Index, p.TypesInfo, lit) {
			found = true
			look(p, calls, vars, at, lit)
		}
		if _, returned := lit.Parent().Node().(*ast.ReturnStmt); returned && !found {
			offered(p, lit)
		}
	}
	for cur := range p.Index.Method("net/http", "Transport", "Clone") {
		look(p, calls, vars, cur, cur)
	}
}

// literal returns the expression &http.Transport{…} or new(http.Transport) whose type
// is named at use.
func literal(info *types.Info, use inspector.Cursor) (inspector.Cursor, bool) {
	if use.ParentEdgeKind() != edge.SelectorExpr_Sel {
		return use, false
	}
	if use.Parent().ParentEdgeKind() == edge.CallExpr_Args {
		return use.Parent().Parent(), code.IsBuiltin(info, use.Parent().Parent().Node().(*ast.CallExpr), "new")
	}
	if use.Parent().ParentEdgeKind() != edge.CompositeLit_Type {
		return use, false
	}
	amp := use.Parent().Parent().Parent()
	u, ok := amp.Node().(*ast.UnaryExpr)
	return amp, ok && u.Op == token.AND
}

// offered reports a function that does no more than make a transport, which depends on
// nothing, for callers that are not seen.
func offered(p *rule.Pass, lit inspector.Cursor) {
	decl, f := code.Decl(p.TypesInfo, lit)
	x := lit.Node().(ast.Expr)
	if f == nil || len(decl.Body.List) != 1 || code.Depends(p.TypesInfo, x) != code.OnNothing || isolated(x) {
		return
	}
	p.Report(rule.Finding{
		Pos: x.Pos(), End: x.End(), Tier: rule.Special, Class: rule.N,
		Message: "each call of " + f.Name() + " makes an http.Transport with connections of its own; one that is kept serves all callers",
	})
}

// look reports the transport that the expression at cur makes, if the function
// uses it for requests and does nothing else with it. lit is the literal.
func look(p *rule.Pass, calls *callers.Callers, vars *code.PackageVars, cur, lit inspector.Cursor) {
	decl, f := code.Decl(p.TypesInfo, cur)
	dep, fields := code.DependsAt(p.Index, p.TypesInfo, lit), lit.Node().(ast.Expr)
	if decl == nil || calls.OnlyAtStart(f) || dep == code.OnLocals || isolated(fields) {
		return
	}
	u := &use{p: p, dep: dep}
	u.value(cur)
	if u.lost || !u.sent {
		return
	}
	x := cur.Node().(ast.Expr)
	finding := rule.Finding{
		Pos: x.Pos(), End: x.End(),
		Message: "this http.Transport serves one call and is dropped with its connections, so that each call dials anew; share one",
	}
	if u.dep == code.OnReceiver {
		finding.Tier, finding.Class = rule.Profiled, rule.N // how long the receiver lives is not known
	}
	if u.dep == code.OnNothing && x == fields && !code.MentionsOwn(p.TypesInfo, p.Pkg, x) && vars.AfterInit(calls, f) {
		name := vars.Name("sharedTransport")
		finding.Fixes = []analysis.SuggestedFix{{Message: "Share one transport", TextEdits: []analysis.TextEdit{
			vars.Declare(decl, "// "+name+" keeps the connections of "+f.Name()+".\nvar "+name+" = "+p.Source(fields)),
			{Pos: x.Pos(), End: x.End(), NewText: []byte(name)},
		}}}
	}
	p.Report(finding)
}

// isolated reports whether a literal says that connections are not kept.
func isolated(lit ast.Expr) bool { return code.Keyed(lit, "DisableKeepAlives") }

// A use is what a function does with a transport that it made.
type use struct {
	p    *rule.Pass
	dep  code.Dependence
	sent bool // a request goes through it
	lost bool // it may be kept, or the isolation is wanted
}

// requests are the methods of Client and Transport that send a request.
var requests = map[string]bool{"Do": true, "Get": true, "Head": true, "Post": true, "PostForm": true, "RoundTrip": true}

// value follows a transport, or a client that holds one, from the expression
// that makes it.
func (u *use) value(cur inspector.Cursor) {
	cur = code.WithUnary(cur)
	switch parent := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		u.assigned(parent, cur)
	case *ast.KeyValueExpr:
		key, ok := parent.Key.(*ast.Ident)
		lit := cur.Parent().Parent()
		if !ok || key.Name != "Transport" || !code.IsNamed(u.p.TypesInfo.TypeOf(lit.Node().(ast.Expr)), "net/http", "Client") {
			u.lost = true
			return
		}
		u.client(lit)
	case *ast.SelectorExpr:
		u.selected(cur.Parent(), parent)
	default:
		u.lost = true
	}
}

// client follows a client, also to the callers of a function that only makes it.
func (u *use) client(cur inspector.Cursor) {
	cur, made := code.WithUnary(cur), false
	for at := range code.Wrapped(u.p.Index, u.p.TypesInfo, cur) {
		made = true
		u.value(at)
	}
	if !made {
		u.value(cur)
	}
}

// assigned follows the variable that a value is assigned to: a local one, or
// the Transport of a local client.
func (u *use) assigned(assign *ast.AssignStmt, cur inspector.Cursor) {
	i := 0
	for i < len(assign.Rhs) && assign.Rhs[i] != cur.Node() {
		i++
	}
	if len(assign.Lhs) != len(assign.Rhs) || i == len(assign.Rhs) {
		u.lost = true
		return
	}
	lhs := assign.Lhs[i]
	if sel, ok := lhs.(*ast.SelectorExpr); ok && sel.Sel.Name == "Transport" {
		lhs = sel.X
		if !u.madeHere(lhs) {
			u.lost = true
			return
		}
	} else if assign.Tok != token.DEFINE {
		u.lost = true
		return
	}
	v := code.Var(u.p.TypesInfo, lhs)
	if !code.Local(v) {
		u.lost = true
		return
	}
	u.variable(v, assign)
}

// madeHere reports whether x is a local client that a literal made.
func (u *use) madeHere(x ast.Expr) bool {
	v := code.Var(u.p.TypesInfo, x)
	if !code.Local(v) || !code.IsNamed(v.Type(), "net/http", "Client") {
		return false
	}
	if _, isPointer := v.Type().(*types.Pointer); !isPointer {
		return true
	}
	for _, f := range u.p.Files {
		if f.FileStart > v.Pos() || v.Pos() >= f.FileEnd {
			continue
		}
		_, value := code.Origin(u.p.Index, u.p.TypesInfo, f, v)
		amp, ok := value.(*ast.UnaryExpr)
		if !ok {
			return false
		}
		_, ok = amp.X.(*ast.CompositeLit)
		return ok
	}
	return false
}

func (u *use) variable(v *types.Var, def *ast.AssignStmt) {
	for _, at := range u.p.Index.Uses(v) {
		if code.Within(def, at.Node()) {
			continue
		}
		if u.lost {
			return
		}
		u.value(at)
	}
}

// selected reads v.Name: a request, or a field that is set.
func (u *use) selected(cur inspector.Cursor, sel *ast.SelectorExpr) {
	if cur.ParentEdgeKind() == edge.CallExpr_Fun {
		u.sent = u.sent || requests[sel.Sel.Name]
		u.lost = u.lost || !requests[sel.Sel.Name]
		return
	}
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || cur.ParentEdgeKind() != edge.AssignStmt_Lhs || len(assign.Lhs) != len(assign.Rhs) || sel.Sel.Name == "DisableKeepAlives" {
		u.lost = true
		return
	}
	if t := u.p.TypesInfo.TypeOf(sel.X); code.IsNamed(t, "net/http", "Client") {
		u.lost = u.lost || sel.Sel.Name == "Transport"
		return // the client stays in the function
	}
	u.dep = max(u.dep, code.OnPackage) // no fix: the literal is not all
	for i, lhs := range assign.Lhs {
		if lhs == ast.Expr(sel) {
			u.dep = max(u.dep, code.DependsAt(u.p.Index, u.p.TypesInfo, cur.Parent().ChildAt(edge.AssignStmt_Rhs, i)))
		}
	}
	u.lost = u.lost || u.dep == code.OnLocals // it depends on the call
}
