// Package poolreset finds objects of a sync.Pool that are taken, used and put
// back without anyone resetting them.
package poolreset

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "poolreset",
	Title: "pooled object that is never reset",
	IDs:   []string{"C16"}, Seeds: []string{"000", "001"},
	Tier: rule.Always, Fix: rule.B,
	Why: "The function takes an object from a sync.Pool, appends to it, reads it and puts it back as it is. The next user reads what the last one " +
		"wrote, and the object grows with each use until a collection empties the pool.",
	WhenNot: "The object is reset, truncated, drained or overwritten anywhere in the function, it is never put back, it leaves the function, its " +
		"length is looked at first, or the type has no Reset method.",
	Gap: "Resetting changes behaviour, as intended: what an earlier user left is no longer seen. A Get and a Put in different functions are not put " +
		"together.",
	Signature: "bytes.growSlice and memmove below the writes, growing from call to call; a heap that falls at each collection only",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLines", Metric: "cpu",
		Claimed: "a pooled buffer has to be reset before it is used, or old content leaks across uses",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Method("sync", "Pool", "Get") {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || cur.ParentEdgeKind() != edge.TypeAssertExpr_X {
			continue
		}
		if t := look(p, cur.Parent(), sel.X); t != nil && t.stale() {
			t.report()
		}
		for at := range code.Wrapped(p.Index, p.TypesInfo, cur.Parent()) {
			if t := look(p, at, sel.X); t != nil && t.stale() {
				t.report()
			}
		}
	}
}

// A taken is an object that a function took from a pool.
type taken struct {
	p    *rule.Pass
	got  ast.Expr // pool.Get().(T), or a call of a function that is this alone
	pool ast.Expr
	stmt ast.Stmt // v := pool.Get().(T), or the if behind it that makes one where the pool has none
	made *ast.IfStmt
	v    *types.Var
	kind kind
}

// look returns the object that v := pool.Get().(T) or var v = … gives, or v, ok := … with an
// if behind it, or nil.
func look(p *rule.Pass, cur inspector.Cursor, pool ast.Expr) *taken {
	stmt, ok := code.Stmt(cur)
	if !ok {
		return nil
	}
	got := cur.Node().(ast.Expr)
	v := declares(p, stmt.Node(), got)
	if v == nil {
		return nil
	}
	k := kindOf(v.Type())
	if k == none {
		return nil
	}
	t := &taken{p: p, got: got, pool: pool, stmt: stmt.Node().(ast.Stmt), v: v, kind: k}
	if assign, ok := t.stmt.(*ast.AssignStmt); ok && len(assign.Lhs) == 2 {
		next, _ := stmt.NextSibling()
		if t.made = makes(p.TypesInfo, next, v, code.Var(p.TypesInfo, assign.Lhs[1])); t.made == nil {
			return nil
		}
		t.stmt = t.made
	}
	return t
}

// makes returns the statement at cur if it gives v a new value where it is nil or ok is
// false, and does nothing else: the pool has no New.
func makes(info *types.Info, cur inspector.Cursor, v, ok *types.Var) *ast.IfStmt {
	if !cur.Valid() {
		return nil
	}
	branch, isIf := cur.Node().(*ast.IfStmt)
	if !isIf || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 {
		return nil
	}
	switch cond := ast.Unparen(branch.Cond).(type) {
	case *ast.BinaryExpr:
		if cond.Op != token.EQL || code.Var(info, cond.X) != v || !code.IsNil(info, cond.Y) {
			return nil
		}
	case *ast.UnaryExpr:
		if cond.Op != token.NOT || ok == nil || code.Var(info, cond.X) != ok {
			return nil
		}
	default:
		return nil
	}
	set, isSet := branch.Body.List[0].(*ast.AssignStmt)
	if !isSet || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || code.Var(info, set.Lhs[0]) != v {
		return nil
	}
	return branch
}

// declares returns the one variable that a statement declares with value x.
func declares(p *rule.Pass, stmt ast.Node, x ast.Expr) *types.Var {
	var id *ast.Ident
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE && len(s.Rhs) == 1 && s.Rhs[0] == x {
			id, _ = s.Lhs[0].(*ast.Ident)
		}
	case *ast.DeclStmt:
		gd := s.Decl.(*ast.GenDecl)
		if spec, ok := gd.Specs[0].(*ast.ValueSpec); ok && len(gd.Specs) == 1 && len(spec.Names) == 1 && len(spec.Values) == 1 && spec.Values[0] == x {
			id = spec.Names[0]
		}
	}
	if id == nil {
		return nil
	}
	v, _ := p.TypesInfo.Defs[id].(*types.Var)
	return v
}

// stale reports whether each use of the object is known, none of them resets
// it, and among them are a write, a read and the return to the same pool: then
// a second call of the function reads what the first one wrote.
func (t *taken) stale() bool {
	var seen [uses]bool
	var handed []token.Pos
	var written, last token.Pos // the first write, the last read
	fields := map[*types.Var]bool{}
	for _, cur := range t.p.Index.Uses(t.v) {
		var u use
		if t.made != nil && code.Within(t.made, cur.Node()) {
			u = neutral
		} else if t.isPut(cur) {
			u = put
		} else if t.kind == record {
			u = t.field(cur, fields)
		} else {
			u = t.plain(cur)
		}
		switch {
		case u == unknown && t.kind != record && cur.ParentEdgeKind() == edge.CallExpr_Args && !code.Deferred(cur.Parent()):
			handed = append(handed, cur.Node().Pos())
			continue
		case u == unknown:
			return false
		case u == write && (written == 0 || cur.Node().Pos() < written):
			written = cur.Node().Pos()
		case u == read:
			last = max(last, cur.Node().Pos())
		}
		seen[u] = true
	}
	// Who gets it between a write and a read here does not empty it.
	if slices.ContainsFunc(handed, func(at token.Pos) bool { return written == 0 || at < written || last < at }) {
		return false
	}
	if t.kind == record {
		for _, grown := range fields {
			seen[write], seen[read] = seen[write] || grown, true
		}
	}
	return seen[put] && seen[write] && seen[read]
}

// isPut reports whether cur is the argument of a Put to the same pool, or of a function
// that does nothing else with its one parameter.
func (t *taken) isPut(cur inspector.Cursor) bool {
	if cur.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	call := cur.Parent().Node().(*ast.CallExpr)
	if fd := t.p.Index.Decl(code.Callee(t.p.TypesInfo, call)); fd != nil && len(fd.Body.List) == 1 && fd.Type.Params.NumFields() == 1 {
		if s, ok := fd.Body.List[0].(*ast.ExprStmt); ok {
			call, _ = s.X.(*ast.CallExpr)
		}
	}
	if call == nil {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Put" || !code.IsNamed(t.p.TypesInfo.TypeOf(sel.X), "sync", "Pool") {
		return false
	}
	return same(t.p.TypesInfo, sel.X, t.pool)
}

// same reports whether two expressions name the same variable or field of it.
func same(info *types.Info, a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	switch a := a.(type) {
	case *ast.Ident:
		b, ok := b.(*ast.Ident)
		return ok && info.Uses[a] != nil && info.Uses[a] == info.Uses[b]
	case *ast.SelectorExpr:
		b, ok := b.(*ast.SelectorExpr)
		if !ok || info.Uses[a.Sel] == nil || info.Uses[a.Sel] != info.Uses[b.Sel] {
			return false
		}
		return same(info, a.X, b.X)
	}
	return false
}

func (t *taken) report() {
	name := t.v.Name()
	at := t.lineEnd()
	t.p.Report(rule.Finding{
		Pos: t.got.Pos(), End: t.got.End(),
		Message: fmt.Sprintf("%s goes back to %s without Reset: the next user reads what this one wrote", name, t.p.Source(t.pool)),
		Fixes: []analysis.SuggestedFix{{
			Message:   fmt.Sprintf("Reset %s before it is used", name),
			TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte("\n" + name + ".Reset()")}},
		}},
	})
}

// lineEnd returns where the statement ends, with the comment behind it.
func (t *taken) lineEnd() token.Pos {
	end := t.stmt.End()
	for _, group := range t.p.File(end).Comments {
		if at := group.Pos(); at >= end && t.p.Fset.Position(at).Line == t.p.Fset.Position(end).Line && strings.TrimSpace(t.p.Text(end, at)) == "" {
			return group.List[0].End()
		}
	}
	return end
}
