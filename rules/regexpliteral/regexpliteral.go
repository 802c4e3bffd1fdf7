// Package regexpliteral finds regular expressions that match plain text, which
// package strings finds faster.
package regexpliteral

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp/syntax"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "regexpliteral",
	Title: "regular expression where a function of package strings would do",
	IDs:   []string{"C44"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A,
	Why: "A match runs the expression's machine over the text. For plain text, at the start, at the end or anywhere, strings.HasPrefix, HasSuffix, " +
		"Contains and == compare bytes without a machine, and without compiling.",
	WhenNot: "The pattern has operators, flags such as (?i) or (?m), or groups. More is asked than whether it matches. The expression may be another one " +
		"at run time (an exported or reassigned variable, a field that is set in several places).",
	Gap: "An expression that is handed to a function which matches with it is reported where it is handed over, and one in a field where it " +
		"matches, without a fix. The expression's variable stays where something else uses it. One that is handed on could be changed by its " +
		"UnmarshalText, so the fix is a proposal there. Text with U+FFFD is left alone, because expressions match invalid UTF-8 with it.",
	Signature: "regexp.(*Regexp).doExecute, doOnePass, backtrack and regexp.(*inputString).index in CPU profiles, below the line of the match",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkAccount", Metric: "cpu",
		Claimed: "prefix, suffix and substring tests are far cheaper than the expression that says the same",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if !p.Index.Imports("regexp") {
		return
	}
	vars := code.NewPackageVars(p.Pass)
	locals := map[*types.Var][]*match{}
	var order []*types.Var
	for _, name := range []string{"MatchString", "Match", "FindStringIndex", "FindIndex"} {
		for cur, call := range p.Index.Method("regexp", "Regexp", name) {
			m := &match{p: p, vars: vars, call: call, at: cur, text: strings.Contains(name, "String")}
			if p.IsTest(call.Pos()) || !m.asked(name) {
				continue
			}
			if !m.method() {
				handed(m)
				continue
			}
			if m.v != nil && code.Local(m.v) {
				if locals[m.v] == nil {
					order = append(order, m.v)
				}
				locals[m.v] = append(locals[m.v], m)
				continue
			}
			m.report()
		}
	}
	for _, v := range order {
		reportLocal(v, locals[v])
	}
	for _, name := range []string{"MatchString", "Match"} {
		for cur, call := range p.Index.Calls("regexp", name) {
			m := &match{p: p, vars: vars, call: call, at: cur, text: name == "MatchString", pair: true}
			if !p.IsTest(call.Pos()) && len(call.Args) == 2 && m.plain(call.Args[0], syntax.Perl) {
				m.arg = call.Args[1]
				m.report()
			}
		}
	}
}

// handed reports the calls of a function that matches with an expression it is given,
// where that one is plain.
func handed(m *match) {
	sel, ok := ast.Unparen(m.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	for at, x := range code.Given(m.p.Index, m.p.TypesInfo, m.at, sel.X) {
		g := &match{p: m.p, vars: m.vars, call: m.call, at: at, text: m.text}
		if at != m.at && !m.p.IsTest(x.Pos()) && g.expression(x) {
			m.p.Report(rule.Finding{Pos: x.Pos(), End: x.End(), Message: g.message()})
		}
	}
}

// A match asks whether a plain pattern matches.
type match struct {
	p    *rule.Pass
	vars *code.PackageVars
	call *ast.CallExpr
	at   inspector.Cursor // what is replaced: the call, or its comparison with nil, or the negation of that
	not  bool             // what is replaced is the negation
	text bool             // the argument is a string, not bytes
	pair bool             // regexp.MatchString, which has an error as well
	held bool             // a field holds the expression
	arg  ast.Expr

	v            *types.Var // the variable that holds the expression
	init         ast.Node   // its declaration
	literal      string
	begin, final bool
}

// asked reads what is asked of the result: whether there is a match.
func (m *match) asked(name string) bool {
	if len(m.call.Args) != 1 {
		return false
	}
	m.arg = m.call.Args[0]
	if strings.HasPrefix(name, "Find") {
		b, ok := m.at.Parent().Node().(*ast.BinaryExpr)
		if !ok || b.X != ast.Expr(m.call) || !m.p.TypesInfo.Types[b.Y].IsNil() {
			return false
		}
		m.at, m.not = m.at.Parent(), b.Op.String() == "=="
	}
	if m.at.ParentEdgeKind() == edge.UnaryExpr_X && m.at.Parent().Node().(*ast.UnaryExpr).Op.String() == "!" {
		m.at, m.not = m.at.Parent(), !m.not
	}
	return true
}

// method reads the expression that the method is called on.
func (m *match) method() bool {
	sel, ok := ast.Unparen(m.call.Fun).(*ast.SelectorExpr)
	return ok && m.expression(sel.X)
}

// expression reads a regular expression: compiled in place, or a variable or field that
// never holds another.
func (m *match) expression(x ast.Expr) bool {
	x = ast.Unparen(x)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		if x = stored(m.p, code.Named(m.p.TypesInfo, sel)); x == nil {
			return false
		}
		m.held = true
	}
	if id, ok := x.(*ast.Ident); ok {
		m.v, _ = m.p.TypesInfo.Uses[id].(*types.Var)
		if m.v == nil || !code.Local(m.v) && (m.v.Exported() || m.v.Pkg() != m.p.Pkg) {
			return false
		}
		if m.init, x = initializer(m.p, m.v); x == nil || code.Written(m.p.Index, m.p.TypesInfo, m.v, nil) {
			return false
		}
	}
	compile, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(compile.Args) != 1 {
		return false
	}
	switch {
	case code.IsFunc(m.p.TypesInfo, compile, "regexp", "MustCompile"):
		return m.plain(compile.Args[0], syntax.Perl)
	case code.IsFunc(m.p.TypesInfo, compile, "regexp", "MustCompilePOSIX"):
		return m.plain(compile.Args[0], syntax.POSIX)
	}
	return false
}

// stored returns the one value that the package stores in a field of its own, nil if there
// are several, or another package may store one.
func stored(p *rule.Pass, v *types.Var) (value ast.Expr) {
	if v == nil || !v.IsField() || v.Exported() || v.Pkg() != p.Pkg {
		return nil
	}
	for _, use := range p.Index.Uses(v) {
		switch {
		case use.ParentEdgeKind() == edge.KeyValueExpr_Key && value == nil:
			value = use.Parent().Node().(*ast.KeyValueExpr).Value
		case use.ParentEdgeKind() != edge.SelectorExpr_Sel || code.Writes(p.TypesInfo, use.Parent()):
			return nil
		}
	}
	return value
}

// initializer returns the declaration of a variable that declares it alone,
// and its value.
func initializer(p *rule.Pass, v *types.Var) (ast.Node, ast.Expr) {
	file := p.File(v.Pos())
	if file == nil {
		return nil, nil
	}
	cur, ok := p.Index.Inspect.Root().FindByPos(v.Pos(), v.Pos())
	if !ok {
		return nil, nil
	}
	switch n := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			return n, n.Rhs[0]
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if name.Pos() == v.Pos() && len(n.Values) == len(n.Names) {
				return n, n.Values[i]
			}
		}
	}
	return nil, nil
}

// plain reads a pattern: text, with ^ before or $ after it. Flags and groups
// are not taken, nor is $ where it means the end of a line.
func (m *match) plain(pattern ast.Expr, flags syntax.Flags) bool {
	s, ok := code.String(m.p.TypesInfo, pattern)
	if !ok {
		return false
	}
	re, err := syntax.Parse(s, flags)
	if err != nil {
		return false
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		m.begin, parts = true, parts[1:]
	}
	if n := len(parts); n > 0 && parts[n-1].Op == syntax.OpEndText {
		m.final, parts = true, parts[:n-1]
	}
	if len(parts) == 1 && parts[0].Op == syntax.OpLiteral && parts[0].Flags&syntax.FoldCase == 0 {
		m.literal = string(parts[0].Rune)
		return !strings.ContainsRune(m.literal, '\uFFFD')
	}
	return len(parts) == 0 && m.begin && m.final
}

func (m *match) message() string {
	return fmt.Sprintf("the pattern is plain text: %s finds it without a regular expression", m.function())
}

// function names what does the same.
func (m *match) function() string {
	pkg := "strings"
	if !m.text {
		pkg = "bytes"
	}
	switch {
	case m.begin && m.final:
		return "=="
	case m.begin:
		return pkg + ".HasPrefix"
	case m.final:
		return pkg + ".HasSuffix"
	}
	return pkg + ".Contains"
}

// class is A unless the expression is handed to code that could change it.
func (m *match) class() rule.Class {
	if m.v == nil {
		return rule.A
	}
	for _, use := range m.p.Index.Uses(m.v) {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || use.ParentEdgeKind() != edge.SelectorExpr_X || use.Parent().ParentEdgeKind() != edge.CallExpr_Fun || sel.Sel.Name == "UnmarshalText" {
			return rule.B
		}
	}
	if !code.Local(m.v) && m.vars.Elsewhere(m.v.Name()) {
		return rule.B // a file that is not seen may assign it
	}
	return rule.A
}

// report is for expressions that are compiled in place or kept in a package
// variable.
func (m *match) report() {
	f := rule.Finding{Pos: m.call.Pos(), End: m.call.End(), Message: m.message()}
	if edits, path := m.edits(); edits != nil && !m.held {
		nodes, more := m.leftover()
		f.Class, f.Fixes = m.class(), m.fix(append(edits, more...), []string{path}, nodes)
	}
	m.p.Report(f)
}

// fix completes the edits by the imports; removed is what goes.
func (m *match) fix(edits []analysis.TextEdit, paths []string, removed []ast.Node) []analysis.SuggestedFix {
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == "" })
	imports, ok := code.Reimport(m.p, m.call.Pos(), paths, "regexp", removed...)
	if !ok {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Use " + m.function(), TextEdits: append(edits, imports...)}}
}

// reportLocal is for a local variable, which must go when its last use does:
// where all uses are matches, one fix replaces them all.
func reportLocal(v *types.Var, all []*match) {
	first := all[0]
	whole := len(all) == len(first.p.Index.Uses(v))
	assign, isAssign := first.init.(*ast.AssignStmt)
	var edits []analysis.TextEdit
	var paths []string
	for _, m := range all {
		one, path := m.edits()
		if one == nil {
			return
		}
		if !whole {
			m.report()
			continue
		}
		edits, paths = append(edits, one...), append(paths, path)
	}
	if !whole {
		return
	}
	f := rule.Finding{Pos: first.call.Pos(), End: first.call.End(), Message: first.message()}
	if isAssign && first.aloneInBlock(assign) {
		edits = append(edits, first.p.Delete(assign))
		f.Class, f.Fixes = rule.A, first.fix(edits, paths, []ast.Node{assign})
	}
	first.p.Report(f)
}
