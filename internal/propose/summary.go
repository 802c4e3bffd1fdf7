package propose

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A paramKey names a parameter of a function; -1 is the receiver.
type paramKey struct {
	fn    string
	index int
}

// A summary says what a function does with one slice that it is given.
type summary struct {
	keeps   string // how it outlives the call; "" when it does not
	results uint64 // results that may alias it, as bits
	assumed []string
	nilSeen bool // whether it is nil can be told from outside
	capSeen bool // so can its capacity
}

// effect returns what a call of fn does with its parameter. element says that
// the slice is one of the values of a variadic parameter.
func (p *Program) effect(fn *types.Func, index int, element bool) *summary {
	if !isInterfaceMethod(fn) && p.local(fn) {
		if element {
			return &summary{keeps: "passed to " + fn.Name() + " in a variadic list"}
		}
		return p.summarize(fn, index)
	}
	c := contractOf(fn)
	if c == nil || index < 0 {
		return &summary{keeps: "passed to " + callName(fn) + ", which may keep it"}
	}
	if element && !c.variadic {
		return &summary{keeps: "passed to " + callName(fn) + " in a variadic list"}
	}
	s := &summary{assumed: []string{c.says}, nilSeen: element}
	if (c.appends || c.alias) && index == 0 {
		s.results = 1
	}
	return s
}

// summarize follows a parameter through the body of a function.
func (p *Program) summarize(fn *types.Func, index int) *summary {
	fn = fn.Origin()
	key := paramKey{fn.FullName(), index}
	if s := p.summaries[key]; s != nil {
		return s
	}
	decl := p.function(fn)
	if decl == nil {
		return &summary{keeps: "passed to " + callName(fn) + ", which has no Go body"}
	}
	// While it is being worked out, a recursive call counts as keeping it.
	p.summaries[key] = &summary{keeps: "passed to " + fn.Name() + ", which calls itself"}
	sig := fn.Signature()
	v := sig.Recv()
	if index >= 0 {
		v = sig.Params().At(index)
	}
	s := &summary{assumed: p.sameElsewhere(decl)}
	if v.Name() != "" && v.Name() != "_" {
		fl := p.follow(decl, v)
		s.results, s.nilSeen, s.capSeen = fl.results, fl.nilSeen, fl.capSeen
		s.assumed = append(s.assumed, fl.assumed...)
		if len(fl.leaks) > 0 {
			s.keeps = fmt.Sprintf("passed to %s, where it is %s", fn.Name(), fl.leaks[0].why)
		}
	}
	p.summaries[key] = s
	return s
}

func callName(fn *types.Func) string {
	if recv := receiverName(fn); recv != "" {
		return recv + "." + fn.Name()
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// callee returns the function or method that a call names, nil for calls of
// function values, conversions, builtins and method expressions (whose first
// argument is the receiver).
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return nil
		}
	}
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// builtin returns the name of the builtin that a call names, or "".
func builtin(info *types.Info, call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}
