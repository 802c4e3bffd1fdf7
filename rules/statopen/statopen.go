// Package statopen finds os.Stat that only asks whether a file is there, right
// before the file is opened.
package statopen

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "statopen",
	Title: "os.Stat only to see whether the file can be opened",
	IDs:   []string{"C64"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.B, Go: "go1.16",
	Why: "Opening looks the path up and reports whether it is there. Asking before costs a second system call and a FileInfo, and the answer may be " +
		"out of date when the file is opened.",
	WhenNot: "The FileInfo is used. The file is made when it is missing. Something happens between the two calls. Another path is opened.",
	Gap: "The error of a missing file says “open” where it said “stat”. A file that may not be opened, and a path that cannot be looked up, must lead " +
		"to the same branch as before. The fix moves the check behind the opening where the code shows that they do, and is absent elsewhere. Where " +
		"the file is mostly missing, opening costs as much as asking did, and only knowing the path beforehand is cheaper.",
	Signature: "os.Stat beside os.Open or os.ReadFile under one function in CPU profiles; pairs of newfstatat and openat of one path in a system call trace",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLoad", Metric: "cpu",
		Claimed: "a probe with os.Stat before each read adds a system call and path work to every read",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("os", "Stat") {
		if pr := look(p, cur, call); pr != nil {
			pr.report()
		}
		f, i := asks(p, cur, call)
		for at, probed := range p.Index.CallsOf(f) {
			if i < len(probed.Args) {
				named(p, at, probed, probed.Args[i])
			}
		}
	}
}

// asks returns the function of the package around an os.Stat that does nothing but say
// whether the file is there, and which parameter names the file.
func asks(p *rule.Pass, cur inspector.Cursor, stat *ast.CallExpr) (*types.Func, int) {
	decl, f := code.Decl(p.TypesInfo, cur)
	v := code.Var(p.TypesInfo, stat.Args[0])
	if f == nil || v == nil || f.Signature().Results().Len() != 1 || !types.Identical(f.Signature().Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil, 0
	}
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 {
		return nil, 0
	}
	alone := code.Only(p.TypesInfo, decl.Body, func(call *ast.CallExpr) bool {
		of := code.Callee(p.TypesInfo, call)
		return call == stat || of != nil && (code.FullName(of) == "os.IsNotExist" || code.FullName(of) == "errors.Is")
	})
	if blank, ok := assign.Lhs[0].(*ast.Ident); !ok || !alone || blank.Name != "_" {
		return nil, 0
	}
	if i := code.ParameterIndex(f.Signature(), v); i >= 0 {
		return f, i
	}
	return nil, 0
}

// named reports a call at cur of a function that says whether a file is there, if it is
// opened then, and not if it is not.
func named(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, path ast.Expr) {
	next := code.Where(cur)
	pr := &probe{p: p, call: call, path: path}
	if path != nil && len(next) > 0 && pr.opens(next[0]) {
		pr.report()
	}
}

// A probe is an os.Stat whose FileInfo is not used, followed by the opening of
// the same path.
type probe struct {
	p      *rule.Pass
	call   *ast.CallExpr
	path   ast.Expr
	assign *ast.AssignStmt
	err    *types.Var
	check  *ast.IfStmt
	stmt   inspector.Cursor // the check in its block
	own    bool             // the assignment is the check's own clause
	kind   kind
	open   *ast.CallExpr
	opened ast.Stmt // that holds open
}

// A kind is what the check says about the file.
type kind int

const (
	missing  kind = iota // err != nil
	notExist             // os.IsNotExist(err), errors.Is(err, fs.ErrNotExist)
	there                // err == nil
)

// look returns the probe, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *probe {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return nil
	}
	if blank, ok := assign.Lhs[0].(*ast.Ident); !ok || blank.Name != "_" {
		return nil
	}
	pr := &probe{p: p, call: call, path: call.Args[0], assign: assign, err: code.Var(p.TypesInfo, assign.Lhs[1])}
	if pr.err == nil || !pr.findCheck(cur.Parent()) || !pr.readKind() {
		return nil
	}
	var next []ast.Stmt
	if pr.kind == there {
		next = pr.check.Body.List
	} else if code.Departs(pr.check.Body) && pr.check.Else == nil {
		next = code.Following(pr.stmt)
	}
	if len(next) == 0 || !pr.opens(next[0]) {
		return nil
	}
	return pr
}

// findCheck finds the if statement whose clause the assignment is, or that
// follows it.
func (pr *probe) findCheck(assign inspector.Cursor) bool {
	if check, ok := assign.Parent().Node().(*ast.IfStmt); ok && assign.ParentEdgeKind() == edge.IfStmt_Init {
		pr.check, pr.own, pr.stmt = check, true, assign.Parent()
		at, ok := code.Stmt(pr.stmt)
		return ok && at.Node() == check // not an else if
	}
	next := code.Following(assign)
	if len(next) == 0 {
		return false
	}
	check, ok := next[0].(*ast.IfStmt)
	if !ok || check.Init != nil {
		return false
	}
	pr.check = check
	pr.stmt, ok = assign.NextSibling()
	return ok && pr.stmt.Node() == check
}

// readKind reads the condition.
func (pr *probe) readKind() bool {
	switch cond := ast.Unparen(pr.check.Cond).(type) {
	case *ast.BinaryExpr:
		if code.Var(pr.p.TypesInfo, cond.X) != pr.err || !pr.p.TypesInfo.Types[cond.Y].IsNil() {
			return false
		}
		pr.kind = missing
		if cond.Op == token.EQL {
			pr.kind = there
		}
		return cond.Op == token.EQL || cond.Op == token.NEQ
	case *ast.UnaryExpr: // !os.IsNotExist(err)
		pr.kind = there
		return cond.Op == token.NOT && pr.isNotExist(cond.X)
	default:
		pr.kind = notExist
		return pr.isNotExist(pr.check.Cond)
	}
}

func (pr *probe) isNotExist(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || code.Var(pr.p.TypesInfo, call.Args[0]) != pr.err {
		return false
	}
	if code.IsFunc(pr.p.TypesInfo, call, "os", "IsNotExist") {
		return true
	}
	if !code.IsFunc(pr.p.TypesInfo, call, "errors", "Is") || len(call.Args) != 2 {
		return false
	}
	sel, ok := ast.Unparen(call.Args[1]).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "ErrNotExist"
}

// opens reports whether a statement opens or reads the same path, and nothing
// before that.
func (pr *probe) opens(stmt ast.Stmt) bool {
	var x ast.Expr
	switch n := stmt.(type) {
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			x = n.Rhs[0]
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 1 {
			x = n.Results[0]
		}
	case *ast.IfStmt:
		if assign, ok := n.Init.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
			x = assign.Rhs[0]
		}
	}
	if x == nil {
		return false
	}
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := code.Callee(pr.p.TypesInfo, call)
	if f == nil || !slices.Contains([]string{"os.Open", "os.ReadFile", "os.Stat"}, code.FullName(f)) {
		return false
	}
	pr.open, pr.opened = call, stmt
	return code.SameExpr(pr.p.TypesInfo, pr.path, call.Args[0]) && code.Steady(pr.p.Index, pr.p.TypesInfo, pr.path, pr.call.Pos(), call.Pos())
}

func (pr *probe) report() {
	name := pr.p.Source(pr.open.Fun)
	pr.p.Report(rule.Finding{
		Pos: pr.call.Pos(), End: pr.call.End(),
		Message: fmt.Sprintf("%s only to see whether %s of the same path would find it; %[2]s says so itself, with one system call", pr.p.Source(pr.call.Fun), name),
		Fixes:   pr.fix(),
		Related: []analysis.RelatedInformation{{Pos: pr.open.Pos(), End: pr.open.End(), Message: "opened here"}},
	})
}
