// Package gomaxprocs finds programs that set GOMAXPROCS themselves, by a call
// or by automaxprocs, so that the runtime no longer follows the CPU limit of
// their container.
package gomaxprocs

import (
	"go/ast"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "gomaxprocs",
	Title: "GOMAXPROCS set by the program, so that the runtime no longer follows the container's CPU limit",
	IDs:   []string{"B10"}, Seeds: []string{"000", "001"},
	Tier: rule.Always, Fix: rule.B, Go: "go1.25", GoLine: true,
	Why: "From go 1.25 in go.mod on, the runtime takes its container's CPU limit for GOMAXPROCS and follows it. A call of runtime.GOMAXPROCS switches " +
		"that off for good, and automaxprocs makes such a call. runtime.NumCPU does not know the limit: with a limit of 2 on 64 processors, 64 " +
		"threads use up the quota at once, and the kernel stops them all until the next period.",
	WhenNot: "The argument is below 1, which only asks, or the call's result is used, as for restoring the old value. The number comes from a flag, the " +
		"environment or a parameter. The call is in an optional branch or in a loop, as in experiments. A fixed number is 1, or the package serves " +
		"nothing. Tests, and packages that import testing. A package that calls runtime.SetDefaultGOMAXPROCS or mentions the settings " +
		"containermaxprocs or updatemaxprocs.",
	Gap: "A go line below 1.25 leaves the limit aside; raising it is the change to make there, and pawl diagnose -metrics shows a program that is held up. Without the call, the " +
		"environment variable GOMAXPROCS counts again. automaxprocs rounds the limit down and goes to 1; the runtime rounds up and stays at 2. go mod tidy removes the requirement.",
	Signature: "throttled periods in the container's cpu.stat; /sched/gomaxprocs:threads above the limit",
	Evidence: &rule.Evidence{
		Exempt: "the loss shows under a CPU limit below the machine's processors only, which a benchmark cannot set",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

const (
	automaxprocs = "go.uber.org/automaxprocs"
	off          = "which switches off that the runtime follows the CPU limit by itself"
)

func run(p *rule.Pass) {
	if p.Index.Imports("testing") || code.Setting(p.Fset, p.Files, "containermaxprocs") || code.Setting(p.Fset, p.Files, "updatemaxprocs") {
		return
	}
	imported(p)
	for _, call := range p.Index.Calls(automaxprocs+"/maxprocs", "Set") {
		p.Report(rule.Finding{Pos: call.Pos(), End: call.End(), Message: "maxprocs.Set sets GOMAXPROCS once, " + off})
	}
	if obj := p.Index.Object("runtime", "SetDefaultGOMAXPROCS"); obj != nil && len(p.Index.Uses(obj)) > 0 {
		return
	}
	called(p)
}

// imported reports automaxprocs, which acts by being imported.
func imported(p *rule.Pass) {
	if !p.Index.Imports(automaxprocs) {
		return
	}
	for _, file := range p.Files {
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != automaxprocs {
				continue
			}
			f := rule.Finding{Pos: spec.Pos(), End: spec.End(), Message: "automaxprocs sets GOMAXPROCS once, at start, " + off}
			if spec.Name != nil && spec.Name.Name == "_" {
				f.Fixes = []analysis.SuggestedFix{{
					Message: "Leave GOMAXPROCS to the runtime", TextEdits: code.DeleteImport(p.Fset, file, spec),
				}}
			}
			p.Report(f)
		}
	}
}

// called reports calls of runtime.GOMAXPROCS.
func called(p *rule.Pass) {
	sets := 0
	for _, call := range p.Index.Calls("runtime", "GOMAXPROCS") {
		if n, ok := code.Int(p.TypesInfo, call.Args[0]); !ok || n > 0 {
			sets++
		}
	}
	for cur, call := range p.Index.Calls("runtime", "GOMAXPROCS") {
		if !alone(cur) || asked(p, cur) {
			continue
		}
		f := rule.Finding{Pos: call.Pos(), End: call.End()}
		arg := call.Args[0]
		n, fixed := code.Int(p.TypesInfo, arg)
		switch {
		case fixed && n > 1 && starts(p, cur) && serves(p):
			f.Message = "runtime.GOMAXPROCS sets a fixed number, " + off
		case !fixed && machine(p, cur, arg):
			f.Message = "runtime.GOMAXPROCS sets the number of the machine's processors, whatever the container may use, " + off
			if inner, ok := ast.Unparen(arg).(*ast.CallExpr); ok && sets == 1 && code.IsFunc(p.TypesInfo, inner, "runtime", "NumCPU") {
				f.Fixes = remove(p, cur, call)
			}
		default:
			continue
		}
		p.Report(f)
	}
}

// remove deletes a call that is a statement of a function's body, and the
// import if nothing else needs it.
func remove(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) []analysis.SuggestedFix {
	stmt, ok := code.Stmt(cur)
	if !ok || stmt.Parent().ParentEdgeKind() != edge.FuncDecl_Body {
		return nil
	}
	return code.Fix("Leave GOMAXPROCS to the runtime", code.Remove(p, "runtime", stmt.Node())...)
}
