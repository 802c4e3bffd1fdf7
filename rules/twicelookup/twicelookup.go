// Package twicelookup finds maps that are searched for a key, and searched once more
// for the same key right after.
package twicelookup

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "twicelookup",
	Title: "map searched twice for the same key",
	IDs:   []string{"X08"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "Each search computes the hash of the key and compares keys: some 5 to 30 ns, more for long texts and large maps. The compiler does not join " +
		"two of them. The search that asks whether the key is there has the value at hand.",
	WhenNot: "Something in between may change the map, the key, or what they are read from: a call, an assignment through a pointer or to a field, a " +
		"receive. The values have more than 128 bytes, which are copied each time.",
	Gap: "Only an if is looked at: what it asks first, what its branches read, and what is read behind one that goes elsewhere, where there is no " +
		"fix. A search in a literal that runs later is not seen. The compiler already makes m[k]++ and m[k] = append(m[k], v) one search.",
	Signature: "runtime.mapaccess1 or mapaccess2 and their variants by key type below both lines in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTotal", Metric: "cpu",
		Claimed: "the map is searched once instead of twice",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

const largest = 128 // bytes of a value that is kept

func run(p *rule.Pass) {
	names := code.Names{}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.IfStmt)(nil)) {
		if l := asked(p.TypesInfo, cur); l != nil && !p.IsTest(l.first.Pos()) {
			l.p, l.names = p, names
			l.report()
		}
	}
}

// A lookup is an if that asks for an entry of a map.
type lookup struct {
	p     *rule.Pass
	names code.Names
	cur   inspector.Cursor // of the if
	stmt  *ast.IfStmt
	first *ast.IndexExpr
	blank *ast.Ident // of _, ok := m[k]; nil where the condition itself compares m[k]
}

// asked returns what an if asks for before all else, or nil.
func asked(info *types.Info, cur inspector.Cursor) *lookup {
	l := &lookup{cur: cur, stmt: cur.Node().(*ast.IfStmt)}
	if init, ok := l.stmt.Init.(*ast.AssignStmt); ok {
		if init.Tok != token.DEFINE || len(init.Lhs) != 2 || len(init.Rhs) != 1 {
			return nil
		}
		l.blank, _ = init.Lhs[0].(*ast.Ident)
		if l.blank == nil || l.blank.Name != "_" {
			return nil
		}
		l.first = entry(info, init.Rhs[0])
	} else if l.stmt.Init == nil {
		l.first = entry(info, compared(info, l.stmt.Cond))
	}
	if l.first == nil {
		return nil
	}
	return l
}

// compared returns what a condition compares first, with nil or a constant.
func compared(info *types.Info, cond ast.Expr) ast.Expr {
	for {
		b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
		switch {
		case !ok:
			return nil
		case b.Op == token.LAND || b.Op == token.LOR:
			cond = b.X
		case info.Types[b.Y].Value != nil || code.IsNil(info, b.Y):
			return b.X
		default:
			return nil
		}
	}
}

// entry returns an expression that is an entry of a map, where the map and the key are
// names or constants.
func entry(info *types.Info, x ast.Expr) *ast.IndexExpr {
	if x == nil {
		return nil
	}
	index, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok || !code.Place(index.X) || !code.Place(index.Index) && info.Types[index.Index].Value == nil {
		return nil
	}
	if _, ok := info.TypeOf(index.X).Underlying().(*types.Map); !ok {
		return nil
	}
	return index
}

func (l *lookup) report() {
	info := l.p.TypesInfo
	for _, x := range []ast.Expr{l.first.X, l.first.Index} {
		if !code.Steady(l.p.Index, info, x, l.stmt.Pos(), l.stmt.End()) {
			return
		}
	}
	again := l.again(l.cur, l.stmt)
	if len(again) == 0 {
		l.behind()
		return
	}
	fn, ok := code.Func(l.cur)
	f := l.finding(again[0])
	if !ok || code.Jumps(fn.Node()) || !l.small() {
		return
	}
	if name := l.names.FirstFree(fn.Node(), l.outermost(), "value", "entry", "present", "held"); name != "" {
		edits := []analysis.TextEdit{l.keep(name)}
		for _, x := range again {
			edits = append(edits, code.Replace(x, name))
		}
		f.Fixes = code.Fix("Keep the value", edits...)
	}
	l.p.Report(f)
}

// outermost returns the if around this one that no other is around: a name in it is seen in
// those within.
func (l *lookup) outermost() (around ast.Node) {
	for at := range l.cur.Enclosing((*ast.IfStmt)(nil)) {
		around = at.Node()
	}
	return around
}

// small reports whether the map's values are worth being kept.
func (l *lookup) small() bool {
	values := l.p.TypesInfo.TypeOf(l.first.X).Underlying().(*types.Map).Elem()
	return code.Size(l.p.TypesSizes, values) <= largest
}

// finding is about a second search.
func (l *lookup) finding(again ast.Node) rule.Finding {
	return rule.Finding{
		Pos: again.Pos(), End: again.End(),
		Message: "the map is searched again for the key of " + l.p.Source(l.first) + "; keep the value that the first search finds",
		Related: []analysis.RelatedInformation{{Pos: l.first.Pos(), End: l.first.End(), Message: "the first search"}},
	}
}

// behind reports a search behind an if that goes elsewhere where there is no entry. There
// is no fix: what the first search keeps is not there.
func (l *lookup) behind() {
	info := l.p.TypesInfo
	if !code.Departs(l.stmt.Body) || l.stmt.Else != nil || !l.small() || changes(info, l.stmt.Cond) {
		return
	}
	for at, ok := l.cur.NextSibling(); ok; at, ok = at.NextSibling() {
		stmt := at.Node()
		for _, x := range l.again(at, stmt) {
			steady := code.Steady(l.p.Index, info, l.first.X, l.stmt.Pos(), x.Pos()) && code.Steady(l.p.Index, info, l.first.Index, l.stmt.Pos(), x.Pos())
			if steady {
				f := l.finding(x)
				f.Class = rule.N
				l.p.Report(f)
			}
			return
		}
		if change(info, stmt) < stmt.End() || changes(info, stmt) {
			return
		}
	}
}

// keep returns the edit by which the first search keeps the value under a name.
func (l *lookup) keep(name string) analysis.TextEdit {
	if l.blank != nil {
		return code.Replace(l.blank, name)
	}
	from, at := l.stmt.Cond.Pos(), l.first
	text := name + " := " + l.p.Source(at) + "; " + l.p.Text(from, at.Pos()) + name
	return analysis.TextEdit{Pos: from, End: at.End(), NewText: []byte(text)}
}

// again returns the reads of the same entry in a statement that come before anything that
// may change it.
func (l *lookup) again(at inspector.Cursor, stmt ast.Node) (reads []*ast.IndexExpr) {
	info, until := l.p.TypesInfo, change(l.p.TypesInfo, stmt)
	for cur := range at.Preorder((*ast.IndexExpr)(nil)) {
		x := cur.Node().(*ast.IndexExpr)
		if x == l.first || x.End() > until || !code.SameExpr(info, x.X, l.first.X) || !code.SameExpr(info, x.Index, l.first.Index) {
			continue
		}
		if fn, _ := code.Func(cur); reading(info, cur) && !code.Within(stmt, fn.Node()) {
			reads = append(reads, x)
		}
	}
	return reads
}

// reading reports whether an entry of a map is read for its value alone. What is appended
// to in its place is not: the compiler searches once for both.
func reading(info *types.Info, cur inspector.Cursor) bool {
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	switch cur.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return false
	case edge.CallExpr_Args:
		a, ok := cur.Parent().Parent().Node().(*ast.AssignStmt)
		return !ok || code.Builtin(info, cur.Parent().Node().(*ast.CallExpr)) != "append" || entry(info, a.Lhs[0]) == nil
	case edge.AssignStmt_Rhs:
		a := cur.Parent().Node().(*ast.AssignStmt)
		return len(a.Lhs) == len(a.Rhs)
	case edge.ValueSpec_Values:
		v := cur.Parent().Node().(*ast.ValueSpec)
		return len(v.Names) == len(v.Values)
	}
	return true
}

// change returns from where in a statement on a map, or what its fields and variables
// that others know hold, may be another: the end of the first call, or of the first
// statement that stores beyond local variables or waits. In a loop it is the loop's start.
func change(info *types.Info, in ast.Node) token.Pos {
	until := in.End()
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			if r, ok := n.(*ast.RangeStmt); changes(info, n) || ok && changes(info, r.X) || ok && pulls(info, r) {
				until = min(until, n.Pos())
			}
		default:
			if n != nil && changesHere(info, n) {
				until = min(until, n.End())
			}
		}
		return true
	})
	return until
}

// pulls reports whether a range waits for a channel or calls a function in each turn.
func pulls(info *types.Info, r *ast.RangeStmt) bool {
	switch info.TypeOf(r.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Basic, *types.Map, *types.Pointer:
		return false
	}
	return true
}

func changes(info *types.Info, in ast.Node) bool {
	return code.Here(in, func(n ast.Node) bool { return changesHere(info, n) }) != nil
}

// changesHere reports whether a node may change what others know, its parts aside.
func changesHere(info *types.Info, n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		switch code.Builtin(info, call) {
		case "len", "cap", "min", "max", "append", "make", "new", "panic":
			return false
		}
		return !info.Types[call.Fun].IsType()
	}
	return code.ByChannel(info, n) || slices.ContainsFunc(code.Assigned(n), func(to ast.Expr) bool {
		id, ok := to.(*ast.Ident)
		return !ok || id.Name != "_" && !code.Local(code.Var(info, id))
	})
}
