// Package staticerror finds errors with a fixed text that are built on every
// failure.
package staticerror

import (
	"fmt"
	"go/ast"
	"go/types"
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
	Name:  "staticerror",
	Title: "error with a fixed text built on every failure",
	IDs:   []string{"C08"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "errors.New allocates, and fmt.Errorf before Go 1.26 also formats, each time the function fails. A package variable is built once, and " +
		"callers can ask for it with errors.Is.",
	WhenNot: "Failures are rare: then nothing is gained, and since Go 1.26 the gain is one small allocation. The text carries context (verbs), the error " +
		"is built by a package that records the stack, or the function runs while the program starts.",
	Gap: "Two failures give the same value afterwards, so that == between them holds. The fix is of class A where the function is unexported and its " +
		"callers in the package look only at nil and at the text. Elsewhere others may see the identity, and the fix is a proposal.",
	Signature: "errors.New or fmt.Errorf in alloc_objects profiles, below the line of the return",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkParse", Metric: "allocs",
		Claimed: "an error that is defined once removes allocation and formatting from paths that fail often",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// A key stands for all errors of one text in one file, which become one
// variable.
type key struct {
	file *ast.File
	text string
}

func run(p *rule.Pass) {
	if !p.Index.Imports("errors", "fmt") {
		return
	}
	r := &reader{p: p, calls: p.ResultOf[callers.Analyzer].(*callers.Callers), vars: code.NewPackageVars(p.Pass)}
	groups := map[key][]*built{}
	var order []key
	for _, name := range []struct{ pkg, name string }{{"errors", "New"}, {"fmt", "Errorf"}} {
		for cur, call := range p.Index.Calls(name.pkg, name.name) {
			b := r.read(cur, call, name.pkg)
			if b == nil {
				continue
			}
			k := key{p.File(call.Pos()), b.text}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], b)
		}
	}
	for _, k := range order {
		r.report(k, groups[k])
	}
}

type reader struct {
	p     *rule.Pass
	calls *callers.Callers
	vars  *code.PackageVars
}

// A built error is one that a function makes of a constant text.
type built struct {
	cur  inspector.Cursor
	call *ast.CallExpr
	decl *ast.FuncDecl
	fn   *types.Func
	pkg  string // errors or fmt
	text string
}

// read returns what a call builds, or nil where the rule does not apply.
func (r *reader) read(cur inspector.Cursor, call *ast.CallExpr, pkg string) *built {
	if len(call.Args) != 1 || call.Ellipsis.IsValid() || r.p.IsTest(call.Pos()) {
		return nil
	}
	text, ok := code.String(r.p.TypesInfo, call.Args[0])
	if !ok || pkg == "fmt" && strings.Contains(text, "%") {
		return nil
	}
	b := &built{cur: cur, call: call, pkg: pkg, text: text}
	b.decl, b.fn = code.Decl(r.p.TypesInfo, cur)
	if b.decl == nil || b.fn == nil || r.calls.OnlyAtStart(b.fn) || !r.value(cur) {
		return nil
	}
	return b
}

// value reports whether the error is returned, or assigned to a variable of
// type error in the function.
func (r *reader) value(cur inspector.Cursor) bool {
	switch parent := cur.Parent().Node().(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ValueSpec:
		return true
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() != edge.AssignStmt_Rhs || len(parent.Lhs) != len(parent.Rhs) {
			return false
		}
		v := code.Var(r.p.TypesInfo, parent.Lhs[cur.ParentEdgeIndex()])
		return v != nil && code.Local(v)
	}
	return false
}

// report reports the errors of one text in one file: each has the same
// declaration in its fix.
func (r *reader) report(k key, all []*built) {
	name := r.vars.Name(variables(k.text, r.p.Pkg.Name())...)
	first := all[0]
	for _, b := range all {
		if b.call.Pos() < first.call.Pos() {
			first = b
		}
	}
	for _, b := range all {
		f := rule.Finding{Pos: b.call.Pos(), End: b.call.End(), Class: rule.B}
		f.Message = fmt.Sprintf("%s builds the same error each time %s fails; a package variable is built once", r.p.Source(b.call.Fun), b.fn.Name())
		edits := r.edits(first.decl, b, name)
		if edits == nil {
			f.Class = rule.N
		} else {
			f.Fixes = []analysis.SuggestedFix{{Message: "Declare the error once", TextEdits: edits}}
		}
		if f.Class == rule.B && r.unseen(b) && r.vars.AfterInit(r.calls, b.fn) {
			f.Class = rule.A
		}
		r.p.Report(f)
	}
}

func (r *reader) edits(before *ast.FuncDecl, b *built, name string) []analysis.TextEdit {
	text, ok := r.vars.Const(r.p, b.call.Args[0])
	file := r.p.File(b.call.Pos())
	pkg, _, imported := code.Import(r.p.TypesInfo, r.p.Pkg, file, before.Pos(), "errors")
	if !ok || !imported {
		return nil
	}
	old := "fmt"
	if b.pkg != old {
		old = "" // the errors package stays in use
	}
	edits, ok := code.Reimport(r.p, before.Pos(), []string{"errors"}, old, b.call)
	if !ok {
		return nil
	}
	return append(edits,
		r.vars.Declare(before, fmt.Sprintf("var %s = %s.New(%s)", name, pkg, text)),
		analysis.TextEdit{Pos: b.call.Pos(), End: b.call.End(), NewText: []byte(name)})
}
