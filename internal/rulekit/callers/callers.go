// Package callers says how a function of a package is called: in a loop, on
// behalf of a request, or only while the program starts.
//
// The analyzer sees one package. Only a driver that holds the whole program can
// tell that a function is called in a loop of another package, or from its
// handler. It gets the [Edge]s of each package for that.
package callers

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/index"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Analyzer looks at a package's calls.
var Analyzer = &analysis.Analyzer{
	Name:       "pawlcallers",
	Doc:        "how the functions of a package are called",
	Requires:   []*analysis.Analyzer{index.Analyzer},
	ResultType: reflect.TypeFor[*Callers](),
	Run: func(pass *analysis.Pass) (any, error) {
		return look(pass, pass.ResultOf[index.Analyzer].(*index.Index)), nil
	},
}

// An Edge is a static call of one declared function in another, or of a
// function literal in it, which counts as its own code.
type Edge struct {
	From, To string // rule.FuncID; From is empty for package variables
	InLoop   bool
	InLit    bool   // in a function literal, so that it may happen later
	At       string // file:line
}

// Callers is what the calls of a package say.
type Callers struct {
	Edges []Edge
	// Handlers are the functions that serve requests, by [rule.FuncID]; the
	// value says how that is known. A literal stands for the function around it.
	Handlers map[string]string
	Starts   map[string]bool // main, init and TestMain
	Taken    map[string]bool // functions that are used as values, so that anyone may call them

	request map[string]string
	loop    map[string]string
	others  map[string][]Edge // by To
}

func look(pass *analysis.Pass, ix *index.Index) *Callers {
	c := &Callers{Handlers: map[string]string{}, Starts: map[string]bool{}, Taken: taken(pass, ix)}
	for cur := range ix.Inspect.Root().Preorder((*ast.CallExpr)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.CallExpr:
			if f := typeutil.StaticCallee(pass.TypesInfo, n); f != nil {
				at := pass.Fset.Position(n.Pos())
				c.Edges = append(c.Edges, Edge{From: enclosing(pass.TypesInfo, cur), To: rule.FuncID(f), InLoop: code.Looped(ix, pass.TypesInfo, cur), InLit: inLiteral(cur), At: place(at)})
			}
		case *ast.FuncDecl:
			f, ok := pass.TypesInfo.Defs[n.Name].(*types.Func)
			if !ok {
				continue
			}
			id := rule.FuncID(f)
			if n.Recv == nil && (n.Name.Name == "init" || n.Name.Name == "main" && pass.Pkg.Name() == "main" || n.Name.Name == "TestMain") {
				c.Starts[id] = true
			}
			if why := code.Serves(f.Signature()); why != "" {
				c.Handlers[id] = why
			}
		case *ast.FuncLit:
			if sig, ok := pass.TypesInfo.TypeOf(n).(*types.Signature); ok {
				if why := code.Serves(sig); why != "" {
					c.Handlers[enclosing(pass.TypesInfo, cur)] = why
				}
			}
		}
	}
	c.spread()
	return c
}

// taken returns the functions of the package that are used otherwise than by
// being called.
func taken(pass *analysis.Pass, ix *index.Index) map[string]bool {
	values := map[string]bool{}
	for _, obj := range pass.TypesInfo.Defs {
		f, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		calls := 0
		for range ix.CallsOf(f) {
			calls++
		}
		if calls < len(ix.Uses(f)) || !ix.Seen(f) {
			values[rule.FuncID(f)] = true
		}
	}
	return values
}

func place(at token.Position) string {
	name := at.Filename
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	at.Filename, at.Column = name, 0
	return at.String()
}

func enclosing(info *types.Info, cur inspector.Cursor) string {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		if f, ok := info.Defs[c.Node().(*ast.FuncDecl).Name].(*types.Func); ok {
			return rule.FuncID(f)
		}
	}
	return ""
}

func inLiteral(cur inspector.Cursor) bool {
	for range cur.Enclosing((*ast.FuncLit)(nil)) {
		return true
	}
	return false
}

// Later reports whether the node at cur is evaluated in a function literal that may run at
// any time. One that serves requests by its signature runs for each of them.
func Later(info *types.Info, cur inspector.Cursor) bool {
	for c := range cur.Enclosing((*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		lit, ok := c.Node().(*ast.FuncLit)
		if !ok || c.ParentEdgeKind() == edge.CallExpr_Fun {
			return false
		}
		sig, ok := info.TypeOf(lit).(*types.Signature)
		return !ok || code.Serves(sig) == ""
	}
	return false
}

// spread follows the edges from handlers and loops.
func (c *Callers) spread() {
	c.request, c.loop = map[string]string{}, map[string]string{}
	c.others = map[string][]Edge{}
	callees := map[string][]Edge{}
	for _, e := range c.Edges {
		callees[e.From] = append(callees[e.From], e)
		c.others[e.To] = append(c.others[e.To], e)
	}
	for id, why := range c.Handlers {
		c.follow(callees, c.request, id, why)
	}
	for _, e := range c.Edges {
		if e.InLoop {
			c.follow(callees, c.loop, e.To, "called in a loop at "+e.At)
		}
	}
}

func (c *Callers) follow(callees map[string][]Edge, seen map[string]string, id, why string) {
	if _, ok := seen[id]; ok {
		return
	}
	seen[id] = why
	for _, e := range callees[id] {
		c.follow(callees, seen, e.To, why)
	}
}

// OnRequest returns the condition that f runs on behalf of a request, with
// what this package says about it.
func (c *Callers) OnRequest(f *types.Func) rule.Condition {
	return condition(rule.OnRequest, f, c.request)
}

// InLoop returns the condition that f, or a caller of it, is called in a loop,
// with what this package says about it.
func (c *Callers) InLoop(f *types.Func) rule.Condition { return condition(rule.InLoop, f, c.loop) }

// Often lets a finding depend on that f runs for requests or in a loop, and adds what is
// [Known] to its message.
func (c *Callers) Often(finding *rule.Finding, f *types.Func) {
	finding.If = []rule.Condition{c.OnRequest(f), c.InLoop(f)}
	finding.Message += Known(f, finding.If...)
}

// Known says which of the conditions on f this package shows, as the end of a message:
// ", and f is called in a loop at a.go:12". It is empty where none is.
func Known(f *types.Func, either ...rule.Condition) string {
	for _, c := range either {
		if c.Holds {
			return ", and " + f.Name() + " is " + c.Why
		}
	}
	return ""
}

func condition(kind rule.ConditionKind, f *types.Func, known map[string]string) rule.Condition {
	if f == nil {
		return rule.Condition{Kind: kind}
	}
	id := rule.FuncID(f)
	why, ok := known[id]
	return rule.Condition{Kind: kind, Func: id, Holds: ok, Why: why}
}

// OnlyAtStart reports whether f is main, init or TestMain, or is unexported
// and called from nothing but such functions and package variables.
func (c *Callers) OnlyAtStart(f *types.Func) bool {
	return f != nil && c.atStart(rule.FuncID(f), f.Exported(), map[string]bool{})
}

func (c *Callers) atStart(id string, exported bool, seen map[string]bool) bool {
	if c.Starts[id] || id == "" {
		return true
	}
	if exported || c.Taken[id] || seen[id] || len(c.others[id]) == 0 {
		return false
	}
	seen[id] = true
	return !slices.ContainsFunc(c.others[id], func(e Edge) bool { return e.InLit || !c.atStart(e.From, exportedID(e.From), seen) })
}

// FromMethod reports whether f may be reached from a method of the package, or from one that
// holds it as a value.
func (c *Callers) FromMethod(f *types.Func) bool {
	seen := map[string]bool{}
	todo := []string{rule.FuncID(f)}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		if c.Taken[id] || strings.HasPrefix(id, "(") {
			return true
		}
		for _, e := range c.others[id] {
			todo = append(todo, e.From)
		}
	}
	return false
}

func exportedID(id string) bool { return token.IsExported(id[strings.LastIndexByte(id, '.')+1:]) }

// Merge returns what the calls of all the packages say together.
func Merge(all ...*Callers) *Callers {
	c := &Callers{Handlers: map[string]string{}, Starts: map[string]bool{}, Taken: map[string]bool{}}
	for _, one := range all {
		c.Edges = append(c.Edges, one.Edges...)
		maps.Copy(c.Handlers, one.Handlers)
		maps.Copy(c.Starts, one.Starts)
		maps.Copy(c.Taken, one.Taken)
	}
	c.spread()
	return c
}

// Holds completes a condition with what these callers say.
func (c *Callers) Holds(cond rule.Condition) rule.Condition {
	known := c.loop
	if cond.Kind == rule.OnRequest {
		known = c.request
	}
	if why, ok := known[cond.Func]; ok && !cond.Holds {
		cond.Holds, cond.Why = true, why
	}
	return cond
}
