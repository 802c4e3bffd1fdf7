package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/rules/code"
)

// A bound is what is known of the values of an integer expression.
type bound struct {
	known   bool   // whether there is an upper bound
	max     int64  // it
	text    string // constant expression for it, in the words of the source
	least   bool   // the value is never negative
	why     string // what shows it; "" for constants
	assumed bool   // the documentation of a package does, not the code
}

func exactly(n int64, text string) bound {
	return bound{known: true, max: n, text: text, least: n >= 0}
}

// A bounder finds upper bounds of expressions that are evaluated at a node.
type bounder struct {
	p     *Program
	fn    *function
	at    ast.Node
	depth int
}

// maxBound keeps the arithmetic on bounds far from overflow.
const maxBound = 1 << 20

// of returns what is known of e.
func (b bounder) of(e ast.Expr) bound {
	r := b.value(e)
	if r.known && (r.max > maxBound || r.max < -maxBound) {
		r.known = false
	}
	return r
}

func (b bounder) value(e ast.Expr) bound {
	info := b.fn.info()
	if n, ok := constInt(info, e); ok {
		if global(info, e) {
			return exactly(n, b.p.source(b.fn.file, e))
		}
		return exactly(n, fmt.Sprint(n))
	}
	if b.depth++; b.depth > 10 {
		return bound{}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		r := b.of(e.X)
		r.text = "(" + r.text + ")"
		return r
	case *ast.BinaryExpr:
		return b.binary(e)
	case *ast.CallExpr:
		return b.call(e)
	case *ast.Ident:
		return b.narrower(e, b.variable(e))
	}
	return b.byType(e)
}

// byType bounds what has a small type.
func (b bounder) byType(e ast.Expr) bound {
	t, ok := b.fn.info().TypeOf(e).Underlying().(*types.Basic)
	if !ok {
		return bound{}
	}
	r := bound{least: t.Info()&types.IsUnsigned != 0}
	if t.Kind() == types.Uint8 {
		r.known, r.max, r.text = true, 255, "255"
		r.why = types.ExprString(e) + " is a " + t.Name()
	}
	return r
}

func unsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// join takes over the reasons of another bound.
func (b bound) join(o bound) bound {
	b.assumed = b.assumed || o.assumed
	switch {
	case b.why == "" || b.why == o.why:
		b.why = o.why
	case o.why != "":
		b.why += "; " + o.why
	}
	return b
}

func (b bounder) binary(e *ast.BinaryExpr) bound {
	x, y := b.of(e.X), b.of(e.Y)
	k, constant := constInt(b.fn.info(), e.Y)
	both := x.known && y.known && x.least && y.least
	text := operandText(e.Op, e.X, x.text) + " " + e.Op.String() + " " + operandText(e.Op, e.Y, y.text)
	r := bound{}.join(x).join(y)
	switch e.Op {
	case token.ADD:
		r.known, r.max, r.text, r.least = x.known && y.known, x.max+y.max, text, x.least && y.least
	case token.MUL:
		r.known, r.max, r.text, r.least = both, x.max*y.max, text, x.least && y.least
	case token.SUB:
		if unsigned(b.fn.info().TypeOf(e)) {
			return b.byType(e) // 0 - 1 is the largest value
		}
		if constant {
			r.known, r.max, r.text = x.known, x.max-k, text
		} else if y.least {
			r.known, r.max, r.text = x.known, x.max, x.text
		}
	case token.QUO:
		if constant && k > 0 && x.least {
			r.known, r.max, r.text, r.least = x.known, x.max/k, text, true
		}
	case token.SHR:
		if constant && k >= 0 && k < 63 && x.least {
			r.known, r.max, r.text, r.least = x.known, x.max>>k, text, true
		}
	case token.REM:
		if constant && k > 0 {
			r = bound{known: true, max: k - 1, text: "(" + y.text + " - 1)", least: x.least, why: types.ExprString(e) + " is less than " + y.text}
		}
	case token.AND:
		if constant && k >= 0 {
			r = bound{known: true, max: k, text: y.text, least: true, why: types.ExprString(e) + " is at most " + y.text}
		}
	}
	return r
}

// operandText puts text in parentheses where it took the place of an expression
// that needed none.
func operandText(op token.Token, e ast.Expr, text string) string {
	switch e.(type) {
	case *ast.BinaryExpr, *ast.ParenExpr, *ast.BasicLit:
		return text
	}
	if op == token.ADD && !strings.ContainsAny(text, "|^") {
		return text
	}
	return grouped(text)
}

// grouped puts an expression of several terms in parentheses.
func grouped(text string) string {
	if strings.ContainsAny(text, "+-*/%<>&|^") {
		return "(" + text + ")"
	}
	return text
}

func (b bounder) call(e *ast.CallExpr) bound {
	info := b.fn.info()
	if info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		from, ok := info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
		to, isInt := info.TypeOf(e).Underlying().(*types.Basic)
		if ok && isInt && from.Info()&types.IsInteger != 0 && (to.Kind() == types.Int || to.Kind() == types.Int64) && from.Kind() < types.Uint {
			return b.of(e.Args[0])
		}
		if ok && isInt && to.Kind() == types.Int && (from.Kind() == types.Uint8 || from.Kind() == types.Uint16) {
			return b.of(e.Args[0])
		}
		return bound{}
	}
	switch builtin(info, e) {
	case "len":
		return b.length(e.Args[0])
	case "min":
		return b.smallest(e.Args)
	case "cap", "copy":
		return bound{least: true}
	}
	fn := callee(info, e)
	if fn == nil || len(e.Args) != 1 {
		return bound{}
	}
	n := b.of(e.Args[0])
	switch fn.FullName() {
	case "encoding/hex.EncodedLen":
		n.max, n.text = 2*n.max, "2*"+grouped(n.text)
	case "(*encoding/base64.Encoding).EncodedLen":
		n.max, n.text = (n.max+2)/3*4, "("+n.text+"+2)/3*4"
	default:
		return bound{}
	}
	return n
}

func (b bounder) smallest(args []ast.Expr) bound {
	r := bound{least: true}
	for _, a := range args {
		x := b.of(a)
		least := r.least && x.least
		if x.known && (!r.known || x.max < r.max) {
			r = x
		}
		r.least = least
	}
	if r.known && r.why == "" {
		r.why = "min takes the smaller one"
	}
	return r
}

// length bounds len(x).
func (b bounder) length(x ast.Expr) bound {
	r := bound{least: true}
	switch x := ast.Unparen(x).(type) {
	case *ast.SliceExpr:
		if high, ok := x.High, x.High != nil; ok {
			r = b.of(high)
		} else if arr, ok := b.fn.info().TypeOf(x.X).Underlying().(*types.Array); ok {
			r = exactly(arr.Len(), fmt.Sprint(arr.Len()))
			r.why = types.ExprString(x) + " is a slice of an array"
		}
	case *ast.CallExpr:
		r = b.made(x)
	case *ast.Ident:
		v := code.Var(b.fn.info(), x)
		if def := b.onlyValue(v); def != nil {
			// What holds at the make need not have held there.
			if inner := (bounder{b.p, b.fn, def, b.depth + 1}); inner.depth < 10 {
				r = inner.length(def)
			}
		}
	}
	r.least = true
	lenOf := &ast.CallExpr{Fun: ast.NewIdent("len"), Args: []ast.Expr{x}}
	return b.narrower(lenOf, r)
}

// made bounds the length of what a call returns.
func (b bounder) made(call *ast.CallExpr) bound {
	fn := callee(b.fn.info(), call)
	if fn == nil || fn.Pkg() == nil {
		return bound{}
	}
	var n int64
	text := ""
	switch fn.FullName() {
	case "net.ParseIP", "(net.IP).To16":
		n, text = 16, b.constantOf("net", "IPv6len", 16)
	case "(net.IP).To4":
		n, text = 4, b.constantOf("net", "IPv4len", 4)
	case "strconv.Itoa":
		n = 20
	case "strconv.FormatBool":
		n = 5
	case "strconv.FormatInt", "strconv.FormatUint":
		n = 65
	default:
		return bound{}
	}
	if text == "" {
		text = fmt.Sprint(n)
	}
	r := exactly(n, text)
	r.why, r.assumed = fmt.Sprintf("%s returns %d bytes at most", callName(fn), n), fn.FullName() == "net.ParseIP"
	return r
}

// constantOf writes a constant of another package, by its name where the file
// has that.
func (b bounder) constantOf(path, name string, n int64) string {
	file := b.fn.file
	if q := code.Qualifier(b.fn.info(), b.fn.obj.Pkg(), file.syntax, b.at.Pos(), path); q != "" {
		return q + "." + name
	}
	return fmt.Sprint(n)
}

// onlyValue returns the expression that a local variable is defined by, if it
// is never given another value; else nil.
func (b bounder) onlyValue(v *types.Var) ast.Expr {
	if !code.Local(v) || assigned(b.fn.info(), b.fn.decl.Body, v) {
		return nil
	}
	var def ast.Expr
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && b.fn.info().Defs[id] == v && len(n.Lhs) == len(n.Rhs) {
					def = n.Rhs[i]
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if b.fn.info().Defs[id] == v && len(n.Values) == len(n.Names) {
					def = n.Values[i]
				}
			}
		}
		return def == nil
	})
	return def
}

// variable bounds a local integer by the values that it is given.
func (b bounder) variable(id *ast.Ident) bound {
	info := b.fn.info()
	v, _ := info.Uses[id].(*types.Var)
	if def := b.onlyValue(v); def != nil {
		return bounder{b.p, b.fn, def, b.depth}.of(def)
	}
	r := b.byType(id)
	values := b.constants(v)
	for _, n := range values {
		if !r.known || n > r.max {
			r = bound{known: true, max: n, text: fmt.Sprint(n), least: true, why: "every value that " + id.Name + " is given is constant"}
		}
	}
	for _, n := range values {
		r.least = r.least && n >= 0
	}
	return r
}

// constants returns the values that a local variable is given, nil if one of
// them is not constant.
func (b bounder) constants(v *types.Var) (values []int64) {
	if !code.Local(v) {
		return nil
	}
	info, ok, defined := b.fn.info(), true, false
	value := func(l ast.Expr, r ast.Expr) {
		id, isIdent := ast.Unparen(l).(*ast.Ident)
		if !isIdent || info.ObjectOf(id) != v {
			return
		}
		defined = defined || info.Defs[id] == v
		n, constant := int64(0), false
		if r != nil {
			n, constant = constInt(info, r)
		}
		values, ok = append(values, n), ok && constant
	}
	ast.Inspect(b.fn.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					value(l, n.Rhs[i])
				} else {
					value(l, nil)
				}
			}
		case *ast.IncDecStmt:
			value(n.X, nil)
		case *ast.RangeStmt:
			value(n.Key, nil)
			value(n.Value, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				value(n.X, nil)
			}
		case *ast.SelectorExpr:
			if addressing(info, n) {
				value(n.X, nil)
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					value(id, n.Values[i])
				} else if info.Defs[id] == v && len(n.Values) == 0 {
					values, defined = append(values, 0), true
				}
			}
		}
		return ok
	})
	if !ok || !defined {
		return nil
	}
	return values
}
