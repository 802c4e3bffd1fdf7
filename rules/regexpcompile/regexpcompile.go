// Package regexpcompile finds regular expressions with constant patterns that
// are compiled anew at each call of a function.
package regexpcompile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
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
	Name:  "regexpcompile",
	Title: "constant regular expression compiled inside a function",
	IDs:   []string{"C43"}, Seeds: []string{"000"},
	Tier: rule.Always, Fix: rule.A,
	Why: "Compiling parses the pattern, simplifies it and builds a program: microseconds and dozens of allocations, on every call, for a result that is " +
		"always the same. regexp.MatchString and its kin compile inside. A *regexp.Regexp is safe for use by many goroutines.",
	WhenNot: "The pattern is not constant. The function runs while the program starts only. The expression is compiled once and kept (sync.Once, a package " +
		"variable, a field). An expression that is returned, stored, handed to a closure or used throughout a loop is reported only where the " +
		"function is known to run in a loop or for a request. So is one in a function that only the program's own code calls.",
	Gap: "A package variable is compiled when the program starts, even if the function never runs; for a large pattern that is rarely needed, " +
		"sync.OnceValue is better. The rule compiled the pattern, so MustCompile cannot panic.",
	Signature: "regexp.compile, regexp/syntax.Parse and regexp.compileOnePass in CPU and alloc_objects profiles, below the line of the call",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkValid", Metric: "cpu",
		Claimed: "compiling inside a function costs many times what matching costs",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

var compilers = map[string]func(string) (*regexp.Regexp, error){
	"Compile": regexp.Compile, "MustCompile": regexp.Compile, "CompilePOSIX": regexp.CompilePOSIX, "MustCompilePOSIX": regexp.CompilePOSIX,
	"Match": regexp.Compile, "MatchString": regexp.Compile, "MatchReader": regexp.Compile,
}

func run(p *rule.Pass) {
	if !p.Index.Imports("regexp") {
		return
	}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	hoist, shared := code.NewPackageVars(p.Pass), map[string]variable{}
	for _, name := range []string{"Compile", "MustCompile", "CompilePOSIX", "MustCompilePOSIX", "Match", "MatchString", "MatchReader"} {
		for cur, call := range p.Index.Calls("regexp", name) {
			c := &compile{p: p, calls: calls, hoist: hoist, shared: shared, cur: cur, call: call, name: name}
			if !p.IsTest(call.Pos()) && c.applies() {
				c.report()
			}
			if len(call.Args) != 1 || code.Var(p.TypesInfo, call.Args[0]) == nil {
				continue
			}
			for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) { // of a function that compiles what it is given
				o := &compile{p: p, calls: calls, hoist: hoist, shared: shared, cur: at, call: outer, name: name}
				if len(outer.Args) == 1 && !p.IsTest(outer.Pos()) && o.applies() {
					o.report()
				}
			}
		}
	}
}

// A compile is one call that compiles a constant pattern in a function.
type compile struct {
	p     *rule.Pass
	calls *callers.Callers
	hoist *code.PackageVars
	// shared are the variables that fixes of the package declare, by file and value.
	shared map[string]variable
	cur    inspector.Cursor
	call   *ast.CallExpr
	name   string
	decl   *ast.FuncDecl
	fn     *types.Func
	// v is the variable that holds the expression, where one does.
	v    *types.Var
	uses []inspector.Cursor
	// here is set when the expression is used by this call of the function
	// alone, and not throughout a loop.
	here bool
	// kept is set when it may outlive the call.
	kept bool
}

func (c *compile) matches() bool { return strings.HasPrefix(c.name, "Match") }

func (c *compile) applies() bool {
	pattern, ok := code.String(c.p.TypesInfo, c.call.Args[0])
	if !ok {
		return false
	}
	if _, err := compilers[c.name](pattern); err != nil {
		return false
	}
	c.decl, c.fn = code.Decl(c.p.TypesInfo, c.cur)
	if c.decl == nil || c.decl.Name.Name == "init" && !c.looped(c.cur) || c.once() || c.starting() || !c.follow() {
		return false
	}
	return !plain(pattern) || !c.onlyMatches()
}

func (c *compile) looped(cur inspector.Cursor) bool {
	return code.Looped(c.p.Index, c.p.TypesInfo, cur)
}

// once reports whether the call is in a literal that runs at most once.
func (c *compile) once() bool {
	for lit := range c.cur.Enclosing((*ast.FuncLit)(nil)) {
		if code.Once(c.p.TypesInfo, lit) {
			return true
		}
	}
	return false
}

// starting reports whether the call is made while the program starts, once.
func (c *compile) starting() bool {
	if !c.calls.OnlyAtStart(c.fn) || c.looped(c.cur) || c.calls.InLoop(c.fn).Holds {
		return false
	}
	for range c.cur.Enclosing((*ast.FuncLit)(nil)) {
		return !c.calls.OnRequest(c.fn).Holds
	}
	return true
}

// follow finds out what becomes of the expression; it is false for one that
// is kept in a package variable.
func (c *compile) follow() bool {
	if c.matches() {
		c.here = true
		return true
	}
	var id *ast.Ident
	switch parent := c.cur.Parent().Node().(type) {
	case *ast.SelectorExpr: // regexp.MustCompile(…).MatchString
		c.here = reads(c.cur)
		c.kept = !c.here
		return true
	case *ast.AssignStmt:
		id, _ = parent.Lhs[0].(*ast.Ident)
		if len(parent.Rhs) != 1 {
			id = nil
		}
	case *ast.ValueSpec:
		if len(parent.Values) == 1 {
			id = parent.Names[0]
		}
	}
	c.kept = true
	if id == nil {
		c.here = c.handed()
		return true
	}
	v, _ := c.p.TypesInfo.ObjectOf(id).(*types.Var)
	if v == nil || !code.Local(v) {
		return v != nil && v.IsField()
	}
	if c.p.TypesInfo.Defs[id] == nil || code.Written(c.p.Index, c.p.TypesInfo, v, c.decl) {
		return true // assigned to, elsewhere or here
	}
	c.v, c.uses = v, c.p.Index.Uses(v)
	c.here, c.kept = true, false
	for _, use := range c.uses {
		c.kept = c.kept || !reads(use)
		c.here = c.here && reads(use) && c.together(use)
	}
	return true
}

// handed reports whether the function does nothing but return the expression to callers
// that match with it at once.
func (c *compile) handed() bool {
	n := 0
	for cur := range code.Wrapped(c.p.Index, c.p.TypesInfo, c.cur) {
		if n++; !reads(cur) || c.looped(cur) {
			return false
		}
	}
	return n > 0
}

// reads reports whether the expression at cur is the receiver of a method that
// does not change it.
func reads(cur inspector.Cursor) bool {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	return ok && cur.ParentEdgeKind() == edge.SelectorExpr_X && cur.Parent().ParentEdgeKind() == edge.CallExpr_Fun &&
		sel.Sel.Name != "Longest" && sel.Sel.Name != "UnmarshalText"
}

// together reports whether a use is in the same function or literal as the
// call, and in the same loop.
func (c *compile) together(use inspector.Cursor) bool {
	f, _ := code.Func(c.cur)
	g, _ := code.Func(use)
	l, _ := code.Loop(c.cur)
	m, in := code.Loop(use)
	return f.Index() == g.Index() && (!in || l.Index() == m.Index())
}

// repeated reports whether the function is for others to call, as often as
// they like: it is exported by a package that anyone may import, such a
// function calls it, or nobody is seen to call it.
func (c *compile) repeated() bool {
	path := "/" + c.p.Pkg.Path() + "/"
	public := c.p.Pkg.Name() != "main" && !strings.Contains(path, "/internal/")
	others := map[string][]string{}
	for _, e := range c.calls.Edges {
		others[e.To] = append(others[e.To], e.From)
	}
	seen := map[string]bool{}
	for todo := []string{rule.FuncID(c.fn)}; len(todo) > 0; {
		id := todo[0]
		todo = todo[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		todo = append(todo, others[id]...)
		exported := token.IsExported(id[strings.LastIndexByte(id, '.')+1:])
		if public && exported || !exported && len(others[id]) == 0 && !c.calls.Starts[id] && !c.calls.Taken[id] && id != "" {
			return true
		}
	}
	return false
}

// plain reports whether a pattern is text that package strings finds: then
// the rule regexpliteral speaks of it.
func plain(pattern string) bool {
	re, err := regexp.Compile(strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$"))
	if err != nil {
		return false
	}
	_, complete := re.LiteralPrefix()
	return complete
}

// onlyMatches reports whether the expression does nothing but match.
func (c *compile) onlyMatches() bool {
	uses := c.uses
	if c.v == nil {
		uses = []inspector.Cursor{c.cur}
	}
	for _, use := range uses {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !c.matches() && (!ok || sel.Sel.Name != "MatchString" && sel.Sel.Name != "Match") {
			return false
		}
	}
	return c.name != "MatchReader"
}

func (c *compile) report() {
	f := rule.Finding{Pos: c.call.Pos(), End: c.call.End()}
	f.Message = fmt.Sprintf("%s of a constant pattern compiles it on every call of %s; a package variable compiles it once", c.p.Source(c.call.Fun), c.caller())
	switch {
	case c.looped(c.cur):
		f.Message = fmt.Sprintf("%s of a constant pattern in a loop compiles it in every iteration; a package variable compiles it once", c.p.Source(c.call.Fun))
	case !c.here && code.Conditional(c.cur):
		return // kept, perhaps, and not compiled a second time
	case !c.here || !c.repeated():
		f.If = []rule.Condition{c.calls.InLoop(c.fn), c.calls.OnRequest(c.fn)}
	}
	if edits := c.edits(); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Compile once, in a package variable", TextEdits: edits}}
		f.Class = rule.A
		if c.kept || !c.hoist.AfterInit(c.calls, c.fn) {
			f.Class = rule.B
		}
	}
	c.p.Report(f)
}

// caller names the function that compiles, as the message shows it.
func (c *compile) caller() string {
	for range c.cur.Enclosing((*ast.FuncLit)(nil)) {
		return "a function literal in " + c.fn.Name()
	}
	return c.fn.Name()
}
