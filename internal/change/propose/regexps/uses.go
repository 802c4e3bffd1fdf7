package regexps

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A regexpUse is the uses of a variable that holds a regular expression.
type regexpUse struct {
	calls []*ast.SelectorExpr // of the method that is replaced, in files that may be edited
	files []*prove.File       // that they stand in
	kept  bool                // something else uses the variable
}

// changing are the methods that change an expression.
var changing = []string{"Longest", "UnmarshalText"}

// regexpUses looks at all uses of the variable of c. The second result says
// where it could come to hold another expression. The statement of an init that sets it
// stays, since what runs before a benchmark is not changed.
func regexpUses(p *prove.Program, k *prove.Package, c regexpCall, set *ast.AssignStmt) (*regexpUse, *prove.Reason) {
	if c.v.Exported() && k.Name != "main" {
		return nil, prove.Refuse(c.v.Name() + " is exported: another package may assign to it")
	}
	if f := p.IgnoredMention(k, c.v.Name()); f != "" {
		return nil, prove.Refusef("%s, which is not built on this platform, refers to %s", f, c.v.Name())
	}
	for _, name := range []string{"len", "new", "string", "byte", "int", "bool", "nil", "true", "false"} {
		if k.Types.Scope().Lookup(name) != nil {
			return nil, prove.Refuse("the package declares " + name + " itself")
		}
	}
	u := &regexpUse{kept: set != nil}
	var why *prove.Reason
	p.EachFile(k, func(f *prove.File, info *types.Info) {
		if f.Pkg != k {
			return
		}
		for id := range code.All[*ast.Ident](f.Syntax) {
			if set != nil && set.Lhs[0] == ast.Expr(id) {
				continue
			}
			if why == nil && info.Uses[id] != nil && info.Uses[id].Pos() == c.v.Pos() {
				why = u.add(p, f, info, id, c)
			}
		}
	})
	return u, why
}

// add takes one use in, and says why it may change the expression.
func (u *regexpUse) add(p *prove.Program, f *prove.File, info *types.Info, id *ast.Ident, c regexpCall) *prove.Reason {
	sel, ok := f.Parent(id).(*ast.SelectorExpr)
	var call *ast.CallExpr
	if ok && sel.X == id {
		call, _ = f.Parent(sel).(*ast.CallExpr)
	}
	if call == nil || call.Fun != sel {
		return prove.Refusef("%s is used other than by a call of a method at %s: it may come to be another expression", id.Name, p.Pos(id.Pos()))
	}
	if slices.Contains(changing, sel.Sel.Name) {
		return prove.Refusef("%s changes what it matches at %s", types.ExprString(sel), p.Pos(id.Pos()))
	}
	if sel.Sel.Name != c.sel.Sel.Name || prove.Editable(f) != nil || !c.all && !c.plain(info, call) {
		u.kept = true
		return nil
	}
	u.calls, u.files = append(u.calls, sel), append(u.files, f)
	return nil
}
