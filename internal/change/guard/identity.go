package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// identity tells expressions that say where an input lies ("place") or how
// long it is ("length"), "" for others.
func (in *inputs) identity(e ast.Expr) string {
	info := in.u.info()
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if ix, ok := ast.Unparen(x.X).(*ast.IndexExpr); ok && x.Op == token.AND && in.of(ix.X) == whole {
			return "place"
		}
	case *ast.CallExpr:
		if name := calleeName(info, x); hasAnyPrefix(name, "unsafe.SliceData", "unsafe.StringData", "(reflect.Value).Pointer", "(reflect.Value).UnsafePointer") {
			return "place"
		}
		if tv := info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return in.identity(x.Args[0])
		}
		if code.IsBuiltin(info, x, "len") || code.IsBuiltin(info, x, "cap") {
			if in.of(x.Args[0]) == whole {
				return "length"
			}
		}
	case *ast.CompositeLit: // a key of several
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if k := in.identity(el); k == "place" {
				return k
			}
		}
	case *ast.Ident:
		o := info.Uses[x]
		if o == nil {
			return ""
		}
		if _, ok := o.Type().Underlying().(*types.Pointer); ok && in.given[o] {
			return "place"
		}
		if a := in.alias[o]; a != nil && in.depth < 12 {
			in.depth++
			defer func() { in.depth-- }()
			return in.identity(a)
		}
	}
	return ""
}

// fixed returns the text that an expression always has: a constant, a
// conversion of one, a literal of constant bytes, or a package variable that
// holds one.
func (p *pair) fixed(u *unit, e ast.Expr) constant.Value {
	info := u.info()
	if v := constantOf(info, e); v != nil {
		return v
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if tv := info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return p.fixed(u, x.Args[0])
		}
	case *ast.SliceExpr:
		return p.fixed(u, x.X)
	case *ast.CompositeLit:
		if b := bytesOf(info, x); b != nil {
			return constant.MakeString(string(b))
		}
	case *ast.Ident:
		v, ok := info.Uses[x].(*types.Var)
		if !ok || isLocal(v) || v.IsField() {
			return nil
		}
		w := p.cand.decls[objectName(v)]
		if w == nil || w == u || w.fn != nil {
			return nil
		}
		if s, ok := w.nodes[0].(*ast.ValueSpec); ok {
			for i, name := range s.Names {
				if name.Name == x.Name && i < len(s.Values) {
					return p.fixed(w, s.Values[i])
				}
			}
		}
	}
	return nil
}

// bytesOf returns the content of a literal of constant bytes, or nil.
func bytesOf(info *types.Info, c *ast.CompositeLit) []byte {
	var elem types.Type
	switch t := typeOf(info, c).(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	default:
		return nil
	}
	if b := basicOf(elem); b == nil || b.Kind() != types.Byte {
		return nil
	}
	var out []byte
	for _, el := range c.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		v := constantOf(info, el)
		if v == nil {
			return nil
		}
		n, _ := constant.Int64Val(v)
		out = append(out, byte(n))
	}
	return out
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
