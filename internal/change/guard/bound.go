package guard

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
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
	info := w.unit.info()
	for b := range all[*ast.BinaryExpr](w.unit) {
		if !comparison(b) || b.Op == token.NEQ {
			continue
		}
		for _, s := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if v := constantOf(info, s[1]); v != nil && v.String() == "0" {
				continue // is it empty? that bounds nothing
			}
			c, ok := ast.Unparen(s[0]).(*ast.CallExpr)
			if ok && len(c.Args) == 1 && (code.IsBuiltin(info, c, "len") || code.IsBuiltin(info, c, "cap")) && refersTo(info, c.Args[0], v) {
				return "checked: " + shorten(p.cand.text(b))
			}
		}
	}
	return ""
}

// reset reports whether a slice is cut back before it is filled: x[:0].
func (p states) reset(v *types.Var, writes []write) bool {
	for _, w := range writes {
		for s := range all[*ast.SliceExpr](w.unit) {
			if s.Low == nil && s.High != nil && refersTo(w.unit.info(), s.X, v) {
				return true
			}
		}
	}
	return false
}

// refersTo reports whether an expression names a variable or field.
func refersTo(info *types.Info, e ast.Node, v types.Object) bool {
	return code.Any(e, func(id *ast.Ident) bool {
		o := info.Uses[id]
		if w, ok := o.(*types.Var); ok && w.IsField() {
			o = w.Origin()
		}
		return o != nil && o == v
	})
}
