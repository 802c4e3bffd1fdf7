package storage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

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
	of := one.of
	if one.slice != "" {
		of = of.(*types.Array).Elem()
	}
	b, ok := of.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int64 || b.Kind() == types.Uint64)
}

// free argues that nothing needs a part to be an allocation of its own.
func (j *joint) free(one partOf) (model.Obligation, *prove.Reason) {
	switch {
	case one.slice != "":
		return j.p.ElementsFree(one.of.(*types.Array).Elem())
	case aligned(one):
		return j.p.PointersAligned(one.of)
	}
	return j.p.PointersFree(one.of)
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

// between returns what the statement has beside the parts that a call of them may change and that is evaluated between its
// calls, nil for nothing. The calls of the parts come to stand before the rest of the whole, and all of it before the statement.
func (j *joint) between() ast.Expr {
	changes := func(in ast.Node) bool {
		return code.Here(in, func(e ast.Expr) bool { return j.acts(e) && !j.computes(e) }) != nil
	}
	within := func(e ast.Node) bool {
		return slices.ContainsFunc(j.parts, func(one partOf) bool { return code.Within(one.expr, e) })
	}
	parts, whole := slices.ContainsFunc(j.parts, func(one partOf) bool { return changes(one.expr) }), changes(j.whole)
	return code.Here(j.stmt, func(e ast.Expr) bool {
		moved := parts
		if !code.Within(j.whole, e) {
			moved = whole
		}
		return moved && early(j.fn.Info(), e) && !within(e) && !j.still(e)
	})
}

// computes reports whether what acts is a call that changes nothing, such as one of package math or a load of sync/atomic.
func (j *joint) computes(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := code.Callee(j.fn.Info(), call)
	return prove.HarmlessCall(j.fn.Info(), call) || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && strings.HasPrefix(fn.Name(), "Load")
}

// early reports whether the compiler evaluates an expression where it stands among the calls of a statement, and not when
// all of them are done, as it reads variables, fields and elements.
func early(info *types.Info, e ast.Expr) bool {
	list := func(e ast.Expr) bool { return code.May[*types.Slice](info.TypeOf(e)) }
	switch e := e.(type) {
	case *ast.SliceExpr, *ast.TypeAssertExpr:
		return true
	case *ast.CompositeLit:
		return code.May[*types.Map](info.TypeOf(e))
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() {
			return list(e) || list(e.Args[0])
		}
		return code.Builtin(info, e) != ""
	}
	return false
}

// looks reports whether an expression itself may panic, or looks at what a slice, a map or a channel holds.
func looks(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.SliceExpr, *ast.TypeAssertExpr:
		return true
	case *ast.CompositeLit:
		m, ok := code.Core(info.TypeOf(e)).(*types.Map)
		return ok && code.Inside(m.Key(), types.IsInterface)
	case *ast.BinaryExpr:
		return info.Types[e].Value == nil && mayPanic(info, e)
	case *ast.CallExpr:
		if info.Types[e].Value != nil || len(e.Args) == 0 {
			return false
		}
		of := info.TypeOf(e.Args[0])
		slice := code.May[*types.Slice](of)
		switch code.Builtin(info, e) {
		case "append":
			return true
		case "make":
			return slices.ContainsFunc(e.Args[1:], func(n ast.Expr) bool { return info.Types[n].Value == nil })
		case "len", "cap":
			_, array := code.Core(code.Pointee(of)).(*types.Array)
			_, list := code.Core(of).(*types.Slice)
			return !list && !array && !code.IsString(of)
		}
		_, same := code.Core(info.TypeOf(e)).(*types.Slice)
		return info.Types[e.Fun].IsType() && slice && !same
	}
	return false
}

// mayPanic reports whether an operator may panic: a division of integers, a shift, or a comparison of interfaces.
func mayPanic(info *types.Info, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.QUO, token.REM:
		return slices.ContainsFunc(code.Kinds(info.TypeOf(e)), code.IsInteger) && info.Types[e.Y].Value == nil
	case token.SHL, token.SHR:
		return info.Types[e.Y].Value == nil
	case token.EQL, token.NEQ:
		return !code.IsNil(info, e.X) && !code.IsNil(info, e.Y) && code.Inside(info.TypeOf(e.X), types.IsInterface)
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
	if decl == nil || len(decl.Decl.Body.List) != 1 || p.DeclaredElsewhere(decl) != "" {
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
