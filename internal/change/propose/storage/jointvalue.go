package storage

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// copied reads new(x) of Go 1.26, or a call of a function that returns a pointer to its argument.
func (j *joint) copied(call *ast.CallExpr) (partOf, bool) {
	ptr, ok := j.fn.Info().TypeOf(call).(*types.Pointer)
	if !ok {
		return partOf{}, false
	}
	arg := ast.Unparen(call.Args[0])
	typ, named := j.p.Reads(j.fn.File, ptr.Elem(), call.Pos())
	one := partOf{expr: call, typ: typ, of: ptr.Elem(), value: j.p.Source(j.fn.File, arg), reads: []ast.Expr{arg}}
	return one, named && j.measured(&one)
}

// aligned reports whether a part stands in front of the whole, as an atomic operation may need its address to be
// that of an allocation, on a platform of 32 bits.
func aligned(one partOf) bool {
	b, ok := one.of.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int64 || b.Kind() == types.Uint64)
}

// argument reports whether n is, or is evaluated for, a call within x that acts.
func (j *joint) argument(n, x ast.Node) bool {
	for at := n; at != nil; at = j.fn.File.Parent(at) {
		if e, ok := at.(ast.Expr); ok && j.acts(e) {
			return true
		}
		if at == x {
			return false
		}
	}
	return false
}

// order argues that nothing is evaluated in another order.
func (j *joint) order() model.Obligation {
	o := model.Obligation{Text: "nothing is evaluated in another order that shows", How: "proven", Why: "what the parts are made of neither acts nor changes"}
	if j.calls {
		o.Why = "all is assigned in one statement, which calls functions in the order in which they stood, and no call changes what else the parts are made of"
	}
	return o
}

// imports drops the import of a package that only made pointers.
func (j *joint) imports(edits []model.Edit) ([]model.Edit, *prove.Reason) {
	removed := map[string][]ast.Node{}
	for _, one := range j.parts {
		if call, ok := one.expr.(*ast.CallExpr); ok && code.Callee(j.fn.Info(), call) != nil {
			path := code.Callee(j.fn.Info(), call).Pkg().Path()
			removed[path] = append(removed[path], call.Fun)
		}
	}
	for path, gone := range removed {
		more, ok := j.p.Reimport(j.fn.File, j.whole.Pos(), nil, path, gone...)
		if !ok {
			return nil, prove.Refusef("the import of %s cannot be dropped", path)
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

// What is known to return a pointer to its argument, of other modules. A function of one of these names that has
// another signature does not count.
var pointing = map[string]map[string]bool{
	"google.golang.org/protobuf/proto":         code.Set("Bool Int32 Int64 Float32 Float64 Uint32 Uint64 String"),
	"github.com/golang/protobuf/proto":         code.Set("Bool Int32 Int64 Float32 Float64 Uint32 Uint64 String"),
	"github.com/gogo/protobuf/proto":           code.Set("Bool Int32 Int64 Float32 Float64 Uint32 Uint64 String"),
	"github.com/aws/aws-sdk-go/aws":            code.Set("Bool String Int Int8 Int16 Int32 Int64 Uint Uint8 Uint16 Uint32 Uint64 Float32 Float64 Time"),
	"github.com/aws/aws-sdk-go-v2/aws":         code.Set("Bool String Int Int8 Int16 Int32 Int64 Uint Uint8 Uint16 Uint32 Uint64 Float32 Float64 Time Duration"),
	"k8s.io/utils/ptr":                         code.Set("To"),
	"k8s.io/utils/pointer":                     code.Set("Bool String Int Int32 Int64 Uint Uint32 Uint64 Float32 Float64 Duration"),
	"github.com/Azure/go-autorest/autorest/to": code.Set("BoolPtr StringPtr IntPtr Int32Ptr Int64Ptr Float32Ptr Float64Ptr"),
}

// points reports whether a call returns a pointer to a new copy of its argument, and does nothing else.
func points(p *prove.Program, info *types.Info, call *ast.CallExpr) bool {
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) != 1 || code.IsInterfaceMethod(fn) {
		return false
	}
	sig := fn.Signature()
	if sig.Recv() != nil || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	ptr, ok := sig.Results().At(0).Type().(*types.Pointer)
	if !ok || !types.Identical(ptr.Elem(), sig.Params().At(0).Type()) {
		return false
	}
	if pointing[fn.Pkg().Path()][fn.Name()] {
		return true
	}
	decl := p.Function(fn)
	if decl == nil || len(decl.Decl.Body.List) != 1 {
		return false
	}
	ret, ok := decl.Decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	switch x := ast.Unparen(ret.Results[0]).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.AND && code.Var(decl.Info(), x.X) == decl.Obj.Signature().Params().At(0)
	case *ast.CallExpr:
		return code.Builtin(decl.Info(), x) == "new" && code.Var(decl.Info(), x.Args[0]) == decl.Obj.Signature().Params().At(0)
	}
	return false
}
