// Package boxing finds values that are put into an interface without need,
// where that allocates.
package boxing

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "boxing",
	Title: "value boxed into any on the way to code that could take its type",
	IDs:   []string{"C09"}, Seeds: []string{"000", "001", "004"},
	Tier: rule.Profiled, Fix: rule.N, Escapes: true,
	Why: "An interface holds a pointer. So a number, string, slice or struct that goes into one is copied to the heap first, and each use asks for its " +
		"type. A typed parameter, result or field, or a type parameter, does neither.",
	WhenNot: "The value is constant, below 256, a single byte, of size zero or pointer-shaped, and does not allocate. The call formats or logs. The " +
		"method belongs to an interface of another package, which prescribes any, or is also called with an any or nil. The callee only looks at the value, so that it stays on the stack. " +
		"The field or parameter goes into another any, for which the value would be boxed all the same.",
	Gap: "Only a profile or the compiler can tell whether the box is on the heap. There is no fix, because another type changes the interface between " +
		"the two sides. Stores to exported fields from other packages are not seen.",
	Signature: "runtime.convT64, convTstring, convTslice and convT in alloc_objects, below the line of the call or return",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkRecord", Metric: "allocs",
		Claimed: "typed arguments instead of ...any: 780 µs instead of 6.8 ms for a million calls", Ratio: 8.7,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer, effects.Analyzer)

func run(p *rule.Pass) {
	b := &boxer{p: p, eff: p.ResultOf[effects.Analyzer].(*effects.Effects), bodies: map[*types.Func]*ast.FuncDecl{}}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		fd := cur.Node().(*ast.FuncDecl)
		if f, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok && fd.Body != nil {
			b.bodies[f] = fd
		}
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		fd := cur.Node().(*ast.FuncDecl)
		f, _ := p.TypesInfo.Defs[fd.Name].(*types.Func)
		if b.bodies[f] == nil {
			continue
		}
		if hasAny(f.Signature().Params()) {
			for at, call := range p.Index.CallsOf(f) {
				b.call(at, call, f)
			}
		}
		if hasAny(f.Signature().Results()) && (f.Signature().Recv() == nil || !f.Exported()) {
			b.result(cur, f.Signature(), f.Name(), b.p.ResultOf[callers.Analyzer].(*callers.Callers).Taken[rule.FuncID(f)] || b.prescribed(f))
		}
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncLit)(nil)) {
		if sig, ok := p.TypesInfo.TypeOf(cur.Node().(ast.Expr)).(*types.Signature); ok && hasAny(sig.Results()) {
			b.result(cur, sig, "a function literal", !own(cur))
		}
	}
	b.fields()
}

// A boxer looks at one package.
type boxer struct {
	p      *rule.Pass
	eff    *effects.Effects
	bodies map[*types.Func]*ast.FuncDecl
}

// isAny reports whether a type is any; a named type of that kind has a meaning.
func isAny(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.Empty()
}

// hasAny reports whether one of the variables is an any or a ...any.
func hasAny(vars *types.Tuple) bool {
	for v := range vars.Variables() {
		if s, ok := v.Type().(*types.Slice); isAny(v.Type()) || ok && isAny(s.Elem()) {
			return true
		}
	}
	return false
}

// call reports a call in a loop of a function of this package.
func (b *boxer) call(cur inspector.Cursor, call *ast.CallExpr, f *types.Func) {
	if !code.Looped(b.p.Index, b.p.TypesInfo, cur) || call.Ellipsis.IsValid() || code.Rare(b.p.TypesInfo, cur) {
		return
	}
	for range cur.Enclosing((*ast.ReturnStmt)(nil)) {
		return // the loop ends here
	}
	var boxed []string
	sig := f.Signature()
	for i, arg := range call.Args {
		at := min(i, sig.Params().Len()-1)
		if t, _ := code.Takes(sig, call, i); isAny(t) && b.boxes(arg) && b.kept(f, at) && !b.mixed(f, at) {
			boxed = append(boxed, b.p.Source(arg)+" ("+types.TypeString(b.p.TypesInfo.TypeOf(arg), types.RelativeTo(b.p.Pkg))+")")
		}
	}
	if len(boxed) == 0 || b.prescribed(f) {
		return
	}
	b.p.Report(rule.Finding{
		Pos: call.Pos(), End: call.End(),
		Message: fmt.Sprintf("each iteration allocates to pass %s to %s as any; a typed or a type parameter would not", strings.Join(boxed, ", "), f.Name()),
		Related: []analysis.RelatedInformation{{Pos: f.Pos(), Message: f.Name() + " is declared here"}},
	})
}

// kept reports whether a parameter may outlive the call and is not merely
// formatted.
func (b *boxer) kept(f *types.Func, param int) bool {
	bit := param
	if f.Signature().Recv() != nil {
		bit++
	}
	v := f.Signature().Params().At(param)
	return b.eff.Of(f).Keeps&(1<<min(bit, 63)) != 0 && !b.unpacks(v) && !b.element(v) && !b.formats(f, v, 3)
}

// mixed reports whether a call of a method gives a parameter nil or what is an interface
// already: then there is no one type for it, and a method has no type parameters.
func (b *boxer) mixed(f *types.Func, param int) bool {
	if f.Signature().Recv() == nil {
		return false
	}
	for _, call := range b.p.Index.CallsOf(f) {
		if param < len(call.Args) {
			if tv := b.p.TypesInfo.Types[call.Args[param]]; tv.IsNil() || tv.Type != nil && types.IsInterface(tv.Type) {
				return true
			}
		}
	}
	return false
}

// element reports whether a parameter is only put into literals whose elements
// are any, such as a document for an encoder: there it is boxed whatever the
// parameter's type.
func (b *boxer) element(v *types.Var) bool {
	uses := b.p.Index.Uses(v)
	for _, cur := range uses {
		if cur.ParentEdgeKind() == edge.KeyValueExpr_Value {
			cur = cur.Parent()
		}
		if cur.ParentEdgeKind() != edge.CompositeLit_Elts {
			return false
		}
		t, ok := b.p.TypesInfo.TypeOf(cur.Parent().Node().(ast.Expr)).Underlying().(interface{ Elem() types.Type })
		if !ok || !isAny(t.Elem()) {
			return false
		}
	}
	return len(uses) > 0
}

// unpacks reports whether a parameter is only asked for what is in it, by
// assertions of concrete types, which leave the box on the stack.
func (b *boxer) unpacks(v *types.Var) bool {
	uses := b.p.Index.Uses(v)
	for _, cur := range uses {
		assert, ok := cur.Parent().Node().(*ast.TypeAssertExpr)
		if !ok {
			return false
		}
		if assert.Type != nil {
			if types.IsInterface(b.p.TypesInfo.TypeOf(assert.Type)) {
				return false
			}
			continue
		}
		for at := range cur.Enclosing((*ast.TypeSwitchStmt)(nil)) {
			if !b.concrete(at.Node().(*ast.TypeSwitchStmt)) {
				return false
			}
			break
		}
	}
	return len(uses) > 0
}

// concrete reports whether each case of a type switch gives a value of a
// concrete type, or nothing.
func (b *boxer) concrete(s *ast.TypeSwitchStmt) bool {
	_, binds := s.Assign.(*ast.AssignStmt)
	for _, stmt := range s.Body.List {
		list := stmt.(*ast.CaseClause).List
		if binds && len(list) != 1 {
			return false
		}
		for _, x := range list {
			if t := b.p.TypesInfo.TypeOf(x); t == nil || types.IsInterface(t) && !b.p.TypesInfo.Types[x].IsNil() {
				return false
			}
		}
	}
	return true
}

var formatting = map[string]bool{"fmt": true, "log": true, "log/slog": true, "testing": true, "errors": true}

// formats reports whether a function hands a parameter to fmt, a logger or
// code behind an interface that may do so; depth ends the search.
func (b *boxer) formats(f *types.Func, v *types.Var, depth int) bool {
	if depth == 0 {
		return true
	}
	for _, cur := range b.p.Index.Uses(v) {
		call, ok := cur.Parent().Node().(*ast.CallExpr)
		if !ok || cur.ParentEdgeKind() != edge.CallExpr_Args {
			continue
		}
		callee, ok := typeutil.Callee(b.p.TypesInfo, call).(*types.Func)
		if !ok && call.Ellipsis.IsValid() && typeutil.Callee(b.p.TypesInfo, call) != types.Universe.Lookup("append") {
			return true // a field or variable that logs
		}
		if !ok || callee == f {
			continue
		}
		recv := callee.Signature().Recv()
		if callee.Pkg() == nil || formatting[callee.Pkg().Path()] || recv != nil && types.IsInterface(recv.Type()) {
			return true
		}
		if b.bodies[callee.Origin()] == nil {
			if callee.Pkg() != b.p.Pkg && callee.Signature().Variadic() && call.Ellipsis.IsValid() {
				return true // some logger's Infof
			}
			continue
		}
		params := callee.Signature().Params()
		if at := min(cur.ParentEdgeIndex(), params.Len()-1); b.formats(callee.Origin(), callee.Origin().Signature().Params().At(at), depth-1) {
			return true
		}
	}
	return false
}

// prescribed reports whether a method belongs to an interface of a package
// that this one imports, or of this one: heap.Interface, sql.Scanner.
func (b *boxer) prescribed(f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil {
		return b.p.ResultOf[callers.Analyzer].(*callers.Callers).Taken[rule.FuncID(f)]
	}
	t := recv.Type()
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	for _, pkg := range append(b.p.Pkg.Imports(), b.p.Pkg) {
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			i, ok := tn.Type().Underlying().(*types.Interface)
			if !ok || i.Empty() {
				continue
			}
			if obj, _, _ := types.LookupFieldOrMethod(i, false, f.Pkg(), f.Name()); obj != nil && types.Implements(t, i) {
				return true
			}
		}
	}
	return false
}
