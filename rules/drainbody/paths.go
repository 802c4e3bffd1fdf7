package drainbody

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A response is one answer, in a local variable.
type response struct {
	p      *rule.Pass
	fn     ast.Node
	assign *ast.AssignStmt
	resp   *types.Var

	closes []closing
	reads  []ast.Node // what looks at the body, or hands the response on
	writes []ast.Node // other assignments to the variable
}

// A closing is one Body.Close.
type closing struct {
	call     *ast.CallExpr
	cur      inspector.Cursor
	deferred *ast.DeferStmt // which calls it, at once or in its literal
}

// An unread is a path on which nobody reads the body.
type unread struct {
	close closing
	at    token.Pos // where the path ends
	some  bool      // other paths read
}

// headers are what one can ask of a response without its body.
var headers = map[string]bool{
	"StatusCode": true, "Status": true, "Header": true, "Proto": true, "ProtoMajor": true, "ProtoMinor": true, "ContentLength": true, "Request": true,
	"TLS": true, "Trailer": true, "Uncompressed": true, "TransferEncoding": true, "Close": true, "Cookies": true, "Location": true, "ProtoAtLeast": true,
}

// read sorts the uses of the variable; false if the body may be read in a way
// that the paths do not show.
func (r *response) read() bool {
	for _, cur := range r.p.Index.Uses(r.resp) {
		if cur.Node() == r.assign.Lhs[0] {
			continue
		}
		if a, ok := cur.Parent().Node().(*ast.AssignStmt); ok && cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			r.writes = append(r.writes, a)
			continue
		}
		if cmp, ok := cur.Parent().Node().(*ast.BinaryExpr); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
			continue
		}
		sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
		if ok && headers[sel.Sel.Name] {
			continue
		}
		if ok && sel.Sel.Name == "Body" {
			if done, known := r.body(cur.Parent()); !known {
				return false
			} else if done {
				continue
			}
		}
		r.reads = append(r.reads, cur.Node())
	}
	return true
}

// body reads one mention of the body: done if it closes it or compares it.
func (r *response) body(sel inspector.Cursor) (done, known bool) {
	if cmp, ok := sel.Parent().Node().(*ast.BinaryExpr); ok && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
		return true, true
	}
	call, ok := sel.Parent().Parent().Node().(*ast.CallExpr)
	if !ok || !plainClose(r.p.TypesInfo, call, r.resp) {
		return false, true
	}
	c := closing{call: call, cur: sel.Parent().Parent()}
	for p := range sel.Enclosing((*ast.DeferStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		if p.Node() == r.fn {
			break
		}
		if d, ok := p.Node().(*ast.DeferStmt); ok {
			c.deferred = d
			break
		}
		// A literal that is deferred at once is part of its defer statement.
		if _, ok := p.Parent().Parent().Node().(*ast.DeferStmt); !ok {
			return false, false
		}
	}
	r.closes = append(r.closes, c)
	return true, true
}

// walk follows the paths from the request and returns one on which the body is
// closed but not read. A defer counts where it is met.
func (r *response) walk() *unread {
	g := code.Graph(r.p.TypesInfo, r.fn)
	if g == nil {
		return nil
	}
	w := &walker{r: r, seen: map[state]bool{}}
	for _, b := range g.Blocks {
		for i, n := range b.Nodes {
			if n == ast.Node(r.assign) {
				w.block(b, i+1, nil)
			}
		}
	}
	if w.found != nil {
		w.found.some = len(r.reads) > 0
	}
	return w.found
}

type walker struct {
	r     *response
	seen  map[state]bool
	found *unread
}

type state struct {
	block    *cfg.Block
	deferred *closing
}

func (w *walker) block(b *cfg.Block, from int, deferred *closing) {
	for _, n := range b.Nodes[from:] {
		if w.found != nil || w.ends(n) {
			return
		}
		if c := w.closes(n); c != nil {
			if c.deferred == nil {
				w.found = &unread{close: *c, at: n.Pos()}
				return
			}
			deferred = c
		}
		if ret, ok := n.(*ast.ReturnStmt); ok && deferred != nil {
			w.found = &unread{close: *deferred, at: ret.Pos()}
			return
		}
	}
	for i, s := range b.Succs {
		next := state{s, deferred}
		if !w.seen[next] && !w.skip(b, i) {
			w.seen[next] = true
			w.block(s, 0, deferred)
		}
	}
}

// ends reports whether a path need not be followed beyond a node: the body is
// read there, or the variable gets another response.
func (w *walker) ends(n ast.Node) bool {
	within := func(x ast.Node) bool { return code.Within(n, x) }
	return slices.ContainsFunc(w.r.reads, within) || slices.ContainsFunc(w.r.writes, within) || n == ast.Node(w.r.assign)
}

func (w *walker) closes(n ast.Node) *closing {
	for i, c := range w.r.closes {
		if code.Within(n, c.call) {
			return &w.r.closes[i]
		}
	}
	return nil
}

// skip reports whether the i-th way out of a block is for errors, or for
// answers without a body.
func (w *walker) skip(b *cfg.Block, i int) bool {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return false
	}
	info := w.r.p.TypesInfo
	cond, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok {
		return false
	}
	if bodiless(info, cond) {
		return i == 0 // a case of a switch on the status
	}
	cmp, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return false
	}
	taken := i == 0 == (cmp.Op == token.EQL) // X == Y holds on this way
	if bodiless(info, cmp.X) || bodiless(info, cmp.Y) {
		return taken
	}
	if !isNil(info, cmp.Y) {
		return false
	}
	if v := code.Var(info, cmp.X); v != nil && v == w.r.resp {
		return taken // no response, nothing to close
	}
	return code.IsError(info.TypeOf(cmp.X)) && !taken
}

// bodiless reports whether x is a constant status that never has a body.
func bodiless(info *types.Info, x ast.Expr) bool {
	k, ok := code.Int(info, x)
	return ok && (k == 204 || k == 304)
}

func isNil(info *types.Info, x ast.Expr) bool { return info.Types[x].IsNil() }

// fix returns the fix that reads up to the limit before the body is closed.
func (r *response) fix(c closing) []analysis.SuggestedFix {
	file := r.p.File(c.call.Pos())
	q, edits, ok := code.Import(r.p.TypesInfo, r.p.Pkg, file, c.call.Pos(), "io")
	if !ok {
		return nil
	}
	body := r.p.Source(c.call.Fun.(*ast.SelectorExpr).X)
	drain := "_, _ = " + q + ".Copy(" + q + ".Discard, " + q + ".LimitReader(" + body + ", " + limit + "))\n"
	if d := c.deferred; d != nil && d.Call == c.call {
		if len(r.writes) > 0 || r.outlives() {
			return nil // the variable may hold another response by then
		}
		text := "defer func() {\n" + drain + r.p.Source(c.call) + "\n}()"
		edits = append(edits, analysis.TextEdit{Pos: d.Pos(), End: d.End(), NewText: []byte(text)})
	} else {
		stmt, ok := code.Stmt(c.cur)
		if !ok || !first(stmt.Node(), c.call) {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: stmt.Node().Pos(), End: stmt.Node().Pos(), NewText: []byte(drain)})
	}
	return []analysis.SuggestedFix{{Message: "Read the rest, up to a limit, before closing", TextEdits: edits}}
}

// outlives reports whether the variable is declared before a loop that makes
// the request again.
func (r *response) outlives() bool {
	return r.assign.Tok != token.DEFINE || r.p.TypesInfo.Defs[r.assign.Lhs[0].(*ast.Ident)] == nil
}

// first reports whether a call is what a statement evaluates first.
func first(stmt ast.Node, call *ast.CallExpr) bool {
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		return s.X == ast.Expr(call)
	case *ast.AssignStmt:
		return len(s.Rhs) == 1 && s.Rhs[0] == ast.Expr(call)
	case *ast.ReturnStmt:
		return len(s.Results) == 1 && s.Results[0] == ast.Expr(call)
	case *ast.IfStmt:
		return s.Init != nil && first(s.Init, call)
	}
	return false
}
