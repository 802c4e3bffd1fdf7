// Package constbuild finds tables that functions build anew, at each call, from
// constants.
package constbuild

import (
	"encoding/base64"
	"go/ast"
	"go/types"
	"net/netip"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "constbuild",
	Title: "strings.Replacer, encoding or network of constants built on each call",
	IDs:   []string{"X02"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "strings.NewReplacer copies its texts, and the first Replace builds a table of them: up to 256 slices, or a tree. base64.NewEncoding fills tables " +
		"of 320 bytes, netip.MustParsePrefix parses its text. The result is the same each time, never changes, and may be used by many goroutines.",
	WhenNot: "An argument is no constant. The function runs while the program starts only, or the value is kept: in a field, in a variable of the package, " +
		"behind sync.Once.",
	Gap: "A package variable is made when the program starts, even if the function never runs. Regular expressions are the matter of the rule " +
		"regexpcompile. Templates, which may be changed later, are not reported.",
	Signature: "strings.NewReplacer, strings.(*Replacer).build, strings.makeGenericReplacer or encoding/base64.NewEncoding in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkEscape", Metric: "cpu",
		Claimed: "what is built once is not built for each text",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// builders are functions whose result is fixed by constant texts, with how the result's
// variable is called, and whether they accept the texts.
var builders = []struct {
	pkg, name, variable string
	accepts             func(texts []string) bool
}{
	{"strings", "NewReplacer", "Replacer", func(texts []string) bool { return len(texts) > 0 && len(texts)%2 == 0 }},
	{"encoding/base64", "NewEncoding", "Encoding", func(texts []string) bool { return alphabet(texts[0]) }},
	{"net/netip", "MustParseAddr", "Addr", func(texts []string) bool { _, err := netip.ParseAddr(texts[0]); return err == nil }},
	{"net/netip", "MustParsePrefix", "Prefix", func(texts []string) bool { _, err := netip.ParsePrefix(texts[0]); return err == nil }},
}

// alphabet reports whether base64 takes a text for one.
func alphabet(text string) (ok bool) {
	defer func() { ok = recover() == nil }()
	base64.NewEncoding(text)
	return true
}

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	hoist := code.NewPackageVars(p.Pass)
	for _, b := range builders {
		for cur, call := range p.Index.Calls(b.pkg, b.name) {
			decl, fn := code.Decl(p.TypesInfo, cur)
			texts, ok := constants(p.TypesInfo, call)
			if decl == nil || fn == nil || p.IsTest(call.Pos()) || !ok || !b.accepts(texts) || calls.OnlyAtStart(fn) ||
				code.Memoized(p.TypesInfo, cur) || !dropped(p, cur) {
				continue
			}
			f := rule.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: "the " + strings.ToLower(b.variable) + " is built anew on each call of " + fn.Name() + ", and is always the same",
			}
			if edits := variable(p, hoist, decl, call, b.variable); edits != nil {
				f.Fixes = code.Fix("Build it once, in a variable of the package", edits...)
				if f.Class = rule.B; hoist.AfterInit(calls, fn) {
					f.Class = rule.A
				}
			}
			p.Report(f)
		}
	}
}

// constants returns the arguments of a call, if all of them are constant texts.
func constants(info *types.Info, call *ast.CallExpr) (texts []string, ok bool) {
	for _, arg := range call.Args {
		text, constant := code.String(info, arg)
		if !constant || call.Ellipsis.IsValid() {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

// dropped reports whether a value is not kept beyond the call of the function that builds
// it: a method is called on it at once, or on the local variable that holds it alone. An
// argument is looked at only where it is no pointer.
func dropped(p *rule.Pass, cur inspector.Cursor) bool {
	if _, called := code.MethodCall(cur); called {
		return true
	}
	if cur.ParentEdgeKind() == edge.CallExpr_Args {
		_, pointer := p.TypesInfo.TypeOf(cur.Node().(ast.Expr)).(*types.Pointer)
		return !pointer
	}
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 {
		return false
	}
	v := code.Var(p.TypesInfo, assign.Lhs[0])
	fn, _ := code.Func(cur)
	if !code.Local(v) {
		return false
	}
	for _, use := range p.Index.Uses(v) {
		in, _ := code.Func(use)
		if _, called := code.MethodCall(use); !called || in != fn {
			return false
		}
	}
	return len(p.Index.Uses(v)) > 0
}

// variable returns the edits that make a package variable of what is built.
func variable(p *rule.Pass, hoist *code.PackageVars, decl *ast.FuncDecl, call *ast.CallExpr, kind string) []analysis.TextEdit {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	var args []string
	for _, arg := range call.Args {
		text, ok := hoist.Const(p, arg)
		if !ok {
			return nil
		}
		args = append(args, text)
	}
	name := hoist.Name(code.LowerName(decl.Name.Name) + kind)
	text := "var " + name + " = " + p.Source(sel) + "(" + strings.Join(args, ", ") + ")"
	return []analysis.TextEdit{code.Replace(call, name), hoist.Declare(decl, text)}
}
