// Package reflectrows finds structs that are filled by reflection.
package reflectrows

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "reflectrows",
	Title: "rows mapped to structs by reflection",
	IDs:   []string{"C22"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each field of each row is looked up, checked and set through reflect, and its value boxed. A scan into the fields of a known type costs a " +
		"ninth of that.",
	WhenNot: "The package serves any type, as a library does, or the query takes most of the time.",
	Gap: "Whether the types are known is not looked at. Where they are open, what can be found out once for each type is kept by reflect.Type: " +
		"indexes, conversions, names.",
	Signature: "reflect.Value.Field and reflect.Value.Set in CPU profiles, below database/sql",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkRows", Metric: "cpu",
		Claimed: "typed mapping of rows instead of a reflective one on endpoints that return many",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	if !p.Index.Imports("reflect") {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		if !fills(p, cur, call) {
			continue
		}
		_, fn := code.Decl(p.TypesInfo, cur)
		if !code.Looped(p.Index, p.TypesInfo, cur) && !given(p, cur, call, fn) || calls.OnlyAtStart(fn) {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: "a field is set by reflection for each column of each row: a scan into the fields of a known type costs a fraction",
		})
	}
}

// given reports whether the struct is a parameter of a function that a loop of the package
// calls.
func given(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, fn *types.Func) bool {
	of := code.Any(call.Fun, func(id *ast.Ident) bool {
		v := code.Var(p.TypesInfo, id)
		if v != nil && v.Kind() == types.LocalVar {
			in, ok := code.Func(cur)
			if _, x := code.Origin(p.Index, p.TypesInfo, in.Node(), v); ok && x != nil {
				return code.Any(x, func(id *ast.Ident) bool { return parameter(p, id) })
			}
		}
		return parameter(p, id)
	})
	if !of || fn == nil {
		return false
	}
	for range code.Repeated(p.Index, p.TypesInfo, cur) {
		return true
	}
	return false
}

func parameter(p *rule.Pass, id *ast.Ident) bool {
	v := code.Var(p.TypesInfo, id)
	return v != nil && v.Kind() == types.ParamVar && code.IsNamed(v.Type(), "reflect", "Value")
}

// fills reports whether a call sets a field of a struct: f.Set(x), f.SetInt(n), or
// f.Addr().Interface(), the address that Scan is given.
func fills(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) bool {
	switch name := method(p, call); {
	case name == "Interface":
		addr, ok := ast.Unparen(receiver(call)).(*ast.CallExpr)
		return ok && method(p, addr) == "Addr" && field(p, cur, receiver(addr))
	case strings.HasPrefix(name, "Set"):
		return field(p, cur, receiver(call))
	}
	return false
}

// method returns the name of the method of reflect.Value that a call names, or "".
func method(p *rule.Pass, call *ast.CallExpr) string {
	f := code.Callee(p.TypesInfo, call)
	if f == nil || f.Signature().Recv() == nil || !code.IsNamed(f.Signature().Recv().Type(), "reflect", "Value") {
		return ""
	}
	return f.Name()
}

func receiver(call *ast.CallExpr) ast.Expr { return ast.Unparen(call.Fun).(*ast.SelectorExpr).X }

// field reports whether an expression is a field of a reflected struct, or the local
// variable whose only value is one.
func field(p *rule.Pass, cur inspector.Cursor, x ast.Expr) bool {
	if v := code.Var(p.TypesInfo, x); v != nil {
		fn, ok := code.Func(cur)
		if !ok {
			return false
		}
		if _, x = code.Origin(p.Index, p.TypesInfo, fn.Node(), v); x == nil {
			return false
		}
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && strings.HasPrefix(method(p, call), "Field")
}
