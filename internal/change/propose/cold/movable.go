package cold

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// constructors have the functions that make a value of their arguments, read nothing and do nothing else, by
// package. They do not panic, whatever they are given.
var constructors = map[string]string{
	"bytes":           "NewReader NewBuffer NewBufferString",
	"strings":         "NewReader Split SplitN SplitAfter SplitAfterN Fields",
	"bufio":           "NewReader NewWriter NewScanner",
	"encoding/json":   "NewEncoder NewDecoder",
	"encoding/xml":    "NewEncoder NewDecoder",
	"encoding/gob":    "NewEncoder NewDecoder",
	"encoding/csv":    "NewReader NewWriter",
	"encoding/base64": "NewEncoder NewDecoder",
	"errors":          "New",
	"container/list":  "New",
	"math/big":        "NewInt",
	"net":             "ParseIP",
}

// constructs reports whether a function is one of them.
func constructs(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Signature().Recv() == nil && flow.NameMatches(constructors[fn.Pkg().Path()], fn.Name())
}

// A movable says why expressions cannot be evaluated later.
type movable struct {
	*early
	region *ast.BlockStmt
	says   []string // what is relied on
}

// value says why an expression may have another value later, do something else, or panic.
func (m *movable) value(e ast.Expr) *prove.Reason {
	info := m.fn.Info()
	if tv := info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsNil() {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return nil // it runs when it is called
	case *ast.CompositeLit:
		return m.elements(e)
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
			return m.elements(lit)
		}
	case *ast.CallExpr:
		return m.call(e)
	case *ast.Ident:
		if _, ok := info.Uses[e].(*types.Func); ok {
			return nil
		}
	case *ast.SelectorExpr:
		switch obj := info.Uses[e.Sel].(type) {
		case *types.Func:
			if obj.Signature().Recv() == nil {
				return nil
			}
		case *types.Var:
			if obj.Pkg() != nil && obj.Pkg().Path() == "os" {
				m.relies("nobody sets os." + obj.Name() + " meanwhile")
				return nil
			}
		}
	}
	if !m.reads(e) {
		return prove.Refuse(types.ExprString(e) + " reads what may change meanwhile")
	}
	return m.same(e)
}

// reads reports whether an expression is a value of its own: variables, fields of them, and what is computed
// of these.
func (m *movable) reads(e ast.Expr) bool {
	return !code.Any(e, func(x ast.Expr) bool {
		switch x.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			return true
		}
		return false
	})
}

func (m *movable) elements(lit *ast.CompositeLit) *prove.Reason {
	_, isMap := code.Core(m.fn.Info().TypeOf(lit)).(*types.Map)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if isMap && m.fn.Info().Types[kv.Key].Value == nil {
				return prove.Refuse("a key of " + prove.Short(types.ExprString(lit)) + " is not constant")
			}
			e = kv.Value
		}
		if why := m.value(e); why != nil {
			return why
		}
	}
	return nil
}

// call says so of a conversion, a builtin, or a call of a function that only makes something.
func (m *movable) call(call *ast.CallExpr) *prove.Reason {
	info, what := m.fn.Info(), prove.Short(types.ExprString(call))
	builtin, fn, args := code.Builtin(info, call), code.Callee(info, call), call.Args
	switch {
	case info.Types[call.Fun].IsType():
		if !m.converts(call) {
			return prove.Refuse(what + " copies what may change meanwhile, or may panic")
		}
	case builtin == "new":
		return nil
	case builtin == "make":
		for _, n := range call.Args[1:] {
			if !prove.NotNegative(info, n) {
				return prove.Refuse(types.ExprString(n) + " may be negative: making it may panic")
			}
		}
		args = args[1:]
	case builtin == "len":
		return m.same(call)
	case constructs(fn):
		m.relies(code.CallName(fn) + " only makes what it returns: its documentation")
	case prove.Computes(info, call) && !m.prints(call):
		m.relies(code.CallName(fn) + " has no effect, does not panic, and depends on its arguments only: its documentation")
	default:
		return prove.Refuse(what + " may do more than to make a value")
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for _, a := range args {
		if why := m.value(a); why != nil {
			return why
		}
	}
	return nil
}

// prints reports whether a call makes a text of interfaces, whose methods would run later.
func (m *movable) prints(call *ast.CallExpr) bool {
	return code.Callee(m.fn.Info(), call).Pkg().Path() == "fmt"
}

// same says why an expression may have another value later, or panic.
func (m *movable) same(e ast.Expr) *prove.Reason {
	if same, why := (&prove.Invariant{Prog: m.p, Fn: m.fn, Stmt: m.region}).Same(e); !same {
		return cmp.Or(why, prove.Refuse(types.ExprString(e)+" may have another value there, or do something"))
	}
	return nil
}

// converts reports whether a conversion gives the same value later: of numbers and strings, not of bytes that
// may be written, nor of slices to arrays.
func (m *movable) converts(call *ast.CallExpr) bool {
	from, to := m.fn.Info().TypeOf(call.Args[0]), m.fn.Info().TypeOf(call)
	_, basic := from.Underlying().(*types.Basic)
	if code.IsTypeParam(to) && types.IsInterface(code.Core(to)) {
		return basic
	}
	return basic || types.IsInterface(code.Core(to)) || types.Identical(code.Core(from), code.Core(to))
}

func (m *movable) relies(says string) {
	if !slices.Contains(m.says, says) {
		m.says = append(m.says, says)
	}
}
