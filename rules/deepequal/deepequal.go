// Package deepequal finds values that reflect compares although == or a function of
// the standard library says the same.
package deepequal

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "deepequal",
	Title: "reflect.DeepEqual of values whose type says how to compare them",
	IDs:   []string{"X06"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "DeepEqual puts both values into interfaces, keeps a map of what it has visited, and looks at each element through reflection. The compiler " +
		"compares numbers, texts and structures of them in place; slices.Equal, bytes.Equal and maps.Equal are loops over typed elements.",
	WhenNot: "The types differ or are interfaces, so that the answer depends on what they hold. Pointers, functions and interfaces in the type: DeepEqual " +
		"follows them. Elements that are floating-point numbers: DeepEqual calls a slice with a NaN equal to itself. Blank fields, which == skips.",
	Gap: "DeepEqual tells a nil slice or map from an empty one, and so does the fix. A call on the right that may change what stands on the left runs before == reads that, which is class B. Where that difference is of no interest, the function alone will " +
		"do. Slices of slices and maps of slices are not reported.",
	Signature: "reflect.DeepEqual and reflect.deepValueEqual in CPU profiles, runtime.convTslice in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSame", Metric: "cpu",
		Claimed: "typed comparison needs neither reflection nor memory",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("reflect", "DeepEqual") {
		if len(call.Args) != 2 || code.Deferred(cur) {
			continue
		}
		t := p.TypesInfo.TypeOf(call.Args[0])
		if !types.Identical(t, p.TypesInfo.TypeOf(call.Args[1])) {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			path := "slices"
			if types.Identical(u.Elem(), types.Typ[types.Byte]) {
				path = "bytes"
			}
			if compares(u.Elem(), false) && (path == "bytes" || p.AtLeast(call.Pos(), "go1.21")) {
				report(p, cur, call, path)
			}
		case *types.Map:
			if compares(u.Key(), false) && compares(u.Elem(), false) && p.AtLeast(call.Pos(), "go1.21") {
				report(p, cur, call, "maps")
			}
		default:
			if compares(t, true) {
				report(p, cur, call, "")
			}
		}
	}
}

// compares reports whether == and DeepEqual agree on values of a type. Elements
// that floats are part of are another matter than floats alone: what shares memory is
// equal to DeepEqual before it is looked at.
func compares(t types.Type, floats bool) bool {
	if code.Generic(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UntypedNil && u.Kind() != types.Invalid && (floats || u.Info()&(types.IsFloat|types.IsComplex) == 0)
	case *types.Array:
		return compares(u.Elem(), floats)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" || !compares(f.Type(), floats) {
				return false
			}
		}
		return true
	}
	return false
}

// report reports a call that a function of a package, or == if that is "", makes
// unnecessary.
func report(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, path string) {
	at := cur
	for at.ParentEdgeKind() == edge.ParenExpr_X {
		at = at.Parent()
	}
	not, _ := at.Parent().Node().(*ast.UnaryExpr)
	negated := not != nil && not.Op == token.NOT
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "reflect.DeepEqual compares by reflection what == compares in place"}
	if code.Acts(p.TypesInfo, call.Args[1]) && code.Changeable(p.Index, p.TypesInfo, call.Args[0]) {
		f.Class = rule.B // == reads the one after the calls in the other
	}
	if path == "" {
		a, b := code.Operand(p, call.Args[0]), code.Operand(p, call.Args[1])
		op := " == "
		if negated {
			at, op = at.Parent(), " != "
		}
		f.Fixes = fix(p, call, code.Replace(at.Node(), enclosed(at, a+op+b)), "")
		p.Report(f)
		return
	}
	f.Message = "reflect.DeepEqual compares by reflection what " + path + ".Equal compares in a typed loop"
	if a, b := call.Args[0], call.Args[1]; code.Place(a) && code.Place(b) && code.Predeclared(p.Pkg, call.Pos(), "nil") {
		q, _, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), path)
		if ok {
			text := "(" + p.Source(a) + " == nil) == (" + p.Source(b) + " == nil) && " + q + ".Equal(" + p.Source(a) + ", " + p.Source(b) + ")"
			if negated {
				text = "(" + text + ")"
			}
			f.Fixes = fix(p, call, code.Replace(call, enclosed(cur, text)), path)
		}
	}
	p.Report(f)
}

// enclosed returns an expression in parentheses where it would be taken apart at cur.
func enclosed(cur inspector.Cursor, text string) string {
	switch cur.ParentEdgeKind() {
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return "(" + text + ")"
	}
	return text
}

// fix adds what the imports need to an edit.
func fix(p *rule.Pass, call *ast.CallExpr, edit analysis.TextEdit, path string) []analysis.SuggestedFix {
	var paths []string
	if path != "" {
		paths = append(paths, path)
	}
	imports, ok := code.Reimport(p, call.Pos(), paths, "reflect", call.Fun)
	if !ok {
		return nil
	}
	return code.Fix("Compare the values by their type", append(imports, edit)...)
}
