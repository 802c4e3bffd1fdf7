package propose

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// A regexpUse is the uses of a variable that holds a regular expression.
type regexpUse struct {
	calls []*ast.SelectorExpr // of the method that is replaced, in files that may be edited
	files []*file             // that they stand in
	kept  bool                // something else uses the variable
}

// changing are the methods that change an expression.
var changing = []string{"Longest", "UnmarshalText"}

// regexpUses looks at all uses of the variable of c. The second result says
// where it could come to hold another expression.
func (p *Program) regexpUses(k *pkg, c regexpCall) (*regexpUse, string) {
	if c.v.Exported() && k.Name != "main" {
		return nil, c.v.Name() + " is exported: another package may assign to it"
	}
	if f := p.ignoredMention(k, c.v.Name()); f != "" {
		return nil, fmt.Sprintf("%s, which is not built on this platform, refers to %s", f, c.v.Name())
	}
	for _, name := range []string{"len", "new", "string", "byte", "int", "bool", "nil", "true", "false"} {
		if k.Types.Scope().Lookup(name) != nil {
			return nil, "the package declares " + name + " itself"
		}
	}
	u := &regexpUse{}
	why := ""
	p.eachFile(k, func(f *file, info *types.Info) {
		if f.pkg != k {
			return
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok && why == "" && info.Uses[id] != nil && info.Uses[id].Pos() == c.v.Pos() {
				why = u.add(p, f, info, id, c)
			}
			return true
		})
	})
	return u, why
}

// add takes one use in, and says why it may change the expression.
func (u *regexpUse) add(p *Program, f *file, info *types.Info, id *ast.Ident, c regexpCall) string {
	sel, ok := f.parent(id).(*ast.SelectorExpr)
	var call *ast.CallExpr
	if ok && sel.X == id {
		call, _ = f.parent(sel).(*ast.CallExpr)
	}
	if call == nil || call.Fun != sel {
		return fmt.Sprintf("%s is used other than by a call of a method at %s: it may come to be another expression", id.Name, p.pos(id.Pos()))
	}
	if slices.Contains(changing, sel.Sel.Name) {
		return fmt.Sprintf("%s changes what it matches at %s", types.ExprString(sel), p.pos(id.Pos()))
	}
	if sel.Sel.Name != c.sel.Sel.Name || editable(f) != "" {
		u.kept = true
		return ""
	}
	u.calls, u.files = append(u.calls, sel), append(u.files, f)
	return ""
}
