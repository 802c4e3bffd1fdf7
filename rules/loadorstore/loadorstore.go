// Package loadorstore finds values that are made for a sync.Map which most often has
// one already.
package loadorstore

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "loadorstore",
	Title: "value made for sync.Map.LoadOrStore, and dropped where there is one",
	IDs:   []string{"X12"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "The value is an argument, so that it is allocated before the map is searched. Where the key is there already, which is what the map is for, it " +
		"is garbage at once. Load allocates no value.",
	WhenNot: "The key is rarely there: then the map is searched twice. The value is one that exists anyway.",
	Gap: "A value that a function makes is reported without a fix: the function may have effects. So is a call whose results are not declared by the " +
		"same statement.",
	Signature: "runtime.newobject below a line that calls LoadOrStore in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkCount", Metric: "allocs",
		Claimed: "no value is made for a key that is there",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Method("sync", "Map", "LoadOrStore") {
		if len(call.Args) != 2 || p.IsTest(call.Pos()) || !made(p.TypesInfo, call.Args[1]) || loaded(p, cur, call) {
			continue
		}
		f := rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: p.Source(call.Args[1]) + " is allocated also where the map has a value; Load first",
		}
		if text := loadFirst(p, cur, call); text != "" {
			f.Fixes = code.Fix("Load first", code.Replace(cur.Parent().Node(), text))
		}
		p.Report(f)
	}
}

// loaded reports whether the function asks the same map before.
func loaded(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) bool {
	fn, _ := code.Func(cur)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	for at, load := range p.Index.Method("sync", "Map", "Load") {
		in, _ := code.Func(at)
		before, isSel := ast.Unparen(load.Fun).(*ast.SelectorExpr)
		if ok && isSel && in == fn && load.Pos() < call.Pos() && code.SameVariable(p.TypesInfo, before.X, sel.X) {
			return true
		}
	}
	return false
}

// made reports whether an expression allocates a value: a literal, or what new, make or
// a constructor returns.
func made(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && lit
	case *ast.CompositeLit:
		st, isStruct := info.TypeOf(x).Underlying().(*types.Struct)
		return !isStruct || st.NumFields() > 0
	case *ast.CallExpr:
		b := code.Builtin(info, x)
		fn := code.Callee(info, x)
		return b == "new" || b == "make" || fn != nil && strings.HasPrefix(strings.ToLower(fn.Name()), "new")
	}
	return false
}

// loadFirst returns the statements that stand for v, loaded := m.LoadOrStore(key, made).
func loadFirst(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) string {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn, inFunc := code.Func(cur)
	if !ok || !isSel || !inFunc || assign.Tok != token.DEFINE || code.StmtList(cur.Parent().Parent().Node()) == nil {
		return ""
	}
	key := call.Args[0]
	again := code.Place(key) || p.TypesInfo.Types[key].Value != nil
	if !code.Place(sel.X) || !again || !silent(p.TypesInfo, call.Args[1]) {
		return ""
	}
	value, loaded := assign.Lhs[0].(*ast.Ident), assign.Lhs[1].(*ast.Ident)
	found := loaded.Name
	if found == "_" {
		found = code.FirstFree(fn.Node(), "ok", "loaded") // names that other rules do not give
	}
	if found == "" || p.TypesInfo.Defs[value] == nil && value.Name != "_" || p.TypesInfo.Defs[loaded] == nil && loaded.Name != "_" {
		return "" // one of them is of another type, perhaps
	}
	m := p.Source(sel.X)
	return value.Name + ", " + found + " := " + m + ".Load(" + p.Source(key) + ")\n" +
		"if !" + found + " {\n" + value.Name + ", " + loaded.Name + " = " + p.Source(call) + "\n}"
}

// silent reports whether making a value has no effect and does not panic: new, make with
// constants, and literals.
func silent(info *types.Info, x ast.Expr) bool {
	eval := &code.Eval{Info: info, Call: func(call *ast.CallExpr) code.Loss {
		if b := code.Builtin(info, call); b == "new" || b == "make" {
			return code.Loss{}
		}
		return code.Loss{Grade: code.AnyLoss}
	}}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if ok && code.Builtin(info, call) == "make" {
		for _, size := range call.Args[1:] {
			if info.Types[size].Value == nil {
				return false
			}
		}
	}
	return eval.Of(x).Grade == code.NoLoss
}
