// Package jsonmap finds JSON that is decoded into maps of any.
package jsonmap

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "jsonmap",
	Title: "JSON decoded into map[string]any",
	IDs:   []string{"C19"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each value is boxed, each key is a string of its own, and each object a map. A struct of the members that are known takes a half to a fifth of " +
		"the allocations, and nobody asserts types.",
	WhenNot: "The members are not known, or the document is only encoded again. Few members of constant names are the matter of the rule jsonfields.",
	Gap: "Whether the members are known is not looked at beyond that. On Go 1.26 the CPU time hardly falls: 0.9x to 1.4x measured. A " +
		"struct refuses members of the wrong type, and drops those that it lacks.",
	Signature: "encoding/json.(*decodeState).objectInterface in alloc_objects profiles; from Go 1.27 on encoding/json/v2.unmarshalValueAny",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkDecode", Metric: "allocs",
		Claimed: "a typed decode lowers the pressure of allocation that a map of any makes",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("encoding/json", "Unmarshal") {
		if len(call.Args) == 2 {
			look(p, cur, call.Args[1])
		}
	}
	for cur, call := range p.Index.Method("encoding/json", "Decoder", "Decode") {
		if len(call.Args) == 1 {
			look(p, cur, call.Args[0])
		}
	}
}

// look reports a decoding at cur into a target, where that is given.
func look(p *rule.Pass, cur inspector.Cursor, target ast.Expr) {
	for at, given := range code.Given(p.Index, p.TypesInfo, cur, target) {
		addr, ok := ast.Unparen(given).(*ast.UnaryExpr)
		if !ok || addr.Op != token.AND || !dynamic(p.TypesInfo.TypeOf(addr.X)) {
			continue
		}
		call := at.Node().(*ast.CallExpr)
		members := few
		if at != cur {
			members = 0 // jsonfields does not look there
		}
		if v := code.Var(p.TypesInfo, addr.X); code.Local(v) && spared(p, v, call, members) {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(),
			Message: fmt.Sprintf("each value of the document is boxed in a %s: a struct of the members that are known takes fewer allocations",
				types.TypeString(p.TypesInfo.TypeOf(addr.X), types.RelativeTo(p.Pkg))),
		})
	}
}

// dynamic reports whether a type is a map from strings to any, or a slice of such maps.
func dynamic(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		_, isMap := t.Elem().Underlying().(*types.Map)
		return isMap && dynamic(t.Elem())
	case *types.Map:
		i, ok := t.Elem().Underlying().(*types.Interface)
		return ok && i.NumMethods() == 0 && code.IsString(t.Key())
	}
	return false
}

// few is how many members jsonfields would have a struct of.
const few = 4

// spared reports whether a document is only encoded again, or few of its members are read.
func spared(p *rule.Pass, v *types.Var, decode *ast.CallExpr, few int) bool {
	uses, encoded, keys := 0, 0, map[string]bool{}
	for _, use := range p.Index.Uses(v) {
		if code.Within(decode, use.Node()) {
			continue
		}
		uses++
		switch n := use.Parent().Node().(type) {
		case *ast.IndexExpr:
			key, constant := code.String(p.TypesInfo, n.Index)
			if !constant || code.Writes(p.TypesInfo, use.Parent()) {
				return false
			}
			keys[key] = true
		case *ast.CallExpr:
			if !encodes(p, use, n) {
				return false
			}
			encoded++
		default:
			return false
		}
	}
	return uses == encoded || len(keys) <= few
}

func encodes(p *rule.Pass, arg inspector.Cursor, call *ast.CallExpr) bool {
	f := code.Callee(p.TypesInfo, call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "encoding/json" || !code.Within(call.Args[0], arg.Node()) {
		return false
	}
	return f.Name() == "Marshal" || f.Name() == "MarshalIndent" || f.Name() == "Encode"
}
