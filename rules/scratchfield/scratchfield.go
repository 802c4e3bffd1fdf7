// Package scratchfield finds small arrays in methods that are on the heap
// because a slice of them goes to an interface method.
package scratchfield

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "scratchfield",
	Title: "small array on the heap because its slice goes to an interface method",
	IDs:   []string{"C05"}, Seeds: []string{"002"},
	Tier: rule.Profiled, Fix: rule.B, Escapes: true,
	Why: "The method of an interface value is known only at run time. So the compiler must assume that the method keeps the slice, and moves the array " +
		"to the heap, once per call. A field of the receiver is there already.",
	WhenNot: "The slice is returned or stored, a function that is called by its name may keep it, or a function literal captures it. The receiver is a " +
		"value. The array is larger than a kilobyte. All callees are static, so that the compiler sees what they do.",
	Gap: "Only a profile or the compiler can tell whether the array is on the heap: it stays on the stack where the call is devirtualised. A method " +
		"that is called from two goroutines at once, or again before it returns, shares the field and must keep the array. There is no fix where the " +
		"type has a lock or is documented for concurrent use. The value grows by the array, and a nil receiver panics.",
	Signature: "runtime.newobject in alloc_objects, below the line that declares the array (“moved to heap” in go build -gcflags=-m)",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSeal", Metric: "allocs",
		Claimed: "the nonce as a field instead of a local array takes away the allocation of each message",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

// limit is the size in bytes up to which an array is small.
const limit = 1024

func run(p *rule.Pass) {
	eff := p.ResultOf[effects.Analyzer].(*effects.Effects)
	given, funcs := map[string]bool{}, flow.Funcs{}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil)) {
		fd := cur.Node().(*ast.FuncDecl)
		owner := owner(p, fd)
		if owner == nil || fd.Body == nil {
			continue
		}
		for at := range cur.Preorder((*ast.DeclStmt)(nil), (*ast.AssignStmt)(nil)) {
			a := &array{p: p, eff: eff, funcs: funcs, cur: at, decl: at.Node().(ast.Stmt), method: fd, owner: owner, lent: true, given: given}
			if fn, _ := code.Func(at); (fn == cur || a.captures(fn)) && a.declares() && a.stays() && a.dynamic != nil {
				a.report()
			}
		}
	}
}

// captures reports whether a function literal uses the receiver of the method around it, so
// that its field would be at hand.
func (a *array) captures(lit inspector.Cursor) bool {
	a.lent = false // several may run at a time
	names := a.method.Recv.List[0].Names
	return len(names) == 1 && !code.Deferred(lit.Parent()) && code.Mentions(a.p.TypesInfo, lit.Node(), a.p.TypesInfo.Defs[names[0]])
}

// owner returns the struct type of this package that a method with a pointer
// receiver belongs to, or nil.
func owner(p *rule.Pass, fd *ast.FuncDecl) *types.Named {
	f, _ := p.TypesInfo.Defs[fd.Name].(*types.Func)
	if f == nil || f.Signature().Recv() == nil {
		return nil
	}
	ptr, ok := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok || named.Obj().Parent() != p.Pkg.Scope() {
		return nil
	}
	return named
}

// An array is one declaration of a local array, or of a slice of constant size.
type array struct {
	p      *rule.Pass
	eff    *effects.Effects
	funcs  flow.Funcs
	cur    inspector.Cursor
	decl   ast.Stmt
	method *ast.FuncDecl
	owner  *types.Named

	v       *types.Var
	typ     string // of the array, as written
	exprs   []ast.Expr
	made    bool            // a slice: make([]byte, 8)
	tail    *types.Var      // what append makes of a slice of it
	dynamic *ast.CallExpr   // a call that makes it escape
	lent    bool            // all calls are known not to keep it
	given   map[string]bool // names of fields that other fixes add
}

// declares reads the declaration.
func (a *array) declares() bool {
	var name *ast.Ident
	var value ast.Expr
	switch d := a.decl.(type) {
	case *ast.DeclStmt:
		gd, ok := d.Decl.(*ast.GenDecl)
		if !ok || gd.Tok != token.VAR || len(gd.Specs) != 1 {
			return false
		}
		spec := gd.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) != 1 || len(spec.Values) != 0 {
			return false
		}
		name = spec.Names[0]
		a.exprs, a.typ = []ast.Expr{spec.Type}, a.p.Source(spec.Type)
	case *ast.AssignStmt:
		if d.Tok != token.DEFINE || len(d.Lhs) != 1 || len(d.Rhs) != 1 {
			return false
		}
		name, value = d.Lhs[0].(*ast.Ident), ast.Unparen(d.Rhs[0])
	}
	a.v, _ = a.p.TypesInfo.Defs[name].(*types.Var)
	return a.v != nil && (value == nil || a.value(value)) && a.small()
}

// value reads what a short declaration begins with: [8]byte{} or
// make([]byte, 8).
func (a *array) value(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.CompositeLit:
		if x.Type != nil && len(x.Elts) == 0 {
			a.exprs, a.typ = []ast.Expr{x.Type}, a.p.Source(x.Type)
			return true
		}
	case *ast.CallExpr:
		if !code.IsBuiltin(a.p.TypesInfo, x, "make") || len(x.Args) != 2 {
			return false
		}
		slice, ok := x.Args[0].(*ast.ArrayType)
		if n, constant := code.Int(a.p.TypesInfo, x.Args[1]); !ok || !constant || n <= 0 {
			return false
		}
		a.made, a.exprs = true, []ast.Expr{slice.Elt, x.Args[1]}
		a.typ = fmt.Sprintf("[%s]%s", a.p.Source(x.Args[1]), a.p.Source(slice.Elt))
		return true
	}
	return false
}

// small reports whether the array has elements of a basic type and fits a
// field.
func (a *array) small() bool {
	var elem types.Type
	var n int64
	switch t := a.v.Type().Underlying().(type) {
	case *types.Array:
		elem, n = t.Elem(), t.Len()
	case *types.Slice:
		if !a.made {
			return false
		}
		elem = t.Elem()
		n, _ = code.Int(a.p.TypesInfo, a.exprs[1])
	default:
		return false
	}
	b, ok := elem.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0 && n > 0 && n*a.p.TypesSizes.Sizeof(b) <= limit
}

// stays reports whether no use lets the array outlive the call of the method.
func (a *array) stays() bool {
	home, _ := code.Func(a.cur)
	return !slices.ContainsFunc(a.p.Index.Uses(a.v), func(cur inspector.Cursor) bool {
		fn, _ := code.Func(cur)
		return fn != home || !a.use(cur, a.made)
	})
}

// use reads one use of the array (or of a slice of it).
func (a *array) use(cur inspector.Cursor, slice bool) bool {
	x := cur.Node()
	switch p := cur.Parent().Node().(type) {
	case *ast.SliceExpr:
		return p.X != x || a.use(cur.Parent(), true)
	case *ast.IndexExpr:
		u, ok := cur.Parent().Parent().Node().(*ast.UnaryExpr)
		return p.X == x && (!ok || u.Op != token.AND)
	case *ast.RangeStmt:
		return p.X == x
	case *ast.CallExpr:
		if cur.ParentEdgeKind() == edge.CallExpr_Fun {
			return false
		}
		switch cur.Parent().Parent().Node().(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			return false
		}
		if slice && !a.made && flow.Extended(a.p.TypesInfo, p) == x {
			return a.extended(cur.Parent(), p)
		}
		return !slice || a.call(p, x.(ast.Expr))
	case *ast.AssignStmt:
		if slice && cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			call, ok := p.Rhs[min(cur.ParentEdgeIndex(), len(p.Rhs)-1)].(*ast.CallExpr)
			return ok && !a.made && flow.Extended(a.p.TypesInfo, call) != nil // see extended
		}
		return !slice // the array is copied
	case *ast.BinaryExpr:
		return !slice
	}
	return false
}

// extended follows what a call makes of a slice of the array by appending to it, also into
// the variable that holds it.
func (a *array) extended(cur inspector.Cursor, call *ast.CallExpr) bool {
	f := code.Callee(a.p.TypesInfo, call)
	dynamic := f != nil && code.IsInterfaceMethod(f)
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 {
		return a.call(call, call.Args[0]) && (dynamic || a.use(cur, true))
	}
	v := code.Var(a.p.TypesInfo, assign.Lhs[0])
	if !code.Local(v) || a.tail != nil {
		return v != nil && v == a.tail
	}
	if dynamic {
		a.dynamic = call
	}
	a.tail, a.lent = v, false // what is beyond the array's room is not the field's
	home, _ := code.Func(a.cur)
	return !slices.ContainsFunc(a.p.Index.Uses(v), func(use inspector.Cursor) bool {
		fn, _ := code.Func(use)
		return fn != home || !a.use(use, true)
	})
}

// call reads a call that gets a slice of the array. It is false where a
// function that is known by name may keep the slice or return it: then the
// array is needed beyond the method, and a field would be written over.
func (a *array) call(call *ast.CallExpr, arg ast.Expr) bool {
	info := a.p.TypesInfo
	fl := &flow.Flow{Func: a.funcs.Around(info, a.cur), Source: a.eff.Source(), NoLocals: true}
	fl.Argument(call, arg)
	kept := fl.Outlives()
	f, _ := typeutil.Callee(info, call).(*types.Func)
	switch {
	case f == nil:
		if v, ok := typeutil.Callee(info, call).(*types.Var); ok || kept && v == nil && !info.Types[call.Fun].IsType() && !info.Types[call.Fun].IsBuiltin() {
			a.dynamic, kept = call, true
		}
	case f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()):
		a.dynamic = call
	case f.Pkg() != nil && f.Pkg().Path() == "io" && (f.Name() == "ReadFull" || f.Name() == "ReadAtLeast"):
		a.dynamic = call
	case kept:
		return false
	case a.passes(call, arg):
		a.dynamic = call
	}
	a.lent = a.lent && !kept
	return true
}

// passes reports whether a function of the package hands what it gets on to a method of an
// interface.
func (a *array) passes(call *ast.CallExpr, arg ast.Expr) bool {
	v := code.Parameter(a.p.Index, a.p.TypesInfo, call, slices.Index(call.Args, arg))
	return v != nil && slices.ContainsFunc(a.p.Index.Uses(v), func(use inspector.Cursor) bool {
		to, ok := use.Parent().Node().(*ast.CallExpr)
		f := (*types.Func)(nil)
		if ok && use.ParentEdgeKind() == edge.CallExpr_Args {
			f = code.Callee(a.p.TypesInfo, to)
		}
		return f != nil && code.IsInterfaceMethod(f)
	})
}

func (a *array) report() {
	f := rule.Finding{
		Pos: a.decl.Pos(), End: a.decl.End(), Class: rule.N,
		Message: fmt.Sprintf("%s is allocated on each call of %s, because %s may keep the slice that it gets; a field of %s would be there already",
			a.v.Name(), a.method.Name.Name, a.p.Source(a.dynamic.Fun), a.owner.Obj().Name()),
	}
	if a.lent && !a.shared() {
		if edits := a.edits(); edits != nil {
			f.Class = rule.B
			f.Fixes = []analysis.SuggestedFix{{Message: "Make it a field", TextEdits: edits}}
		}
	}
	a.p.Report(f)
}
