// Package lazyregexp finds costly regular expressions in package variables, which
// each start of the program compiles.
package lazyregexp

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp/syntax"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "lazyregexp",
	Title: "costly regular expression of a package, compiled at each start",
	IDs:   []string{"C42"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.A,
	Why: "Every program that imports the package compiles it before main begins: tests, tools and health checks, whether they use it or not. Behind " +
		"sync.OnceValue the first use pays.",
	WhenNot: "The pattern is small: up to a program of 100 instructions it is left alone. Every run uses it anyway, so that the work is only moved. The " +
		"pattern is not constant, and a mistake in it should show at the start.",
	Gap: "Each use is a call that asks whether the expression is there, some nanoseconds. Where the pattern is constant the rule compiled it, so " +
		"that MustCompile cannot panic later; another may panic at the first use instead of at the start, and gets no fix. The first use is slower.",
	Signature: "regexp.MustCompile below a package's init in CPU profiles of the start; GODEBUG=inittrace=1 prints the time of each package",
	Evidence: &rule.Evidence{
		Exempt: "the cost is paid before a benchmark begins, and the fix moves it to the first use",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// small is up to how many instructions a pattern is left alone. Such a one takes some
// ten microseconds.
const small = 100

func run(p *rule.Pass) {
	vars := code.NewPackageVars(p.Pass)
	for _, name := range []string{"MustCompile", "MustCompilePOSIX"} {
		for cur, call := range p.Index.Calls("regexp", name) {
			for at, pattern := range code.Given(p.Index, p.TypesInfo, cur, call.Args[0]) {
				look(p, vars, at, pattern, at == cur)
			}
		}
	}
}

// look reports a call that compiles a pattern at start, itself or by another function.
func look(p *rule.Pass, vars *code.PackageVars, cur inspector.Cursor, x ast.Expr, itself bool) {
	pattern, constant := code.String(p.TypesInfo, x)
	size := instructions(pattern)
	if !atStart(p.TypesInfo, cur) || constant && size <= small {
		return
	}
	call := cur.Node().(*ast.CallExpr)
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "a pattern that is not constant is compiled at each start of the program; sync.OnceValue compiles it at the first use"}
	if constant {
		f.Message = fmt.Sprintf("a pattern of %d instructions is compiled at each start of the program; sync.OnceValue compiles it at the first use", size)
		if spec, ok := cur.Parent().Node().(*ast.ValueSpec); ok && itself && len(spec.Names) == 1 && len(spec.Values) == 1 {
			f.Fixes = (&lazy{p, vars, cur, call, spec}).fix()
		}
	}
	p.Report(f)
}

// atStart reports whether a call is made while the package is initialised: for a
// variable, or in init.
func atStart(info *types.Info, cur inspector.Cursor) bool {
	if fd, f := code.Decl(info, cur); fd != nil {
		return f != nil && f.Name() == "init" && fd.Recv == nil && !code.Later(cur)
	}
	return !code.Later(cur)
}

// instructions returns the size of the program of a pattern.
func instructions(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// A lazy is a package variable with its expression.
type lazy struct {
	p    *rule.Pass
	vars *code.PackageVars
	cur  inspector.Cursor
	call *ast.CallExpr
	spec *ast.ValueSpec
}

// fix returns the rewrite in which the variable is a function, where all uses are
// seen and only read it.
func (l *lazy) fix() []analysis.SuggestedFix {
	name := l.spec.Names[0]
	v, _ := l.p.TypesInfo.Defs[name].(*types.Var)
	sel, qualified := ast.Unparen(l.call.Fun).(*ast.SelectorExpr)
	if v == nil || code.Local(v) || !qualified || v.Exported() || l.spec.Type != nil || l.vars.Elsewhere(v.Name()) || !l.p.AtLeast(l.call.Pos(), "go1.21") {
		return nil
	}
	file := l.p.File(l.call.Pos())
	sync, edits, ok := code.Import(l.p.TypesInfo, l.p.Pkg, file, l.call.Pos(), "sync")
	if !ok {
		return nil
	}
	for _, use := range l.p.Index.Uses(v) {
		if code.Writes(l.p.TypesInfo, use) || use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			return nil
		}
		edits = append(edits, analysis.TextEdit{Pos: use.Node().End(), End: use.Node().End(), NewText: []byte("()")})
	}
	result := l.p.Source(sel.X)
	edits = append(edits,
		analysis.TextEdit{Pos: l.call.Pos(), End: l.call.Pos(), NewText: []byte(sync + ".OnceValue(func() *" + result + ".Regexp {\n\treturn ")},
		analysis.TextEdit{Pos: l.call.End(), End: l.call.End(), NewText: []byte("\n})")})
	return []analysis.SuggestedFix{{Message: "Compile at the first use", TextEdits: edits}}
}
