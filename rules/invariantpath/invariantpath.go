// Package invariantpath finds os.MkdirAll, filepath.Abs and filepath.Clean of
// a path that is the same in each iteration of a loop.
package invariantpath

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "invariantpath",
	Title: "MkdirAll, Abs or Clean of one path in each iteration",
	IDs:   []string{"C69"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A,
	Why: "MkdirAll asks the system about the directory each time, and Abs for the working directory; Clean and Join build the path anew. Once before " +
		"the loop is enough when the path does not change in it.",
	WhenNot: "The loop removes or renames files, changes the working directory, starts programs or waits, so that the directory may have to be made again. " +
		"The call is in a branch. The loop, or a function that it calls, may change what the path is computed from. A field is taken to stay where " +
		"the loop calls nothing of the program, or where the package that declares it never assigns it.",
	Gap: "Two things are assumed: nobody removes the directory during the loop, and no other package overwrites a whole value of an exported type. " +
		"Class A needs that each call in the loop is known and the path is made of local variables. Where functions of the program are called, or the " +
		"path is a field, the fix is class B. There is no fix where other work comes before the call in an iteration, because its failure would be " +
		"met earlier. There is none either where it is not known whether the loop runs.",
	Signature: "os.MkdirAll, path/filepath.Abs and path/filepath.Clean below a loop in CPU profiles; repeated newfstatat of one directory in a system call trace",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkAppend", Metric: "cpu",
		Claimed: "setting up path and directory on each open of the same file costs measurably in loops that append",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	names := code.Names{}
	for _, f := range []struct{ pkg, name string }{{"os", "MkdirAll"}, {"path/filepath", "Abs"}, {"path/filepath", "Clean"}} {
		for cur, call := range p.Index.Calls(f.pkg, f.name) {
			if s := look(p, cur, call, f.name); s != nil {
				s.names = names
				s.report()
			}
			if f.name == "MkdirAll" {
				through(p, cur, call)
			}
		}
	}
}

// A site is one call in the body of a loop whose path is always the same.
type site struct {
	p     *rule.Pass
	names code.Names
	call  *ast.CallExpr
	name  string           // MkdirAll, Abs or Clean
	cur   inspector.Cursor // the call
	stmt  inspector.Cursor // its statement, an element of the loop's body
	loop  inspector.Cursor
	fn    ast.Node

	args    []string          // as they read before the loop
	derived []*ast.AssignStmt // definitions in the body that args have taken in
	sure    bool              // the path is made of local variables and constants
	calls   calls
}

// calls is what is known of the calls in a loop.
type calls int

const (
	known   calls = iota // none of them removes anything
	unknown              // some belong to the program or are dynamic
	hostile              // some remove, rename, wait, or run programs
)

// look returns the site, or nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, name string) *site {
	loop, inLoop := code.Loop(cur)
	stmt, inList := code.Stmt(cur)
	if !inLoop || !inList || stmt.Parent().Node() != code.Body(loop.Node()) || !always(stmt, cur) {
		return nil
	}
	fn, ok := code.Func(loop)
	if !ok {
		return nil
	}
	s := &site{p: p, call: call, name: name, cur: cur, stmt: stmt, loop: loop, fn: fn.Node(), sure: true}
	for _, arg := range call.Args {
		text, ok := s.expand(arg)
		if !ok {
			return nil
		}
		s.args = append(s.args, text)
	}
	if s.endless() {
		return nil
	}
	s.calls = s.callsIn()
	if s.calls == hostile && s.lasting() || !s.sure && !s.kept() {
		return nil
	}
	return s
}

// lasting reports whether what the call finds or does depends on more than the
// path's text, which calls in the loop may undo.
func (s *site) lasting() bool { return s.name != "Clean" }

// always reports whether the expression at cur is evaluated whenever its
// statement is.
func always(stmt, cur inspector.Cursor) bool {
	for c := cur; c.Index() != stmt.Index(); c = c.Parent() {
		switch n := c.Parent().Node().(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && c.Node() == n.Y {
				return false
			}
		case *ast.IfStmt:
			if c.Node() != n.Init && c.Node() != n.Cond {
				return false
			}
		case *ast.DeferStmt, *ast.GoStmt, *ast.FuncLit, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
			return false
		}
	}
	return true
}

// endless reports whether the loop has no end of its own, or is fed by a
// channel: what was true when it began need not be true any more.
func (s *site) endless() bool {
	switch n := s.loop.Node().(type) {
	case *ast.ForStmt:
		return n.Cond == nil
	case *ast.RangeStmt:
		_, ok := s.p.TypesInfo.TypeOf(n.X).Underlying().(*types.Chan)
		return ok
	}
	return true
}

// expand returns an expression as it can be written before the loop: variables
// that the body defines are replaced by their values. ok is false if the value
// may differ between iterations.
func (s *site) expand(x ast.Expr) (text string, ok bool) {
	info := s.p.TypesInfo
	if info.Types[x].Value != nil {
		return s.p.Source(x), !code.MentionsOf(info, x, s.loop.Node())
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return s.expandVar(x)
	case *ast.BinaryExpr:
		a, ok1 := s.expand(x.X)
		b, ok2 := s.expand(x.Y)
		return a + " " + x.Op.String() + " " + b, ok1 && ok2 && x.Op == token.ADD
	case *ast.SelectorExpr:
		return s.expandField(x)
	case *ast.CallExpr:
		if !code.PathCall(info, x) || x.Ellipsis.IsValid() || info.Selections[fun(x)] != nil {
			return "", false
		}
		text := s.p.Source(x.Fun) + "("
		for i, arg := range x.Args {
			t, ok := s.expand(arg)
			if !ok {
				return "", false
			}
			if i > 0 {
				text += ", "
			}
			text += t
		}
		return text + ")", true
	}
	return "", false
}

func fun(call *ast.CallExpr) *ast.SelectorExpr {
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return sel
}

func (s *site) expandVar(id *ast.Ident) (string, bool) {
	v, ok := s.p.TypesInfo.ObjectOf(id).(*types.Var)
	switch {
	case !ok:
		return "", false
	case !code.Local(v):
		s.sure = false
		return id.Name, code.Steady(s.p.Index, s.p.TypesInfo, id, s.loop.Node().Pos(), s.loop.Node().End())
	case !code.Declares(s.loop.Node(), v):
		return id.Name, code.Invariant(s.p.Index, s.p.TypesInfo, id, s.loop.Node())
	}
	def, value := code.Origin(s.p.Index, s.p.TypesInfo, code.Body(s.loop.Node()), v)
	if def == nil || len(def.Lhs) != 1 {
		return "", false
	}
	s.derived = append(s.derived, def)
	text, ok := s.expand(value)
	if _, sum := ast.Unparen(value).(*ast.BinaryExpr); sum {
		text = "(" + text + ")"
	}
	return text, ok
}

// expandField reads x.f, or a variable of another package.
func (s *site) expandField(x *ast.SelectorExpr) (string, bool) {
	sel := s.p.TypesInfo.Selections[x]
	base := x.X
	for {
		inner, ok := ast.Unparen(base).(*ast.SelectorExpr)
		if !ok {
			break
		}
		base = inner.X
	}
	if sel != nil {
		v := code.Var(s.p.TypesInfo, base)
		if v == nil || code.Declares(s.loop.Node(), v) || sel.Kind() != types.FieldVal {
			return "", false
		}
		s.sure = s.sure && s.own(v)
	}
	if !code.Invariant(s.p.Index, s.p.TypesInfo, x, s.loop.Node()) {
		s.sure = false
	}
	return s.p.Source(x), code.Steady(s.p.Index, s.p.TypesInfo, x, s.loop.Node().Pos(), s.loop.Node().End())
}

// class returns A where every obligation of moving the call was proven.
func (s *site) class() rule.Class {
	if s.sure && (s.calls == known || !s.lasting()) {
		return rule.A
	}
	return rule.B
}

func (s *site) report() {
	f := rule.Finding{Pos: s.call.Pos(), End: s.call.End(), Hot: s.loop.Node()}
	switch s.name {
	case "MkdirAll":
		f.Message = "os.MkdirAll of the same directory in each iteration; once before the loop is enough"
	default:
		f.Message = fmt.Sprintf("filepath.%s of the same path in each iteration; once before the loop is enough", s.name)
	}
	if edits := s.hoist(); edits != nil {
		f.Class = s.class()
		f.Fixes = []analysis.SuggestedFix{{Message: "Do it before the loop", TextEdits: edits}}
	}
	s.p.Report(f)
}
