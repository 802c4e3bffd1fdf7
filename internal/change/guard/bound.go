package guard

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// bound says what keeps a piece of state from growing: its type, or a check
// of its length where it is written.
func (p states) bound(v *types.Var, writes []write) string {
	t := v.Type()
	if types.Unalias(t).String() == "sync.Pool" || types.Unalias(t).String() == "*sync.Pool" {
		return "the garbage collector empties it"
	}
	if b := fixedSize(t, 0); b != "" {
		return b
	}
	for _, w := range writes {
		if b := p.checked(v, w); b != "" {
			return b
		}
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		if p.reset(v, writes) {
			return "as large as the largest call so far"
		}
	case *types.Basic:
		return "the last value only"
	case *types.Chan:
		return "the channel's capacity"
	}
	return ""
}

// fixedSize says how large values of a type are, where the type says it.
func fixedSize(t types.Type, depth int) string {
	switch u := t.Underlying().(type) {
	case *types.Array:
		if fixedSize(u.Elem(), depth+1) != "" {
			return fmt.Sprintf("an array of %d", u.Len())
		}
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return "one value"
		}
	case *types.Struct:
		for f := range u.Fields() {
			if depth > 4 || fixedSize(f.Type(), depth+1) == "" {
				return ""
			}
		}
		return "one value"
	}
	return ""
}

// checked finds a comparison of len or cap of the state in the function that
// writes it.
func (p states) checked(v *types.Var, w write) string {
	found := ""
	for _, root := range w.unit.nodes {
		ast.Inspect(root, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if !ok || found != "" || (b.Op != token.GTR && b.Op != token.GEQ && b.Op != token.LSS && b.Op != token.LEQ && b.Op != token.EQL) {
				return found == ""
			}
			for i, side := range []ast.Expr{b.X, b.Y} {
				if v := constantOf(w.unit.info(), []ast.Expr{b.Y, b.X}[i]); v != nil && v.String() == "0" {
					continue // is it empty? that bounds nothing
				}
				c, ok := ast.Unparen(side).(*ast.CallExpr)
				if ok && len(c.Args) == 1 && (isBuiltin(w.unit.info(), c, "len") || isBuiltin(w.unit.info(), c, "cap")) && refersTo(w.unit.info(), c.Args[0], v) {
					found = "checked: " + shorten(p.cand.text(b))
				}
			}
			return true
		})
	}
	return found
}

// reset reports whether a slice is cut back before it is filled: x[:0].
func (p states) reset(v *types.Var, writes []write) bool {
	found := false
	for _, w := range writes {
		for _, root := range w.unit.nodes {
			ast.Inspect(root, func(n ast.Node) bool {
				s, ok := n.(*ast.SliceExpr)
				if ok && s.Low == nil && s.High != nil && refersTo(w.unit.info(), s.X, v) {
					found = true
				}
				return true
			})
		}
	}
	return found
}

func isBuiltin(info *types.Info, c *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// refersTo reports whether an expression names a variable or field.
func refersTo(info *types.Info, e ast.Node, v types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := info.Uses[id]
			if w, ok := o.(*types.Var); ok && w.IsField() {
				o = w.Origin()
			}
			found = found || o != nil && o == v
		}
		return !found
	})
	return found
}
