package flow

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Argument classifies an argument of a call.
func (fl *Flow) Argument(call *ast.CallExpr, e ast.Expr) {
	info := fl.Info
	arg := slices.Index(call.Args, e)
	if arg < 0 {
		return // the called expression itself
	}
	if Extended(info, call) == e && !Full(e) {
		fl.Extends = append(fl.Extends, call)
	}
	if info.Types[call.Fun].IsType() {
		fl.conversion(call)
		return
	}
	if b := code.Builtin(info, call); b != "" {
		fl.builtin(call, b, arg)
		return
	}
	fn := code.Callee(info, call)
	if fn == nil {
		fl.Leak(e, "passed to the function value %s", types.ExprString(call.Fun))
		return
	}
	if fn.FullName() == "fmt.Errorf" && code.ImplementsError(info.TypeOf(e)) {
		fl.Leak(e, "wrapped in an error")
		return
	}
	n := fn.Signature().Params().Len()
	if fn.Signature().Variadic() && arg >= n-1 {
		fl.hand(call, fn, n-1, !call.Ellipsis.IsValid())
		return
	}
	fl.hand(call, fn, arg, false)
}

// hand classifies a call by what its function does with the memory.
func (fl *Flow) hand(call *ast.CallExpr, fn *types.Func, index int, element bool) {
	fl.Calls = append(fl.Calls, Handing{call, fn, index})
	if fl.Spawned(call) {
		fl.Leak(call, "handed to a goroutine")
		return
	}
	eff := fl.Call(fn, index, element)
	fl.Assume(eff.Assumed)
	fl.NilSeen, fl.CapSeen = fl.NilSeen || eff.NilSeen, fl.CapSeen || eff.CapSeen
	if eff.Extends {
		fl.Extends = append(fl.Extends, call)
	}
	if eff.Keeps != "" {
		fl.Leak(call, "%s", eff.Keeps)
		return
	}
	if fl.Copied == nil || !fl.Copied(call) {
		fl.Given(call, eff.Results)
	}
}

// Given classifies results of a call, given as bits, which alias the memory.
func (fl *Flow) Given(call *ast.CallExpr, results uint64) {
	for i := range code.Callee(fl.Info, call).Signature().Results().Len() {
		if results&(1<<i) != 0 {
			fl.result(call, i)
		}
	}
}

// result classifies result i of a call, which aliases the memory.
func (fl *Flow) result(call *ast.CallExpr, i int) {
	if fn := code.Callee(fl.Info, call); fn.Signature().Results().Len() == 1 {
		fl.Expr(call)
		return
	}
	switch up := fl.Parent(call).(type) {
	case *ast.AssignStmt:
		fl.assign(up.Lhs[i], call)
	case *ast.ValueSpec:
		fl.assign(up.Names[i], call)
	case *ast.ReturnStmt:
		if fl.Literal(up) != nil {
			fl.Leak(call, "returned from a function literal")
			return
		}
		fl.Results |= 1 << i
	case *ast.ExprStmt:
	default:
		fl.Leak(call, "passed on by a call with several results")
	}
}

func (fl *Flow) conversion(call *ast.CallExpr) {
	from := fl.Info.TypeOf(call.Args[0])
	text := code.IsString(from) // which is copied into a slice, as a slice is into a string
	switch t := fl.Info.TypeOf(call).Underlying().(type) {
	case *types.Basic:
		if text || slices.ContainsFunc(code.Kinds(from), code.IsString) {
			fl.Expr(call)
		}
		if t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr {
			fl.Leak(call, "converted to %s", t)
		}
	case *types.Array:
	case *types.Slice, *types.Pointer:
		if !text {
			fl.Expr(call)
		}
	default:
		fl.Leak(call, "converted to %s", fl.Info.TypeOf(call))
	}
}

func (fl *Flow) builtin(call *ast.CallExpr, name string, arg int) {
	switch name {
	case "cap":
		fl.CapSeen = true
	case "len", "clear", "print", "println", "delete":
	case "copy":
		if arg == 1 && fl.leads(call.Args[1]) {
			fl.Leak(call, "copied with what it leads to")
		}
	case "append":
		if arg == 0 {
			if fl.Deep || !Full(call.Args[0]) || len(call.Args) == 1 || call.Ellipsis.IsValid() { // else it is copied
				fl.Expr(call)
			}
		} else if !call.Ellipsis.IsValid() || fl.leads(call.Args[1]) {
			fl.Leak(call, "appended to a slice")
		}
	default:
		fl.Leak(call, "passed to %s", name)
	}
}

// Full reports whether a slice is cut so that it has no room: s[i:j:j].
func Full(e ast.Expr) bool {
	cut, ok := ast.Unparen(e).(*ast.SliceExpr)
	return ok && cut.Slice3 && types.ExprString(cut.High) == types.ExprString(cut.Max)
}

// leads reports whether elements of a slice lead to memory that is followed too.
func (fl *Flow) leads(slice ast.Expr) bool {
	s, ok := code.Core(fl.Info.TypeOf(slice)).(*types.Slice)
	return fl.Deep && ok && code.HasPointers(s.Elem())
}

// A Summary says what a function does with one slice that it is given.
type Summary struct {
	Keeps   string // how it outlives the call; "" when it does not
	Results uint64 // results that may alias it, as bits
	Assumed []string
	NilSeen bool // whether it is nil can be told from outside
	CapSeen bool // so can its capacity
	Extends bool // it may be appended to by the function's own code; see Extended
}

// Outside returns what is known by its contract alone that a call of fn does with
// a parameter; see Source.
func Outside(fn *types.Func, index int, element bool) *Summary {
	c := ContractOf(fn)
	if c == nil || index < 0 {
		return &Summary{Keeps: "passed to " + code.CallName(fn) + ", which may keep it"}
	}
	if element && !c.Variadic {
		return &Summary{Keeps: "passed to " + code.CallName(fn) + " in a variadic list"}
	}
	s := &Summary{Assumed: []string{c.Says}, NilSeen: element || c.Nil}
	if (c.Appends || c.Alias) && index == 0 {
		s.Results = 1
	}
	return s
}
