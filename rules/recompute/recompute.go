// Package recompute finds results of what never changes that are computed for each
// request or iteration.
package recompute

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "recompute",
	Title: "what follows from stable data is computed for each request",
	IDs:   []string{"C74"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "A template that is parsed, a schema that is decoded or an index that is built from what the program was made with gives the same each time. A " +
		"package variable, or sync.OnceValue, computes it once.",
	WhenNot: "The result is changed by who gets it. It is kept already, in a map or behind a sync.Once. The data changes: a variable that is assigned " +
		"anywhere but where it is declared and in init, or whose elements are.",
	Gap: "Those who share the result must not change it, and a large one stays in memory. The rule does not see what another package may " +
		"change, nor what comes from a file or a database that seldom does: caching that needs to know when it is out of date.",
	Signature: "the same large subtree in CPU and alloc_space profiles below each handler",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkKeys", Metric: "cpu",
		Claimed: "the key fields of a schema that is decoded for each request take 67 µs; kept, they take 89 ns", Ratio: 750,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

// costly are functions that are worth keeping the result of; a method's receiver
// counts as an argument.
var costly = strings.Fields(`encoding/json.Marshal encoding/json.MarshalIndent encoding/json.Unmarshal encoding/xml.Marshal encoding/xml.Unmarshal
	text/template.Template.Parse html/template.Template.Parse text/template.ParseFS html/template.ParseFS strings.NewReplacer time.LoadLocation
	net/url.Parse net.ParseCIDR net/netip.MustParsePrefix net/netip.ParsePrefix crypto/x509.ParseCertificate encoding/pem.Decode math/big.Int.SetString`)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		f, s := code.Callee(p.TypesInfo, call), stable{p, cur}
		_, decl := code.Decl(p.TypesInfo, cur)
		if f == nil || decl == nil || f == decl || !s.same(call, f) || code.Memoized(p.TypesInfo, cur) || calls.OnlyAtStart(decl) {
			continue
		}
		finding := rule.Finding{Pos: call.Pos(), End: call.End(), Message: p.Source(call.Fun) + " computes the same each time; once, for all, is enough"}
		if !code.Looped(p.Index, p.TypesInfo, cur) {
			calls.Often(&finding, decl)
		}
		p.Report(finding)
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.RangeStmt)(nil)) {
		m := stable{p, cur}.built()
		_, decl := code.Decl(p.TypesInfo, cur)
		if m == nil || decl == nil || code.Memoized(p.TypesInfo, cur) || calls.OnlyAtStart(decl) {
			continue
		}
		finding := rule.Finding{Pos: cur.Node().Pos(), End: code.Body(cur.Node()).Lbrace, Message: m.Name() + " is filled with the same each time; once, for all, is enough"}
		if !code.Looped(p.Index, p.TypesInfo, cur) {
			calls.Often(&finding, decl)
		}
		p.Report(finding)
	}
}

// A stable tells what is the same whenever it is asked for, once the program has
// started.
type stable struct {
	p  *rule.Pass
	at inspector.Cursor // of who asks
}

// same reports whether a call is costly and computes from stable values alone.
func (s stable) same(call *ast.CallExpr, f *types.Func) bool {
	if fd := s.p.Index.Decl(f); fd != nil {
		return s.values(call, call.Args) && s.computes(fd, 0) && loops(fd)
	}
	if !slices.Contains(costly, code.FullName(f)) {
		return false
	}
	if f.Name() == "Unmarshal" {
		return s.values(call, call.Args[:1]) // the other is what is written
	}
	return s.values(call, call.Args)
}

// values reports whether all of some expressions are stable, and, of a method of the
// package, what it is called on.
func (s stable) values(call *ast.CallExpr, all []ast.Expr) bool {
	f := code.Callee(s.p.TypesInfo, call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.Pkg() == s.p.Pkg && f.Signature().Recv() != nil {
		if !s.receiver(sel.X) {
			all = append(slices.Clone(all), sel.X)
		} else if !s.reads(f) {
			return false
		}
	}
	return !slices.ContainsFunc(all, func(x ast.Expr) bool { return !s.value(x) })
}

// value reports whether an expression is a constant, a package variable that nothing
// changes, or one around a literal that serves requests, a part of one, or made of such.
func (s stable) value(x ast.Expr) bool {
	if s.p.TypesInfo.Types[x].Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := s.p.TypesInfo.Uses[x].(*types.Var)
		return ok && (s.variable(v) || s.around(v))
	case *ast.SelectorExpr:
		sel := s.p.TypesInfo.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && (s.value(x.X) || s.field(x))
	case *ast.CallExpr: // a conversion
		return len(x.Args) == 1 && s.p.TypesInfo.Types[x.Fun].IsType() && s.value(x.Args[0])
	}
	return false
}

// variable reports whether a package variable of this package keeps its value: it is
// not exported, and assigned nowhere but in init, nor are its parts.
func (s stable) variable(v *types.Var) bool {
	if v.IsField() || code.Local(v) || v.Pkg() != s.p.Pkg || v.Exported() {
		return false
	}
	for _, use := range s.p.Index.Uses(v) {
		_, decl := code.Decl(s.p.TypesInfo, use)
		if s.changes(use) && (decl == nil || decl.Name() != "init" || decl.Signature().Recv() != nil) {
			return false
		}
	}
	return true
}

// around reports whether a variable around a literal that serves requests has its value
// before the literal is there.
func (s stable) around(v *types.Var) bool {
	return !callers.Later(s.p.TypesInfo, s.at) && code.Surrounds(s.p.Index, s.p.TypesInfo, s.at, v) && !slices.ContainsFunc(s.p.Index.Uses(v), s.changes)
}

// changes reports whether a variable, or anything that it leads to, is assigned at a
// use, or may be by who gets it.
func (s stable) changes(use inspector.Cursor) bool {
	if code.Writes(s.p.TypesInfo, use) {
		return true
	}
	for at := use; ; at = at.Parent() {
		switch at.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.ParenExpr_X, edge.StarExpr_X, edge.SliceExpr_X:
			if code.Writes(s.p.TypesInfo, at.Parent()) {
				return true
			}
			continue
		case edge.CallExpr_Args: // delete, clear, copy and append store into what they get first
			call := at.Parent().Node().(*ast.CallExpr)
			return slices.Contains([]string{"delete", "clear", "copy", "append"}, code.Builtin(s.p.TypesInfo, call)) && call.Args[0] == at.Node()
		}
		return false
	}
}

// deepest is how many calls below a function are looked at.
const deepest = 3

// computes reports whether a function does nothing but compute from its parameters and
// stable variables: it changes only what it made, and calls only what does the same.
func (s stable) computes(fd *ast.FuncDecl, depth int) bool {
	info := s.p.TypesInfo
	return depth < deepest && !code.Any(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.FuncLit:
			return true
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			return ok && !v.IsField() && !code.Local(v) && !s.variable(v)
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
			return slices.ContainsFunc(code.Assigned(n), func(x ast.Expr) bool { return !s.own(fd, x) })
		case *ast.CallExpr:
			return !s.quiet(n, depth)
		}
		return false
	})
}

// own reports whether what is assigned belongs to a variable of the function that is
// no parameter.
func (s stable) own(fd *ast.FuncDecl, x ast.Expr) bool {
	for {
		switch n := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, ok := s.p.TypesInfo.ObjectOf(n).(*types.Var)
			return n.Name == "_" || ok && code.Declares(fd.Body, v)
		case *ast.IndexExpr:
			x = n.X
		case *ast.SelectorExpr:
			x = n.X
		default:
			return false
		}
	}
}

// quiet reports whether a call computes only.
func (s stable) quiet(call *ast.CallExpr, depth int) bool {
	if s.p.TypesInfo.Types[call.Fun].IsType() || code.Builtin(s.p.TypesInfo, call) != "" {
		return code.Builtin(s.p.TypesInfo, call) != "recover"
	}
	f := code.Callee(s.p.TypesInfo, call)
	if f == nil || f.Pkg() == nil || code.IsInterfaceMethod(f) {
		return false
	}
	if fd := s.p.Index.Decl(f); fd != nil {
		return s.computes(fd, depth+1)
	}
	switch f.Pkg().Path() {
	case "strings", "strconv", "slices", "sort", "maps", "unicode", "bytes", "math", "encoding/json", "path", "errors":
		return true
	}
	return code.FullName(f) == "fmt.Sprintf" || code.FullName(f) == "fmt.Errorf"
}

// loops reports whether a function does something for each of many.
func loops(fd *ast.FuncDecl) bool {
	return code.Any(fd.Body, func(n ast.Stmt) bool { return code.Body(n) != nil })
}
