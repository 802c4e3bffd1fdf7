package reflects

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// condition checks that the function literal given to FieldByNameFunc may be
// moved into a function of its own, whose parameters are the value and one
// string, and that its answer depends on nothing else but the value's type. It
// notes the string.
func (l *lookup) condition(p *prove.Program, fn *prove.Function) *prove.Reason {
	c := &matchCheck{lookup: l, fn: fn}
	ast.Inspect(l.match.Body, func(n ast.Node) bool {
		if c.why == nil && n != nil {
			c.node(n)
		}
		return c.why == nil
	})
	if c.why != nil {
		return prove.Refusef("the condition %s", c.why)
	}
	return nil
}

// A matchCheck looks at each node of a condition.
type matchCheck struct {
	*lookup
	fn  *prove.Function
	why *prove.Reason
}

func (c *matchCheck) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.TypeAssertExpr, *ast.CompositeLit:
		c.why = prove.Refuse("does more than compute")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW || n.Op == token.AND {
			c.why = prove.Refuse("does more than compute")
		}
	case *ast.Ident:
		c.ident(n)
	case *ast.CallExpr:
		c.call(n)
	}
}

// ident allows what the condition declares, constants, what packages export
// and the two variables.
func (c *matchCheck) ident(id *ast.Ident) {
	info := c.fn.Info()
	obj := info.Uses[id]
	if obj == nil || code.Declares(c.match, obj) {
		return
	}
	switch obj := obj.(type) {
	case *types.PkgName, *types.Builtin, *types.Nil:
	case *types.Const, *types.TypeName:
		if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
			c.why = prove.Refuse("uses " + id.Name + ", which is declared in " + c.fn.Obj.Name())
		}
	case *types.Func: // call looks at it
	case *types.Var:
		c.variable(id, obj)
	}
}

func (c *matchCheck) variable(id *ast.Ident, v *types.Var) {
	info := c.fn.Info()
	if v.IsField() {
		return
	}
	recv, _ := ast.Unparen(c.recv).(*ast.Ident)
	switch {
	case v.Pkg() == nil || v.Parent() == v.Pkg().Scope():
		c.why = prove.Refuse("reads the package variable " + id.Name)
	case code.WrittenIn(info, c.match, v):
		c.why = prove.Refuse("assigns to " + id.Name)
	case recv != nil && info.Uses[recv] == v:
		if sel, ok := c.fn.File.Parent(id).(*ast.SelectorExpr); !ok || sel.Sel.Name != "Type" && sel.Sel.Name != "Kind" {
			c.why = prove.Refuse("looks at " + id.Name + " itself, not only at its type")
		}
	case !types.Identical(v.Type(), types.Typ[types.String]):
		c.why = prove.Refuse("depends on " + id.Name + ", which is no string")
	case c.key != nil && info.Uses[c.key] != v:
		c.why = prove.Refuse("depends on two variables, " + c.key.Name + " and " + id.Name)
	default:
		c.key = id
	}
}

// call allows conversions, len, functions that only compute, and methods of
// reflect's descriptions of types.
func (c *matchCheck) call(call *ast.CallExpr) {
	info := c.fn.Info()
	if info.Types[call.Fun].IsType() || code.Builtin(info, call) == "len" {
		return
	}
	fn := code.Callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		c.why = prove.Refuse("calls " + types.ExprString(call.Fun))
		return
	}
	path, recv := fn.Pkg().Path(), code.ReceiverName(fn)
	switch {
	case recv == "" && path != "reflect" && effects.Computes(fn):
	case path == "reflect" && (recv == "StructTag" || recv == "StructField" || recv == "Kind"):
	case path == "reflect" && recv == "Type" && !code.TakesFunction(fn) && !strings.HasPrefix(fn.Name(), "Method"):
	case path == "reflect" && recv == "Value" && (fn.Name() == "Type" || fn.Name() == "Kind"):
	default:
		c.why = prove.Refuse("calls " + code.CallName(fn))
	}
}
