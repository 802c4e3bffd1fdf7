package boxes

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// readFormat checks that the format is constant and that its verbs take the
// operands, each one, without a complaint of package fmt in the text.
func (m *formattedError) readFormat(p *prove.Program) *prove.Reason {
	info := m.fn.Info()
	v := info.Types[m.format].Value
	if v == nil || v.Kind() != constant.String {
		return prove.Refuse("its format is not constant")
	}
	format := constant.StringVal(v)
	verbs, ok := code.Verbs(format)
	if !ok {
		return prove.Refuse("its format has indices or widths that are operands")
	}
	if len(verbs) != len(m.args) {
		return prove.Refusef("its format has %d verbs for %d operands", len(verbs), len(m.args))
	}
	m.operands, m.wrapped = nil, nil
	for i, a := range m.args {
		t := info.TypeOf(a)
		if is := p.SteadyError(m.fn, a); is != nil && verbs[i].Flags == "" && strings.IndexByte("wvs", verbs[i].Verb) >= 0 {
			m.operands = append(m.operands, operand{arg: a, typ: t, is: is})
			continue
		}
		if m.copies(t, verbs[i]) {
			m.operands = append(m.operands, operand{arg: a, typ: types.Typ[types.String], copy: true})
			continue
		}
		if what := printable(t, verbs[i].Verb); what != "" {
			return prove.Refuse(types.ExprString(a) + what)
		}
		m.operands = append(m.operands, operand{arg: a, typ: types.Unalias(t)})
	}
	m.text = strconv.Quote(format)
	if why := m.wraps(verbs, format); why != nil || m.wrapped != nil {
		return why
	}
	if prove.PackageLevel(info, m.format) {
		m.text = p.Source(m.fn.File, m.format)
	}
	return nil
}

// wraps notes the operand that the error wraps, and writes the format without it.
func (m *formattedError) wraps(verbs []code.FormatPiece, format string) *prove.Reason {
	for i := range verbs {
		if verbs[i].Verb != 'w' {
			continue
		}
		if m.wrapped != nil {
			return prove.Refuse("it wraps two errors")
		}
		m.wrapped = &m.operands[i]
	}
	if m.wrapped == nil {
		return nil
	}
	if symbolOf(code.Callee(m.fn.Info(), m.call)) != "fmt.Errorf" {
		return prove.Refuse("%w does not wrap in a text")
	}
	if strings.Count(format, "%") != len(verbs) {
		return prove.Refuse("its format has a percent sign in its text")
	}
	m.text = strconv.Quote(strings.Replace(format, "%w", "%v", 1))
	return nil
}

// copies reports whether an operand is bytes that are printed as the string of them is.
func (m *formattedError) copies(t types.Type, verb code.FormatPiece) bool {
	return types.Identical(t, types.NewSlice(types.Typ[types.Byte])) && verb.Flags == "" && strings.IndexByte("sqxX", verb.Verb) >= 0 &&
		code.Predeclared(m.fn.Obj.Pkg(), m.call.Pos(), "string")
}

// printable says why package fmt prints a value of type t under a verb in
// another way than by the value alone, or may do so later.
func printable(t types.Type, verb byte) string {
	if verb == 'w' {
		return " is wrapped, and may have another text later"
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return fmt.Sprintf(" is a slice of %s, whose elements may change before the error is shown", s.Elem())
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || types.IsInterface(t) {
		return " is not of a basic type"
	}
	var verbs string
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		verbs = "vt"
	case info&types.IsInteger != 0:
		verbs = "vdboOxXcqU"
	case info&types.IsString != 0:
		verbs = "vsqxX"
	case info&types.IsFloat != 0, info&types.IsComplex != 0:
		return " is a floating-point number: an error that holds NaN would not be equal to itself"
	}
	for _, method := range []string{"Format", "GoString", "Error", "String"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, nil, method); obj == nil {
			continue
		}
		// Strings are asked for under these verbs only.
		if method == "Format" || method == "GoString" && verb == 'v' || strings.IndexByte("vsxXq", verb) >= 0 {
			return fmt.Sprintf(" has a method %s, which would be called later", method)
		}
	}
	if strings.IndexByte(verbs, verb) < 0 {
		return fmt.Sprintf(" of type %s does not go with %%%c", t, verb)
	}
	return ""
}

// readOperands decides which operands become fields, and how they are called.
func (m *formattedError) readOperands(p *prove.Program) *prove.Reason {
	info := m.fn.Info()
	used := map[string]bool{}
	for i := range m.operands {
		o := &m.operands[i]
		if (info.Types[o.arg].Value != nil || o.is != nil) && prove.PackageLevel(info, o.arg) && !code.Worded(o.arg, "e") {
			o.text = p.Source(m.fn.File, o.arg)
			continue
		}
		if _, why := fieldType(m.fn, o.typ); why != nil {
			return why
		}
		want := operandName(info, o.arg)
		o.name = want
		for n := 2; used[o.name]; n++ {
			o.name = want + strconv.Itoa(n)
		}
		used[o.name] = true
	}
	return nil
}

// fieldType writes the type of a field, for a declaration in the function's
// file.
func fieldType(fn *prove.Function, t types.Type) (string, *prove.Reason) {
	named, ok := t.(*types.Named)
	if !ok {
		return t.String(), nil
	}
	obj := named.Obj()
	switch {
	case obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() || named.TypeArgs().Len() > 0:
		return "", prove.Refuse(obj.Name() + " is not a type of the package")
	case obj.Pkg() == fn.Obj.Pkg():
		return obj.Name(), nil
	}
	q := code.Qualifier(fn.Info(), fn.Obj.Pkg(), fn.File.Syntax, fn.Decl.Pos(), obj.Pkg().Path())
	if q == "" || !obj.Exported() {
		return "", prove.Refusef("%s.%s has no name in %s", obj.Pkg().Name(), obj.Name(), fn.File.Name)
	}
	return q + "." + obj.Name(), nil
}

// operandName names a field after what it holds.
func operandName(info *types.Info, e ast.Expr) string {
	name := ""
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	case *ast.SliceExpr:
		return operandName(info, e.X)
	case *ast.CallExpr:
		switch {
		case code.Builtin(info, e) == "len":
			name = "length"
		case code.Builtin(info, e) == "cap":
			name = "capacity"
		case info.Types[e.Fun].IsType() && len(e.Args) == 1:
			return operandName(info, e.Args[0])
		case code.Callee(info, e) != nil:
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "String" {
				return operandName(info, sel.X)
			}
			name = code.Callee(info, e).Name()
			if rest := strings.TrimPrefix(name, "Get"); rest != "" && unicode.IsUpper(rune(rest[0])) {
				name = rest
			}
		}
	}
	name = code.LowerName(name)
	if name == "" || name == "_" || types.Universe.Lookup(name) != nil || token.IsKeyword(name) {
		return "value"
	}
	return name
}

// order says why an operand could be read at another time than before: a call
// in the same statement may write it, and the order of the two is not defined.
func (m *formattedError) order() *prove.Reason {
	calls := 0
	ast.Inspect(m.fn.File.Stmt(m.call), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			outer := n == m.call || code.Within(m.call, n) && code.Within(n, m.format)
			if !outer && code.Builtin(m.fn.Info(), n) == "" && !m.fn.Info().Types[n.Fun].IsType() {
				calls++
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				calls++
			}
		}
		return true
	})
	if calls == 0 {
		return nil
	}
	eval := code.Eval{Info: m.fn.Info()}
	for _, o := range m.operands {
		if o.is != nil {
			continue // nothing writes it
		}
		if o.copy {
			return prove.Refusef("a call in the same statement may write to %s", types.ExprString(o.arg))
		}
		call, ok := ast.Unparen(o.arg).(*ast.CallExpr)
		if ok && code.Builtin(m.fn.Info(), call) == "" && !m.fn.Info().Types[call.Fun].IsType() {
			continue // calls keep their order
		}
		if !m.private(o.arg) {
			return prove.Refusef("a call in the same statement may write %s, and which comes first is not defined", types.ExprString(o.arg))
		}
		if loss := eval.Of(o.arg); loss.Grade > code.NoLoss {
			return prove.Refuse(loss.Why + ", before a call in the same statement or after it")
		}
	}
	return nil
}

// private reports whether e is made of constants and local variables that no
// call can write.
func (m *formattedError) private(e ast.Expr) bool {
	info := m.fn.Info()
	return !code.Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, isVar := info.Uses[n].(*types.Var)
			return isVar && (!code.Local(v) || m.shared(v))
		case *ast.CallExpr:
			b := code.Builtin(info, n)
			return b != "len" && b != "cap" && !info.Types[n.Fun].IsType()
		case *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW || n.Op == token.AND
		}
		return false
	})
}

// shared reports whether a local variable's address is taken, or a function
// literal mentions it and it is written.
func (m *formattedError) shared(v *types.Var) bool {
	return code.Any(m.fn.Decl.Body, func(id *ast.Ident) bool {
		if m.fn.Info().Uses[id] != v {
			return false
		}
		lit := m.fn.File.Literal(id)
		sel, isSel := m.fn.File.Parent(id).(*ast.SelectorExpr)
		return lit != nil && !code.Declares(lit, v) && code.WrittenIn(m.fn.Info(), m.fn.Decl.Body, v) || prove.Addressed(m.fn.File, id) || isSel && sel.X == ast.Expr(id)
	})
}
