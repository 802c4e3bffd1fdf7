// Package bounds says between which values an integer expression lies, from
// constants, types, and the conditions that are known to hold where it stands.
package bounds

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A Bound is what is known of the values of an integer expression.
type Bound struct {
	Known   bool   // whether there is an upper bound
	Max     int64  // it
	Text    string // constant expression for it, in the words of the source
	Least   bool   // the value is never negative
	Why     string // what shows it; "" for constants
	Assumed bool   // the documentation of a package does, not the code
}

func exactly(n int64, text string) Bound {
	return Bound{Known: true, Max: n, Text: text, Least: n >= 0}
}

// A Bounder finds upper bounds of expressions that are evaluated at a node.
type Bounder struct {
	Prog  *prove.Program
	Fn    *prove.Function
	At    ast.Node
	Depth int
}

// maxBound keeps the arithmetic on bounds far from overflow.
const maxBound = 1 << 20

// Of returns what is known of e.
func (b Bounder) Of(e ast.Expr) Bound {
	r := b.value(e)
	if r.Known && (r.Max > maxBound || r.Max < -maxBound) {
		r.Known = false
	}
	return r
}

func (b Bounder) value(e ast.Expr) Bound {
	info := b.Fn.Info()
	if n, ok := prove.ConstInt(info, e); ok {
		if prove.PackageLevel(info, e) {
			return exactly(n, b.Prog.Source(b.Fn.File, e))
		}
		return exactly(n, fmt.Sprint(n))
	}
	if b.Depth++; b.Depth > 10 {
		return Bound{}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		r := b.Of(e.X)
		r.Text = "(" + r.Text + ")"
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
func (b Bounder) byType(e ast.Expr) Bound {
	t, ok := b.Fn.Info().TypeOf(e).Underlying().(*types.Basic)
	if !ok {
		return Bound{}
	}
	r := Bound{Least: t.Info()&types.IsUnsigned != 0}
	if t.Kind() == types.Uint8 {
		r.Known, r.Max, r.Text = true, 255, "255"
		r.Why = types.ExprString(e) + " is a " + t.Name()
	}
	return r
}

func unsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// join takes over the reasons of another bound.
func (b Bound) join(o Bound) Bound {
	b.Assumed = b.Assumed || o.Assumed
	switch {
	case b.Why == "" || b.Why == o.Why:
		b.Why = o.Why
	case o.Why != "":
		b.Why += "; " + o.Why
	}
	return b
}

func (b Bounder) binary(e *ast.BinaryExpr) Bound {
	x, y := b.Of(e.X), b.Of(e.Y)
	k, constant := prove.ConstInt(b.Fn.Info(), e.Y)
	both := x.Known && y.Known && x.Least && y.Least
	text := operandText(e.Op, e.X, x.Text) + " " + e.Op.String() + " " + operandText(e.Op, e.Y, y.Text)
	r := Bound{}.join(x).join(y)
	switch e.Op {
	case token.ADD:
		r.Known, r.Max, r.Text, r.Least = x.Known && y.Known, x.Max+y.Max, text, x.Least && y.Least
	case token.MUL:
		r.Known, r.Max, r.Text, r.Least = both, x.Max*y.Max, text, x.Least && y.Least
	case token.SUB:
		if unsigned(b.Fn.Info().TypeOf(e)) {
			return b.byType(e) // 0 - 1 is the largest value
		}
		if constant {
			r.Known, r.Max, r.Text = x.Known, x.Max-k, text
		} else if y.Least {
			r.Known, r.Max, r.Text = x.Known, x.Max, x.Text
		}
	case token.QUO:
		if constant && k > 0 && x.Least {
			r.Known, r.Max, r.Text, r.Least = x.Known, x.Max/k, text, true
		}
	case token.SHR:
		if constant && k >= 0 && k < 63 && x.Least {
			r.Known, r.Max, r.Text, r.Least = x.Known, x.Max>>k, text, true
		}
	case token.REM:
		if constant && k > 0 {
			r = Bound{Known: true, Max: k - 1, Text: "(" + y.Text + " - 1)", Least: x.Least, Why: types.ExprString(e) + " is less than " + y.Text}
		}
	case token.AND:
		if constant && k >= 0 {
			r = Bound{Known: true, Max: k, Text: y.Text, Least: true, Why: types.ExprString(e) + " is at most " + y.Text}
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

func (b Bounder) call(e *ast.CallExpr) Bound {
	info := b.Fn.Info()
	if info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		from, ok := info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
		to, isInt := info.TypeOf(e).Underlying().(*types.Basic)
		if ok && isInt && from.Info()&types.IsInteger != 0 && (to.Kind() == types.Int || to.Kind() == types.Int64) && from.Kind() < types.Uint {
			return b.Of(e.Args[0])
		}
		if ok && isInt && to.Kind() == types.Int && (from.Kind() == types.Uint8 || from.Kind() == types.Uint16) {
			return b.Of(e.Args[0])
		}
		return Bound{}
	}
	switch code.Builtin(info, e) {
	case "len":
		return b.length(e.Args[0])
	case "min":
		return b.smallest(e.Args)
	case "cap", "copy":
		return Bound{Least: true}
	}
	fn := code.Callee(info, e)
	if fn == nil || len(e.Args) != 1 {
		return Bound{}
	}
	n := b.Of(e.Args[0])
	switch fn.FullName() {
	case "encoding/hex.EncodedLen":
		n.Max, n.Text = 2*n.Max, "2*"+grouped(n.Text)
	case "(*encoding/base64.Encoding).EncodedLen":
		n.Max, n.Text = (n.Max+2)/3*4, "("+n.Text+"+2)/3*4"
	default:
		return Bound{}
	}
	return n
}

func (b Bounder) smallest(args []ast.Expr) Bound {
	r := Bound{Least: true}
	for _, a := range args {
		x := b.Of(a)
		least := r.Least && x.Least
		if x.Known && (!r.Known || x.Max < r.Max) {
			r = x
		}
		r.Least = least
	}
	if r.Known && r.Why == "" {
		r.Why = "min takes the smaller one"
	}
	return r
}

// length bounds len(x).
func (b Bounder) length(x ast.Expr) Bound {
	r := Bound{Least: true}
	switch x := ast.Unparen(x).(type) {
	case *ast.SliceExpr:
		if high, ok := x.High, x.High != nil; ok {
			r = b.Of(high)
		} else if arr, ok := b.Fn.Info().TypeOf(x.X).Underlying().(*types.Array); ok {
			r = exactly(arr.Len(), fmt.Sprint(arr.Len()))
			r.Why = types.ExprString(x) + " is a slice of an array"
		}
	case *ast.CallExpr:
		r = b.made(x)
	case *ast.Ident:
		v := code.Var(b.Fn.Info(), x)
		if def := b.onlyValue(v); def != nil {
			// What holds at the make need not have held there.
			if inner := (Bounder{b.Prog, b.Fn, def, b.Depth + 1}); inner.Depth < 10 {
				r = inner.length(def)
			}
		}
	}
	r.Least = true
	lenOf := &ast.CallExpr{Fun: ast.NewIdent("len"), Args: []ast.Expr{x}}
	return b.narrower(lenOf, r)
}

// made bounds the length of what a call returns.
func (b Bounder) made(call *ast.CallExpr) Bound {
	fn := code.Callee(b.Fn.Info(), call)
	if fn == nil || fn.Pkg() == nil {
		return Bound{}
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
		return Bound{}
	}
	text = cmp.Or(text, fmt.Sprint(n))
	r := exactly(n, text)
	r.Why, r.Assumed = fmt.Sprintf("%s returns %d bytes at most", code.CallName(fn), n), fn.FullName() == "net.ParseIP"
	return r
}

// constantOf writes a constant of another package, by its name where the file
// has that.
func (b Bounder) constantOf(path, name string, n int64) string {
	file := b.Fn.File
	if q := code.Qualifier(b.Fn.Info(), b.Fn.Obj.Pkg(), file.Syntax, b.At.Pos(), path); q != "" {
		return q + "." + name
	}
	return fmt.Sprint(n)
}

// onlyValue returns the expression that a local variable is defined by, if it
// is never given another value; else nil.
func (b Bounder) onlyValue(v *types.Var) ast.Expr {
	if !code.Local(v) || code.WrittenIn(b.Fn.Info(), b.Fn.Decl.Body, v) {
		return nil
	}
	return b.Fn.Value(v)
}

// variable bounds a local integer by the values that it is given.
func (b Bounder) variable(id *ast.Ident) Bound {
	info := b.Fn.Info()
	v, _ := info.Uses[id].(*types.Var)
	if def := b.onlyValue(v); def != nil {
		return Bounder{b.Prog, b.Fn, def, b.Depth}.Of(def)
	}
	r := b.byType(id)
	values := b.constants(v)
	for _, n := range values {
		if !r.Known || n > r.Max {
			r = Bound{Known: true, Max: n, Text: fmt.Sprint(n), Least: true, Why: "every value that " + id.Name + " is given is constant"}
		}
	}
	for _, n := range values {
		r.Least = r.Least && n >= 0
	}
	return r
}

// constants returns the values that a local variable is given, nil if one of
// them is not constant.
func (b Bounder) constants(v *types.Var) (values []int64) {
	if !code.Local(v) {
		return nil
	}
	info, ok, defined := b.Fn.Info(), true, false
	value := func(l ast.Expr, r ast.Expr) {
		id, isIdent := ast.Unparen(l).(*ast.Ident)
		if !isIdent || info.ObjectOf(id) != v {
			return
		}
		defined = defined || info.Defs[id] == v
		n, constant := int64(0), false
		if r != nil {
			n, constant = prove.ConstInt(info, r)
		}
		values, ok = append(values, n), ok && constant
	}
	for n := range code.All[ast.Node](b.Fn.Decl.Body) {
		for i, l := range code.Assigned(n) {
			a, is := n.(*ast.AssignStmt)
			if is && len(a.Lhs) == len(a.Rhs) && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) {
				value(l, a.Rhs[i])
			} else {
				value(l, nil)
			}
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				value(n.X, nil)
			}
		case *ast.SelectorExpr:
			if code.Addressing(info, n) {
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
	}
	if !ok || !defined {
		return nil
	}
	return values
}
