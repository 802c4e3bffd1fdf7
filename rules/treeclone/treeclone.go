// Package treeclone finds whole trees of files that are copied again and again.
package treeclone

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "treeclone",
	Title: "a whole tree of files is copied for each command or request",
	IDs:   []string{"C68"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "The copy costs the whole tree each time, and what a command touches is mostly a few files. Copying these alone, or one copy that is brought up " +
		"to date, took a twenty-fifth of the time.",
	WhenNot: "The copy is a backup, or a template that is laid out once. Nothing says which files will be touched. It is made once for each run of the " +
		"program.",
	Gap: "What has to be the same in a copy, such as links, modes and files that are left out, the rule does not know. It sees copies that a walk's own " +
		"function makes, or a function of the package that it calls.",
	Signature: "path/filepath.WalkDir above os.(*File).ReadFrom and os.OpenFile in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkRun", Metric: "cpu",
		Claimed: "a clone of the whole workspace for each command grows with the workspace, even when nothing changes or one file does",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	c := copier{p, p.ResultOf[callers.Analyzer].(*callers.Callers)}
	for cur, call := range p.Index.Calls("os", "CopyFS") {
		c.report(cur, call)
	}
	for _, walk := range [][2]string{{"path/filepath", "WalkDir"}, {"path/filepath", "Walk"}, {"io/fs", "WalkDir"}} {
		for cur, call := range p.Index.Calls(walk[0], walk[1]) {
			if c.copies(call.Args[len(call.Args)-1], 0) {
				c.report(cur, call)
			}
		}
	}
}

type copier struct {
	p     *rule.Pass
	calls *callers.Callers
}

func (c copier) report(cur inspector.Cursor, call *ast.CallExpr) {
	f := rule.Finding{Pos: call.Pos(), End: call.Fun.End(), Hot: call, Message: "a whole tree of files is copied in each iteration"}
	if !code.Looped(c.p.Index, c.p.TypesInfo, cur) {
		_, decl := code.Decl(c.p.TypesInfo, cur)
		if decl == nil || c.calls.OnlyAtStart(decl) && !c.calls.InLoop(decl).Holds {
			return
		}
		f.Message = "a whole tree of files is copied"
		c.calls.Often(&f, decl)
	}
	c.p.Report(f)
}

// deepest is how many calls below a walk a copy is looked for.
const deepest = 3

// copies reports whether code writes files from others that it reads: a literal, or a
// function of the package.
func (c copier) copies(x ast.Node, depth int) bool {
	if id, ok := x.(*ast.Ident); ok {
		f, _ := c.p.TypesInfo.Uses[id].(*types.Func)
		return c.below(f, depth)
	}
	var read, written []ast.Expr
	below := false
	for call := range code.All[*ast.CallExpr](x) {
		f := code.Callee(c.p.TypesInfo, call)
		if f == nil {
			continue
		}
		switch code.FullName(f) {
		case "os.Open", "os.ReadFile", "io/fs.ReadFile", "io/fs.FS.Open":
			read = append(read, call.Args[len(call.Args)-1])
		case "os.Create", "os.OpenFile", "os.WriteFile":
			written = append(written, call.Args[0])
		}
		below = below || c.below(f, depth)
	}
	return below || len(read) > 0 && slices.ContainsFunc(written, func(to ast.Expr) bool {
		return !slices.ContainsFunc(read, func(from ast.Expr) bool { return code.SameExpr(c.p.TypesInfo, from, to) })
	})
}

func (c copier) below(f *types.Func, depth int) bool {
	fd := c.p.Index.Decl(f)
	return fd != nil && depth < deepest && c.copies(fd.Body, depth+1)
}
