package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// condition checks that the function literal given to FieldByNameFunc may be
// moved into a function of its own, whose parameters are the value and one
// string, and that its answer depends on nothing else but the value's type. It
// notes the string.
func (l *lookup) condition(p *Program, fn *function) string {
	c := &matchCheck{lookup: l, fn: fn}
	ast.Inspect(l.match.Body, func(n ast.Node) bool {
		if c.why == "" && n != nil {
			c.node(n)
		}
		return c.why == ""
	})
	if c.why != "" {
		return fmt.Sprintf("the condition %s", c.why)
	}
	return ""
}

// A matchCheck looks at each node of a condition.
type matchCheck struct {
	*lookup
	fn  *function
	why string
}

func (c *matchCheck) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.TypeAssertExpr, *ast.CompositeLit:
		c.why = "does more than compute"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW || n.Op == token.AND {
			c.why = "does more than compute"
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
	info := c.fn.info()
	obj := info.Uses[id]
	if obj == nil || within(c.match, identAt(obj)) {
		return
	}
	switch obj := obj.(type) {
	case *types.PkgName, *types.Builtin, *types.Nil:
	case *types.Const, *types.TypeName:
		if obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() {
			c.why = "uses " + id.Name + ", which is declared in " + c.fn.obj.Name()
		}
	case *types.Func: // call looks at it
	case *types.Var:
		c.variable(id, obj)
	}
}

func (c *matchCheck) variable(id *ast.Ident, v *types.Var) {
	info := c.fn.info()
	if v.IsField() {
		return
	}
	recv, _ := ast.Unparen(c.recv).(*ast.Ident)
	switch {
	case v.Pkg() == nil || v.Parent() == v.Pkg().Scope():
		c.why = "reads the package variable " + id.Name
	case assigned(info, c.match, v):
		c.why = "assigns to " + id.Name
	case recv != nil && info.Uses[recv] == v:
		if sel, ok := c.fn.file.parent(id).(*ast.SelectorExpr); !ok || sel.Sel.Name != "Type" && sel.Sel.Name != "Kind" {
			c.why = "looks at " + id.Name + " itself, not only at its type"
		}
	case !types.Identical(v.Type(), types.Typ[types.String]):
		c.why = "depends on " + id.Name + ", which is no string"
	case c.key != nil && info.Uses[c.key] != v:
		c.why = "depends on two variables, " + c.key.Name + " and " + id.Name
	default:
		c.key = id
	}
}

// identAt is the place of an object's declaration.
func identAt(obj types.Object) ast.Node { return &ast.Ident{NamePos: obj.Pos(), Name: obj.Name()} }

// computing are the packages whose functions depend on their arguments alone,
// unless they are given functions.
var computing = []string{"strings", "unicode", "unicode/utf8", "strconv"}

// call allows conversions, len, functions that only compute, and methods of
// reflect's descriptions of types.
func (c *matchCheck) call(call *ast.CallExpr) {
	info := c.fn.info()
	if info.Types[call.Fun].IsType() || builtin(info, call) == "len" {
		return
	}
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		c.why = "calls " + types.ExprString(call.Fun)
		return
	}
	path, recv := fn.Pkg().Path(), receiverName(fn)
	switch {
	case recv == "" && slices.Contains(computing, path) && !takesFunction(fn):
	case path == "reflect" && (recv == "StructTag" || recv == "StructField" || recv == "Kind"):
	case path == "reflect" && recv == "Type" && !takesFunction(fn) && !strings.HasPrefix(fn.Name(), "Method"):
	case path == "reflect" && recv == "Value" && (fn.Name() == "Type" || fn.Name() == "Kind"):
	default:
		c.why = "calls " + callName(fn)
	}
}

func takesFunction(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
