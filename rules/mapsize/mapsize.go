// Package mapsize finds maps that are filled from a source of known length
// without having been made for it.
package mapsize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "mapsize",
	Title: "map filled from a source of known length, but made without it",
	IDs:   []string{"C01"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "A map that starts small is rehashed into tables of twice the size again and again, and each entry is moved every time. A map that is made " +
		"for len(source) entries gets its tables once.",
	WhenNot: "The insertion is conditional, or the loop may end early other than by returning an error. The key hardly varies (bytes, booleans, characters " +
		"of a string) or is expected to come again (counting, grouping, a lookup before the insertion). At most eight elements are known: the first " +
		"group of eight is there anyway.",
	Gap: "A map that another function makes is reported without a fix. A source with many equal keys makes the map larger than needed. The order " +
		"of iteration, which is not specified, changes.",
	Signature: "internal/runtime/maps.(*table).grow, rehash and (*Map).growToTable in CPU and alloc_space profiles, below the line of the " +
		"assignment",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkCollect", Metric: "cpu",
		Claimed: "a set of known size that is made with its length avoids repeated growth",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		if assign := cur.Node().(*ast.AssignStmt); assign.Tok == token.ASSIGN && len(assign.Lhs) == 1 {
			elem, ok := assign.Lhs[0].(*ast.IndexExpr)
			if !ok {
				continue
			}
			look(p, cur, elem, elem.X, elem.Index)
			fn, ok := code.Func(cur)
			if !ok || !code.Alone(fn.Node(), assign) {
				continue
			}
			for at, call := range code.Calls(p.Index, p.TypesInfo, fn) { // of a function that stores what it is given
				given := func(x ast.Expr) ast.Expr { return code.Argument(p.TypesInfo, fn.Node(), call, x) }
				if to := given(elem.X); to != elem.X {
					look(p, at.Parent(), call, to, given(elem.Index))
				}
			}
		}
	}
}

// look reports the statement at cur if x in it fills the map to from empty, with this key.
func look(p *rule.Pass, cur inspector.Cursor, x, to, key ast.Expr) {
	v := code.Named(p.TypesInfo, to)
	if v == nil || !v.IsField() && !code.Local(v) {
		return
	}
	m, ok := v.Type().Underlying().(*types.Map)
	if !ok || narrow(m.Key()) {
		return
	}
	fill, ok := code.FillOf(p, cur, to)
	if !ok || fill.Used || fill.Value == nil || !varies(p, key, fill) || reads(p, fill) {
		return
	}
	report(p, x, fill)
}

// narrow reports whether a type has few values: 256 at most.
func narrow(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.Uint8 || b.Kind() == types.Int8)
}

// varies reports whether a key depends on the iteration, and not only on a
// character of a string.
func varies(p *rule.Pass, key ast.Expr, f code.Fill) bool {
	var char types.Object
	if r, ok := f.Loop.(*ast.RangeStmt); ok && code.IsString(p.TypesInfo.TypeOf(r.X)) {
		if id, ok := r.Value.(*ast.Ident); ok {
			char = p.TypesInfo.ObjectOf(id)
		}
	}
	return code.Any(key, func(id *ast.Ident) bool {
		obj, ok := p.TypesInfo.ObjectOf(id).(*types.Var)
		inside := ok && !obj.IsField() && code.Declares(f.Loop, obj)
		written := ok && !inside && code.Local(obj) && code.Written(p.Index, p.TypesInfo, obj, f.Loop)
		return (inside || written) && obj != char
	})
}

// reads reports whether the loop mentions the map more than once: it counts,
// groups or looks up.
func reads(p *rule.Pass, f code.Fill) bool {
	n := 0
	for _, cur := range p.Index.Uses(f.Var) {
		if code.Within(f.Loop, cur.Node()) {
			n++
		}
	}
	return n > 1
}

func report(p *rule.Pass, elem ast.Expr, fill code.Fill) {
	made := code.Returned(p.Index, p.TypesInfo, fill.Value)
	typ := code.MadeEmpty(p.TypesInfo, made)
	if typ == nil {
		return
	}
	src := p.Source(fill.Src)
	f := rule.Finding{
		Pos: elem.Pos(), End: elem.End(), Class: rule.A,
		Message: fmt.Sprintf("%s is rehashed while it grows, although the loop runs len(%s) times", fill.Var.Name(), src),
		Related: []analysis.RelatedInformation{{Pos: fill.Decl.Pos(), End: fill.Decl.End(), Message: "made here without a size"}},
	}
	if !fill.Exact {
		f.Class = rule.B
	}
	fix := analysis.SuggestedFix{Message: "Make the map for its length"}
	text := fmt.Sprintf("make(%s, len(%s))", p.Source(typ), src)
	switch {
	case made != fill.Value: // by another function, which does not know the length
		f.Class = rule.N
		p.Report(f)
		return
	case fill.InPlace:
		fix.TextEdits = []analysis.TextEdit{{Pos: made.Pos(), End: made.End(), NewText: []byte(text)}}
	case fill.Set:
		p.Report(f)
		return
	default:
		decl := fill.Var.Name() + " := " + text + "\n"
		fix.TextEdits = []analysis.TextEdit{p.Delete(fill.Decl), {Pos: fill.Loop.Pos(), End: fill.Loop.Pos(), NewText: []byte(decl)}}
	}
	f.Fixes = []analysis.SuggestedFix{fix}
	p.Report(f)
}
