package guard

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strconv"
	"strings"
)

// An evaluator works out constants of source that was not type-checked, by
// name where they are named.
type evaluator map[string]constant.Value

// value returns the value of a constant expression, or nil. What a call of
// Repeat gives counts, up to a megabyte.
func (ev evaluator) value(e ast.Expr) (v constant.Value) {
	defer func() {
		if recover() != nil { // go/constant panics on operands that do not fit
			v = nil
		}
	}()
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.CHAR {
			return nil
		}
		if v := constant.MakeFromLiteral(x.Value, x.Kind, 0); v.Kind() != constant.Unknown {
			return v
		}
	case *ast.Ident:
		return ev[x.Name]
	case *ast.ParenExpr:
		return ev.value(x.X)
	case *ast.UnaryExpr:
		if v := ev.value(x.X); v != nil && x.Op != token.AND && x.Op != token.ARROW {
			return constant.UnaryOp(x.Op, v, 0)
		}
	case *ast.BinaryExpr:
		return ev.binary(x)
	case *ast.CallExpr:
		return ev.call(x)
	case *ast.CompositeLit:
		return ev.bytes(x)
	}
	return nil
}

func (ev evaluator) binary(x *ast.BinaryExpr) constant.Value {
	a, b := ev.value(x.X), ev.value(x.Y)
	if a == nil || b == nil {
		return nil
	}
	switch x.Op {
	case token.SHL, token.SHR:
		if n, ok := constant.Uint64Val(b); ok && n < 128 {
			return constant.Shift(a, x.Op, uint(n))
		}
		return nil
	case token.QUO:
		if a.Kind() == constant.Int && b.Kind() == constant.Int {
			return constant.BinaryOp(a, token.QUO_ASSIGN, b)
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return nil
	}
	return constant.BinaryOp(a, x.Op, b)
}

func (ev evaluator) call(x *ast.CallExpr) constant.Value {
	if sel, ok := x.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Repeat" && len(x.Args) == 2 {
		s, n := ev.value(x.Args[0]), ev.value(x.Args[1])
		if s != nil && n != nil && s.Kind() == constant.String && n.Kind() == constant.Int {
			if times, ok := constant.Int64Val(n); ok && times > 0 && times*int64(len(constant.StringVal(s))) <= 1<<20 {
				return constant.MakeString(strings.Repeat(constant.StringVal(s), int(times)))
			}
		}
		return nil
	}
	if len(x.Args) == 1 {
		switch f := x.Fun.(type) {
		case *ast.ArrayType:
			return ev.value(x.Args[0])
		case *ast.Ident:
			if f.Name == "string" || strings.HasPrefix(f.Name, "int") || strings.HasPrefix(f.Name, "uint") || strings.HasPrefix(f.Name, "float") {
				return ev.value(x.Args[0])
			}
		}
	}
	return nil
}

// bytes returns the content of a []byte literal, as a text.
func (ev evaluator) bytes(x *ast.CompositeLit) constant.Value {
	a, ok := x.Type.(*ast.ArrayType)
	if !ok {
		return nil
	}
	if id, ok := a.Elt.(*ast.Ident); !ok || id.Name != "byte" && id.Name != "uint8" {
		return nil
	}
	var out []byte
	for _, el := range x.Elts {
		if c, ok := el.(*ast.BasicLit); ok && c.Kind == token.CHAR {
			r, _, _, err := strconv.UnquoteChar(strings.Trim(c.Value, "'"), '\'')
			if err != nil || r > 255 {
				return nil
			}
			out = append(out, byte(r))
			continue
		}
		v := ev.value(el)
		if v == nil || v.Kind() != constant.Int {
			return nil
		}
		n, _ := constant.Int64Val(v)
		out = append(out, byte(n))
	}
	return constant.MakeString(string(out))
}

// sequence returns the numbers of a literal, as ",1,2,3,".
func (ev evaluator) sequence(x *ast.CompositeLit) string {
	var b strings.Builder
	n := 0
	for _, el := range x.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if v := ev.value(el); v != nil && v.Kind() != constant.String && v.Kind() != constant.Bool {
			b.WriteString("," + number(v))
			n++
		}
	}
	if n < 3 {
		return ""
	}
	return b.String() + ","
}
