// Package contextbag finds contexts that carry options or large values.
package contextbag

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "contextbag",
	Title: "context that carries options or a large value",
	IDs:   []string{"C33"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "WithValue allocates a context and a copy of the value, Value walks up the chain and asserts a type, and the value lives as long as any context " +
		"below. A parameter is free, and the compiler checks it.",
	WhenNot: "The value is a small identifier of the request, or must pass through code that takes nothing but a context.",
	Gap: "What counts as options is a map, a slice, a struct of at least 64 bytes, or a type whose name ends in Config, Options, Settings or Params. " +
		"Whether the callees in between could take a parameter is not looked at.",
	Signature: "context.WithValue in alloc_objects profiles, context.value in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "allocs",
		Claimed: "a typed parameter instead of a large configuration in the context",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// large is the size from which a struct is no small identifier.
const large = 64

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("context", "WithValue") {
		if len(call.Args) != 3 {
			continue
		}
		for at, value := range held(p, cur, call.Args[2]) {
			if what := bag(p, p.TypesInfo.TypeOf(value)); what != "" {
				p.Report(rule.Finding{
					Pos: at.Node().Pos(), End: at.Node().End(),
					Message: fmt.Sprintf("the context carries %s: a parameter, or a field of a request type, is typed and costs nothing", what),
				})
			}
		}
	}
}

// held yields what a context is to carry: the value, or, where a function takes it as an
// any, what its callers give.
func held(p *rule.Pass, cur inspector.Cursor, value ast.Expr) iter.Seq2[inspector.Cursor, ast.Expr] {
	if types.IsInterface(p.TypesInfo.TypeOf(value)) {
		return code.Given(p.Index, p.TypesInfo, cur, value)
	}
	return func(yield func(inspector.Cursor, ast.Expr) bool) { yield(cur, value) }
}

// bag says what a value is that a context should not carry, or "".
func bag(p *rule.Pass, t types.Type) string {
	name := types.TypeString(t, types.RelativeTo(p.Pkg))
	if n, ok := types.Unalias(code.Pointee(t)).(*types.Named); ok && options(n.Obj().Name()) {
		return "options, a " + name
	}
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return "a collection, a " + name
	case *types.Struct:
		if size := code.Size(p.TypesSizes, t); size >= large && code.Boxes(p.TypesSizes, t) {
			return fmt.Sprintf("a copy of a %s of %d bytes", name, size)
		}
	}
	return ""
}

func options(name string) bool {
	return slices.ContainsFunc([]string{"config", "options", "opts", "settings", "params"}, func(end string) bool {
		return strings.HasSuffix(strings.ToLower(name), end)
	})
}
