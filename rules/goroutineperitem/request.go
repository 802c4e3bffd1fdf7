package goroutineperitem

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// perRequest reports a goroutine that a handler starts and leaves behind.
func perRequest(p *rule.Pass, cur inspector.Cursor) {
	fd, decl := code.Decl(p.TypesInfo, cur)
	if _, loop := code.Loop(cur); loop || decl == nil || code.Rare(p.TypesInfo, cur) || waiting(p, fd.Body, cur.Node()) {
		return
	}
	call := cur.Node().(*ast.GoStmt).Call
	var body ast.Node
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		body = lit.Body
	} else if fd := p.Index.Decl(code.Callee(p.TypesInfo, call)); fd != nil {
		body = fd.Body
	}
	if body == nil || waiting(p, body, nil) || code.Any(body, func(loop *ast.ForStmt) bool { return loop.Cond == nil }) {
		return
	}
	request := p.ResultOf[callers.Analyzer].(*callers.Callers).OnRequest(decl)
	p.Report(rule.Finding{
		Pos: cur.Node().Pos(), End: call.Fun.Pos(), If: []rule.Condition{request},
		Message: "a goroutine for each request, that the request does not wait for: their number has no bound" + callers.Known(decl, request),
	})
}

// waiting reports whether code waits for another goroutine or takes a place among a
// number of them. What a goroutine does that it starts there does not count.
func waiting(p *rule.Pass, body ast.Node, spawn ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n == spawn {
			return false
		}
		found = found || code.ByChannel(p.TypesInfo, n)
		if call, ok := n.(*ast.CallExpr); ok {
			f := code.Callee(p.TypesInfo, call)
			found = found || acquires(p.TypesInfo, call) || f != nil && code.FullName(f) == "sync.WaitGroup.Done"
		}
		return !found
	})
	return found
}
