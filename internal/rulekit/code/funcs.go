package code

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// CallName returns the name of fn for a reader: Type.Method or pkg.Func.
func CallName(fn *types.Func) string {
	if recv := ReceiverName(fn); recv != "" {
		return recv + "." + fn.Name()
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// FullName names a function with the path of its package: "fmt.Sprintf", or
// "net/url.URL.String" for a method whatever its receiver.
func FullName(fn *types.Func) string {
	name := fn.Name()
	if recv := ReceiverName(fn); recv != "" {
		name = recv + "." + name
	}
	if fn.Pkg() == nil {
		return name
	}
	return fn.Pkg().Path() + "." + name
}

// TakesFunction reports whether a parameter of fn is a function.
func TakesFunction(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// Callee returns the function or method that a call names, nil for calls of
// function values, conversions, builtins and method expressions (whose first
// argument is the receiver).
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return nil
		}
	}
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// Takes returns the type that a function of a type takes argument i of a call as, nil if that is not known, and whether the
// parameter is for this argument only.
func Takes(fn types.Type, call *ast.CallExpr, i int) (t types.Type, own bool) {
	if fn == nil {
		return nil, false
	}
	sig, ok := fn.Underlying().(*types.Signature)
	if !ok || i < 0 {
		return nil, false
	}
	switch last := sig.Params().Len() - 1; {
	case i < last || i == last && !sig.Variadic():
		return sig.Params().At(i).Type(), true
	case !sig.Variadic():
		return nil, false
	default:
		t = sig.Params().At(last).Type()
	}
	if list, ok := t.(*types.Slice); ok && !call.Ellipsis.IsValid() {
		t = list.Elem()
	}
	return t, false
}

// Builtin returns the name of the builtin that a call names, or "".
func Builtin(info *types.Info, call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// ReceiverName returns the name of the type that fn is a method of, "" for a
// function and "?" for a method of an unnamed type.
func ReceiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	if n, ok := types.Unalias(Pointee(recv.Type())).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}

// typeList writes types without the names of variables.
func typeList(t *types.Tuple) string {
	var s []string
	for v := range t.Variables() {
		s = append(s, spelled(v.Type()))
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// spelled writes a type. Other names for byte, or for slices of it, are written as that.
func spelled(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		return "[]" + spelled(t.Elem())
	case *types.Basic:
		if t.Kind() == types.Byte {
			return "byte"
		}
	}
	return types.TypeString(t, nil)
}

// IsInterfaceMethod reports whether a call of fn is dispatched at run time.
func IsInterfaceMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// SignatureOf writes a function type without the names of its parameters.
func SignatureOf(t types.Type) string {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return typeList(sig.Params()) + " " + typeList(sig.Results())
	}
	return types.TypeString(t.Underlying(), nil)
}

// PointerReceiver reports whether what a selection names is no method, or one with a
// pointer receiver.
func PointerReceiver(s *types.Selection) bool {
	fn, ok := s.Obj().(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return true
	}
	_, ptr := fn.Signature().Recv().Type().Underlying().(*types.Pointer)
	return ptr
}

// Addressing reports whether x.m takes the address of the variable x: m has a
// pointer receiver, and x is no pointer.
func Addressing(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || ThroughPointer(s) || types.IsInterface(s.Recv()) {
		return false
	}
	_, ptr := s.Recv().Underlying().(*types.Pointer)
	return !ptr && PointerReceiver(s)
}

// Promotes reports whether what a selection names is promoted by a field: it goes through that without its name.
func Promotes(field *types.Var, s *types.Selection) bool {
	t, path := s.Recv(), s.Index()
	for _, index := range path[:len(path)-1] {
		str, ok := Pointee(t).Underlying().(*types.Struct)
		if !ok {
			return false
		}
		if str.Field(index).Origin() == field.Origin() {
			return true
		}
		t = str.Field(index).Type()
	}
	return false
}

// ThroughPointer reports whether a promoted field or method is reached through
// an embedded pointer.
func ThroughPointer(s *types.Selection) bool {
	t, path := s.Recv(), s.Index()
	if s.Kind() == types.MethodVal {
		path = path[:len(path)-1]
	}
	for i, index := range path {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			if i > 0 {
				return true
			}
			t = ptr.Elem()
		}
		str, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		t = str.Field(index).Type()
	}
	if _, ptr := t.Underlying().(*types.Pointer); ptr && s.Kind() == types.MethodVal && len(path) > 0 {
		return true
	}
	return false
}
