// Package drainbody finds response bodies that are closed without being read,
// which costs the connection.
package drainbody

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "drainbody",
	Title: "response body closed without being read, so that the connection is not used again",
	IDs:   []string{"C13"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B, Until: "go1.26",
	Why: "Closing the body of an HTTP/1 response before its end closes the TCP connection with it. The next request dials anew, and shakes hands anew " +
		"under TLS. Reading the little that is left first keeps the connection. The standard library of Go 1.27 reads up to 256 KiB on Close by " +
		"itself, whatever the go line, so the rule is silent under that toolchain.",
	WhenNot: "The body is read, decoded, returned or passed on. The request may be a HEAD request, or one whose method is not known or usually has an " +
		"empty answer (PUT, PATCH, DELETE). The path is taken for an error, or for 204 and 304. The client has a transport of its own, or the request " +
		"asks for the connection to be closed. The code runs at start-up only. The answer is an event stream, which has no end to read to.",
	Gap: "With HTTP/2 the connection survives and nothing is gained. Reading takes time where the server is slow or the body long. So the fix reads 64 " +
		"KiB at most: beyond that a new connection costs less (8 MB: nine times less). The rule cannot see whether an answer has a body at all.",
	Signature: "net/http.(*Transport).dialConn and crypto/tls.(*Conn).HandshakeContext in CPU profiles, at the rate of the requests",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPing", Metric: "wall",
		Claimed: "closing a body without draining it reduces keep-alive reuse",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// limit is how much of a body the fix reads at most.
const limit = "64<<10"

func run(p *rule.Pass) {
	if !p.Index.Imports("net/http") {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for _, name := range []string{"Get", "Post", "PostForm"} {
		for cur, call := range p.Index.Calls("net/http", name) {
			look(p, calls, cur, call)
		}
		for cur, call := range p.Index.Method("net/http", "Client", name) {
			look(p, calls, cur, call)
		}
	}
	for cur, call := range p.Index.Method("net/http", "Client", "Do") {
		if hasBody(p, call) {
			look(p, calls, cur, call)
		}
	}
}

// look reports a request whose answer is closed unread on some path.
func look(p *rule.Pass, calls *callers.Callers, cur inspector.Cursor, call *ast.CallExpr) {
	for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) {
		look(p, calls, at, outer)
	}
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return
	}
	resp := code.Var(p.TypesInfo, assign.Lhs[0])
	fn, inFunc := code.Func(cur)
	_, decl := code.Decl(p.TypesInfo, cur)
	if !inFunc || !code.Local(resp) || calls.OnlyAtStart(decl) || ownTransport(p, fn.Node(), call) || stream(fn.Node()) {
		return
	}
	r := &response{p: p, fn: fn.Node(), assign: assign, resp: resp}
	if !r.read() || len(r.closes) == 0 {
		return
	}
	if unread := r.walk(); unread != nil {
		r.report(unread)
	}
}

// hasBody reports whether the request that is sent has a method that is known
// to be GET or POST, and does not ask for the connection to be closed.
func hasBody(p *rule.Pass, call *ast.CallExpr) bool {
	req := code.Var(p.TypesInfo, call.Args[0])
	if !code.Local(req) || req.Pkg() != p.Pkg {
		return false
	}
	known := false
	for _, name := range []string{"NewRequest", "NewRequestWithContext"} {
		for at, made := range p.Index.Calls("net/http", name) {
			assign, ok := at.Parent().Node().(*ast.AssignStmt)
			if !ok || code.Var(p.TypesInfo, assign.Lhs[0]) != req {
				continue
			}
			method, ok := code.String(p.TypesInfo, made.Args[len(made.Args)-3])
			if !ok || method != "GET" && method != "POST" && method != "" {
				return false
			}
			known = true
		}
	}
	return known && !fieldSet(p, req, "Method", "Close")
}

// fieldSet reports whether a field of what v points to is assigned.
func fieldSet(p *rule.Pass, v *types.Var, names ...string) bool {
	for _, cur := range p.Index.Uses(v) {
		sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			continue
		}
		assign, ok := cur.Parent().Parent().Node().(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, lhs := range assign.Lhs {
			for _, name := range names {
				if lhs == ast.Expr(sel) && sel.Sel.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// ownTransport reports whether the client is made in the function with a
// transport, whose connections nobody else uses.
func ownTransport(p *rule.Pass, fn ast.Node, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || p.TypesInfo.Selections[sel] == nil {
		return false
	}
	client := code.Var(p.TypesInfo, sel.X)
	if !code.Local(client) {
		return false
	}
	if fieldSet(p, client, "Transport") {
		return true
	}
	_, value := code.Origin(p.Index, p.TypesInfo, fn, client)
	return value != nil && code.Keyed(value, "Transport")
}

// stream reports whether a function speaks of an event stream or closes its
// connections on purpose.
func stream(fn ast.Node) bool {
	return code.Any(fn, func(lit *ast.BasicLit) bool {
		return lit.Value == `"text/event-stream"` || lit.Value == `"Connection"` || lit.Value == `"Upgrade"`
	})
}

func (r *response) report(u *unread) {
	f := rule.Finding{Pos: u.close.call.Pos(), End: u.close.call.End()}
	where := ""
	if u.some && u.close.deferred != nil {
		where = fmt.Sprintf(" on the way to line %d", r.p.Fset.Position(u.at).Line)
	}
	f.Message = fmt.Sprintf("the body of %s is closed%s without being read, and the connection with it; read up to a limit first", r.resp.Name(), where)
	f.Fixes = r.fix(u.close)
	r.p.Report(f)
}

// plainClose reports whether a call is v.Body.Close().
func plainClose(info *types.Info, call *ast.CallExpr, v *types.Var) bool {
	f := typeutil.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || f == nil || f.Name() != "Close" {
		return false
	}
	body, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	return ok && body.Sel.Name == "Body" && code.Var(info, body.X) == v
}
