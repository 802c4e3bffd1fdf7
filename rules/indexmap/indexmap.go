// Package indexmap finds maps that are built from a slice for a handful of
// lookups.
package indexmap

import (
	"fmt"
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
	Name:  "indexmap",
	Title: "a map built from a slice for a handful of lookups",
	IDs:   []string{"C73", "C74"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.B,
	Why: "Building the map hashes each element and allocates tables that are thrown away. A few scans of the slice compare its elements and allocate " +
		"nothing.",
	WhenNot: "The map is kept, or asked as often as the slice is long. The first of equal elements is to win. The slice changes in between.",
	Gap: "Scanning from the end finds the last of equal elements, as the map does. The rule does not know how long the slice is, and so where the map " +
		"begins to pay; a profile shows whether building it costs. Lookups in a loop get no fix: a scan per iteration may cost more than the map. " +
		"Where the names of columns are looked up in a header that the caller gives, the rule does not know whether it is the same each time.",
	Signature: "runtime.mapassign_faststr and internal/runtime/maps.(*Map).growToTable below the line of the loop in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPick", Metric: "allocs",
		Claimed: "rebuilding the map of a header for each call costs almost four times what scanning the header does", Ratio: 3.75,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// handful is how many lookups are fewer than what building a map is worth.
const handful = 4

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		if b := look(p, cur); b != nil {
			b.report()
		}
	}
}

// A build is a loop that fills a local map from a slice, with what is asked of
// the map.
type build struct {
	p       *rule.Pass
	fn      ast.Node
	loop    ast.Stmt
	each    code.Elements
	cur     inspector.Cursor // the loop
	m       *types.Var
	def     *ast.AssignStmt // m := make(map[K]V)
	mapType *ast.MapType
	set     bool // m[x] = true, else m[x] = i
	key     ast.Expr
	lookups []inspector.Cursor
	pairs   int         // lookups of the form v, ok := m[k]
	looped  bool        // some stand in a loop
	often   bool        // there may be as many lookups as elements
	by      *types.Func // returns the map to callers that ask it; nil if the function asks itself
}

// look returns the build, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor) *build {
	b := &build{p: p, cur: cur, loop: cur.Node().(ast.Stmt)}
	body := code.Body(b.loop).List
	if len(body) != 1 {
		return nil
	}
	store, ok := body[0].(*ast.AssignStmt)
	if !ok || store.Tok != token.ASSIGN || len(store.Lhs) != 1 {
		return nil
	}
	if b.each, ok = code.ElementsOf(p.Index, p.TypesInfo, b.loop); !ok {
		return nil
	}
	fn, ok := code.Func(cur)
	if !ok || !b.fills(store) {
		return nil
	}
	b.fn = fn.Node()
	if !b.defined() || !b.sliceOfKeys() {
		return nil
	}
	if b.handed() || b.asked() && !b.changed() {
		return b
	}
	return nil
}

// fills reads m[x] = i or m[x] = true, x and i being the loop's variables, or x a field of the
// element.
func (b *build) fills(store *ast.AssignStmt) bool {
	info := b.p.TypesInfo
	ix, ok := store.Lhs[0].(*ast.IndexExpr)
	if !ok || !b.each.IsPart(info, ix.Index) {
		return false
	}
	b.m, b.key = code.Var(info, ix.X), ix.Index
	if v := code.Var(info, store.Rhs[0]); v != nil {
		return b.m != nil && v == b.each.Key
	}
	if val := info.Types[store.Rhs[0]].Value; val != nil && val.String() == "true" {
		b.set = true
	} else if lit, ok := store.Rhs[0].(*ast.CompositeLit); ok && len(lit.Elts) == 0 {
		st, isStruct := info.TypeOf(lit).Underlying().(*types.Struct)
		b.set = isStruct && st.NumFields() == 0
	}
	return b.m != nil && b.set
}

// defined finds m := make(map[K]V) or m := map[K]V{} in the block of the loop.
func (b *build) defined() bool {
	def, value := code.Origin(b.p.Index, b.p.TypesInfo, b.fn, b.m)
	if def == nil || len(def.Lhs) != 1 {
		return false
	}
	switch v := ast.Unparen(value).(type) {
	case *ast.CallExpr:
		id, ok := v.Fun.(*ast.Ident)
		if !ok || b.p.TypesInfo.Uses[id] != types.Universe.Lookup("make") {
			return false
		}
		b.mapType, _ = v.Args[0].(*ast.MapType)
	case *ast.CompositeLit:
		if len(v.Elts) == 0 {
			b.mapType, _ = v.Type.(*ast.MapType)
		}
	}
	b.def = def
	if b.mapType == nil {
		return false
	}
	block, ok := b.cur.Parent().Node().(*ast.BlockStmt)
	if !ok {
		return false
	}
	return slices.ContainsFunc(block.List, func(stmt ast.Stmt) bool { return stmt == def })
}

// sliceOfKeys reports whether the loop is over a slice with the map's keys, which can be
// compared without surprise.
func (b *build) sliceOfKeys() bool {
	info := b.p.TypesInfo
	_, ok := info.TypeOf(b.each.Over).Underlying().(*types.Slice)
	key := info.TypeOf(b.mapType.Key)
	if !ok || !types.Identical(info.TypeOf(b.key), key) || !pathOf(b.each.Over) {
		return false
	}
	basic, ok := key.Underlying().(*types.Basic)
	if !code.Generic(key) && (!ok || basic.Info()&(types.IsString|types.IsInteger) == 0) {
		return false
	}
	value := info.TypeOf(b.mapType.Value)
	return b.set || types.Identical(value, types.Typ[types.Int])
}

// pathOf reports whether x is a variable, a field of one, or a constant
// element: header, t.header, rows[0].
func pathOf(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return pathOf(x.X)
	case *ast.IndexExpr:
		_, lit := x.Index.(*ast.BasicLit)
		return lit && pathOf(x.X)
	}
	return false
}

// handed reports whether the function returns the map, and each of its callers asks it a
// handful of times at most.
func (b *build) handed() bool {
	decl, ok := b.fn.(*ast.FuncDecl)
	uses := slices.DeleteFunc(slices.Clone(b.p.Index.Uses(b.m)), func(use inspector.Cursor) bool { return code.Within(b.loop, use.Node()) })
	if !ok || len(uses) != 1 || decl.Name.IsExported() || decl.Type.Results.NumFields() != 1 {
		return false
	}
	if _, returns := uses[0].Parent().Node().(*ast.ReturnStmt); !returns {
		return false
	}
	f, _ := b.p.TypesInfo.Defs[decl.Name].(*types.Func)
	calls := 0
	for cur := range b.p.Index.CallsOf(f) {
		calls++
		asked, few := b.few(cur)
		if !asked || !few && !b.header() {
			return false
		}
		b.often = b.often || !few
	}
	if calls == 0 || calls < len(b.p.Index.Uses(f)) {
		return false
	}
	b.by = f
	return true
}

// few reports whether the map that a call returns is asked at once, or by a variable
// that does nothing else, and whether that is not in a loop that it is older than.
func (b *build) few(call inspector.Cursor) (asked, few bool) {
	if call.ParentEdgeKind() == edge.IndexExpr_X {
		return true, true
	}
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return false, false
	}
	uses := b.p.Index.Uses(code.Var(b.p.TypesInfo, assign.Lhs[0]))
	few = true
	for _, use := range uses {
		at := use.Parent()
		loop, in := code.Loop(at)
		if use.ParentEdgeKind() != edge.IndexExpr_X || code.Writes(b.p.TypesInfo, at) {
			return false, false
		}
		few = few && (!in || code.Within(loop.Node(), assign))
	}
	return len(uses) > 0 && len(uses) <= handful, few
}

// asked collects the lookups. It reports false if the map is used otherwise,
// or may be asked often.
func (b *build) asked() bool {
	for _, use := range b.p.Index.Uses(b.m) {
		if code.Within(b.loop, use.Node()) {
			continue
		}
		ix, ok := use.Parent().Node().(*ast.IndexExpr)
		if !ok || use.ParentEdgeKind() != edge.IndexExpr_X || use.Node().Pos() < b.loop.End() {
			return false
		}
		at := use.Parent()
		switch at.ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X:
			return false
		case edge.AssignStmt_Rhs:
			if assign := at.Parent().Node().(*ast.AssignStmt); len(assign.Lhs) == 2 && len(assign.Rhs) == 1 {
				b.pairs++
			}
		case edge.ValueSpec_Values:
			if spec := at.Parent().Node().(*ast.ValueSpec); len(spec.Names) == 2 && len(spec.Values) == 1 {
				b.pairs++
			}
		}
		if fn, ok := code.Func(at); !ok || fn.Node() != b.fn {
			return false
		}
		if !b.bounded(at, ix.Index) {
			b.often = true
			if !b.header() {
				return false
			}
		}
		b.lookups = append(b.lookups, at)
	}
	return len(b.lookups) > 0 && len(b.lookups) <= handful
}

// header reports whether the loop finds the positions of names that the caller gives, as
// those of columns, which are often the same for many calls: in a parameter, its field or
// a constant element.
func (b *build) header() bool {
	v := code.Var(b.p.TypesInfo, rootOf(b.each.Over))
	key := b.p.TypesInfo.TypeOf(b.mapType.Key)
	if b.set || v == nil || !code.IsString(key) && !code.Generic(key) {
		return false
	}
	switch fn := b.fn.(type) {
	case *ast.FuncDecl:
		return code.Declares(fn.Type, v) || fn.Recv != nil && code.Declares(fn.Recv, v)
	case *ast.FuncLit:
		return code.Local(v) && !code.Declares(fn.Body, v)
	}
	return false
}

// rootOf returns the variable that a field or an element is of.
func rootOf(x ast.Expr) ast.Expr {
	switch y := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		return rootOf(y.X)
	case *ast.IndexExpr:
		return rootOf(y.X)
	}
	return x
}

// bounded reports whether the keys of a lookup are few: it stands in no loop
// that the map is older than, or is about the same keys in each iteration of
// one.
func (b *build) bounded(at inspector.Cursor, key ast.Expr) bool {
	var loops []ast.Node // from the inside
	for loop, ok := code.Loop(at); ok && !code.Within(loop.Node(), b.loop); loop, ok = code.Loop(loop) {
		loops = append(loops, loop.Node())
	}
	if len(loops) == 0 {
		return true
	}
	b.looped = true
	outer := loops[len(loops)-1]
	if code.Invariant(b.p.Index, b.p.TypesInfo, key, outer) {
		return true
	}
	v := code.Var(b.p.TypesInfo, key)
	for _, loop := range loops[:len(loops)-1] {
		rng, ok := loop.(*ast.RangeStmt)
		if ok && v != nil && (code.Var(b.p.TypesInfo, rng.Key) == v || rng.Value != nil && code.Var(b.p.TypesInfo, rng.Value) == v) {
			return code.Invariant(b.p.Index, b.p.TypesInfo, rng.X, outer)
		}
	}
	return false
}

// changed reports whether the slice, or an element of it, is assigned between
// the loop and the last lookup.
func (b *build) changed() bool {
	end := b.lookups[len(b.lookups)-1].Node().End()
	if !code.Steady(b.p.Index, b.p.TypesInfo, b.each.Over, b.loop.Pos(), end) {
		return true
	}
	v := code.Var(b.p.TypesInfo, rootOf(b.each.Over))
	found := v == nil
	ast.Inspect(b.fn, func(n ast.Node) bool {
		if n == nil || found || n.End() < b.loop.End() || n.Pos() > end {
			return !found
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				found = found || n.Pos() > b.loop.End() && n.Tok != token.DEFINE && code.Mentions(b.p.TypesInfo, lhs, v)
			}
		case *ast.CallExpr: // that sorts it, or anything
			if tv := b.p.TypesInfo.Types[n.Fun]; n.Pos() > b.loop.End() && n.End() < end && !tv.IsBuiltin() && !tv.IsType() {
				for _, arg := range n.Args {
					found = found || code.SameExpr(b.p.TypesInfo, arg, b.each.Over) || code.Var(b.p.TypesInfo, arg) == v
				}
			}
		}
		return !found
	})
	return found
}

func (b *build) report() {
	f := rule.Finding{Pos: b.loop.Pos(), End: b.each.Over.End(), Hot: b.loop}
	what := "a lookup"
	if n := len(b.lookups); n > 1 {
		what = fmt.Sprintf("%d lookups", n)
	}
	if b.by != nil && !b.often {
		f.Message = fmt.Sprintf("%s builds a map for each caller, which asks it a few times; scanning %s needs no map", b.by.Name(), b.p.Source(b.each.Over))
		b.p.Report(f)
		return
	}
	if b.often {
		f.Message = fmt.Sprintf("%s finds the positions in %s anew on each call; where that is the same for many, keep them", b.m.Name(), b.p.Source(b.each.Over))
	} else if b.looped {
		f.Message = fmt.Sprintf("%s is built to be asked for the same few keys in a loop; finding them in %s once before it needs no map", b.m.Name(), b.p.Source(b.each.Over))
	} else {
		f.Message = fmt.Sprintf("%s is built for %s; scanning %s needs no map", b.m.Name(), what, b.p.Source(b.each.Over))
	}
	_, field := ast.Unparen(b.key).(*ast.SelectorExpr)
	if edits := b.scan(); edits != nil && !b.often && !field && b.each.Elem != nil && !code.Generic(b.p.TypesInfo.TypeOf(b.mapType.Key)) {
		f.Fixes = []analysis.SuggestedFix{{Message: "Scan the slice", TextEdits: edits}}
	}
	b.p.Report(f)
}
