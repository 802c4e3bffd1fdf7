package rule

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// A Pass is one rule on one package.
type Pass struct {
	*analysis.Pass
	Rule  Rule
	Index *index.Index

	settings *settings
	result   *Result
}

// A Finding is one place that a rule is sure of.
type Finding struct {
	Pos, End token.Pos // what the message is about; End may be NoPos
	Message  string    // one line, lower case, names what was seen
	// Class of this finding; empty means N without fixes, else the rule's.
	Class Class
	// Hot spans the code whose cost the finding explains, where that differs
	// from Pos to End: the loop that grows a map, say.
	Hot ast.Node
	// If lists conditions of which one must hold for the finding to be shown.
	If      []Condition
	Fixes   []analysis.SuggestedFix
	Related []analysis.RelatedInformation
}

// A Condition is something about the callers of a function.
type Condition struct {
	Kind ConditionKind
	// Func is the function, as [FuncID] names it.
	Func string
	// Holds is set when the package alone shows it.
	Holds bool
	Why   string // how it is known: "called in a loop at x.go:12"
}

// A ConditionKind is what must be true of a function's callers.
type ConditionKind string

// The conditions.
const (
	OnRequest ConditionKind = "request" // reached from a request handler
	InLoop    ConditionKind = "loop"    // called in a loop
)

// A Result is what a rule's analyzer returns: all findings, shown or not.
type Result struct{ Findings []Reported }

// Reported is a finding with what the driver needs to show it.
type Reported struct {
	Finding
	Suppressed bool // by a directive
	Ignore     token.Pos
}

var resultType = reflect.TypeFor[*Result]()

func newPass(pass *analysis.Pass, r Rule) *Pass {
	return &Pass{
		Pass: pass, Rule: r,
		Index:    pass.ResultOf[index.Analyzer].(*index.Index),
		settings: pass.ResultOf[Settings].(*settings),
		result:   &Result{},
	}
}

// Report takes a finding. It is dropped in generated files, in tests, and
// where the Go version is outside the rule's (see [Rule]).
func (p *Pass) Report(f Finding) {
	file := p.File(f.Pos)
	if file == nil || ast.IsGenerated(file) || p.IsTest(f.Pos) || !p.applies(f.Pos) {
		return
	}
	if f.Class == "" {
		f.Class = p.Rule.Fix
		if len(f.Fixes) == 0 {
			f.Class = N
		}
	}
	ignore := p.settings.ignored(p.Fset, f.Pos, p.Rule.Name)
	p.result.Findings = append(p.result.Findings, Reported{Finding: f, Suppressed: ignore.IsValid(), Ignore: ignore})
	if ignore.IsValid() || !p.shown(f) {
		return
	}
	fixes := f.Fixes
	if f.Class == N || f.Class == B && !p.settings.fixB {
		fixes = nil
	}
	p.Pass.Report(analysis.Diagnostic{
		Pos: f.Pos, End: f.End, Category: p.Rule.Name, Message: f.Message,
		SuggestedFixes: fixes, Related: f.Related,
	})
}

// shown decides for drivers other than pawl's own, which look at the results.
func (p *Pass) shown(f Finding) bool {
	if len(f.If) > 0 && !slices.ContainsFunc(f.If, func(c Condition) bool { return c.Holds }) {
		return false
	}
	if p.settings.skips(p.Rule.Name) || p.settings.known(p.Pass, p.Rule.Name, f) {
		return false
	}
	if p.settings.heat != nil {
		return p.hot(f) && Wants(p.settings.tier, p.Rule.Tier, true)
	}
	return Wants(p.settings.tier, p.Rule.Tier, false)
}

// Wants reports whether findings of a rule of tier t are shown when the user
// asks for tier asked ("", always, profiled, special or all); hot says that a
// profile gives them cost.
func Wants(asked string, t Tier, hot bool) bool {
	switch {
	case t == Obsolete:
		return false
	case asked == "all":
		return true
	case asked == "":
		return t == Always || t == Profiled && hot
	}
	return asked == string(t)
}

func (p *Pass) hot(f Finding) bool {
	from, to := f.span()
	share, _ := p.settings.heat.Of(p.Pkg.Path(), p.Fset, from, to)
	return share >= p.settings.minShare
}

// span returns the extent of the code whose cost the finding explains.
func (f Finding) span() (from, to token.Pos) {
	if f.Hot != nil {
		return f.Hot.Pos(), f.Hot.End()
	}
	if !f.End.IsValid() {
		return f.Pos, f.Pos
	}
	return f.Pos, f.End
}

// Span returns the extent of the code whose cost the finding explains.
func (r Reported) Span() (from, to token.Pos) { return r.span() }

// File returns the file that holds pos.
func (p *Pass) File(pos token.Pos) *ast.File {
	for _, f := range p.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// IsTest reports whether pos is in a _test.go file.
func (p *Pass) IsTest(pos token.Pos) bool {
	return strings.HasSuffix(p.Fset.Position(pos).Filename, "_test.go")
}

// Text returns the source between two positions of one file.
func (p *Pass) Text(from, to token.Pos) string {
	tf := p.Fset.File(from)
	data, err := p.ReadFile(tf.Name())
	a, b := tf.Offset(from), tf.Offset(to)
	if err != nil || b > len(data) || a > b {
		return ""
	}
	return string(data[a:b])
}

// Source returns the source of a node.
func (p *Pass) Source(n ast.Node) string { return p.Text(n.Pos(), n.End()) }

// FuncID names a function or method so that all packages agree:
// "net/http.(*Client).Do".
func FuncID(f *types.Func) string { return f.Origin().FullName() }

// Delete returns the edit that removes a statement, with its line where the
// line holds nothing else.
func (p *Pass) Delete(n ast.Node) analysis.TextEdit {
	tf := p.Fset.File(n.Pos())
	start, end := tf.LineStart(tf.Line(n.Pos())), token.Pos(tf.Base()+tf.Size())
	if line := tf.Line(n.End()); line < tf.LineCount() {
		end = tf.LineStart(line + 1)
	}
	before, after := strings.TrimSpace(p.Text(start, n.Pos())), strings.TrimSpace(p.Text(n.End(), end))
	if before != "" || after != "" && !strings.HasPrefix(after, "//") {
		return analysis.TextEdit{Pos: n.Pos(), End: n.End()}
	}
	return analysis.TextEdit{Pos: start, End: end}
}
