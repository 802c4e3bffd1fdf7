package propose

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/rules/code"
)

// readFormat checks that the format is constant and that its verbs take the
// operands, each one, without a complaint of package fmt in the text.
func (m *formattedError) readFormat(p *Program) string {
	info := m.fn.info()
	v := info.Types[m.format].Value
	if v == nil || v.Kind() != constant.String {
		return "its format is not constant"
	}
	format := constant.StringVal(v)
	// plainVerbs gives '#' in place of a verb with that flag.
	verbs, ok := plainVerbs(strings.ReplaceAll(format, "#", ""))
	if !ok {
		return "its format has indices or widths that are operands"
	}
	if len(verbs) != len(m.args) {
		return fmt.Sprintf("its format has %d verbs for %d operands", len(verbs), len(m.args))
	}
	m.operands = nil
	for i, a := range m.args {
		t := info.TypeOf(a)
		if why := printable(t, verbs[i]); why != "" {
			return types.ExprString(a) + why
		}
		m.operands = append(m.operands, operand{arg: a, typ: types.Unalias(t)})
	}
	m.text = strconv.Quote(format)
	if global(info, m.format) {
		m.text = p.source(m.fn.file, m.format)
	}
	return ""
}

// printable says why package fmt prints a value of type t under a verb in
// another way than by the value alone, or may do so later.
func printable(t types.Type, verb byte) string {
	if verb == 'w' {
		return " is wrapped"
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
func (m *formattedError) readOperands(p *Program) string {
	info := m.fn.info()
	used := map[string]bool{}
	for i := range m.operands {
		o := &m.operands[i]
		if info.Types[o.arg].Value != nil && global(info, o.arg) && !mentionsName(o.arg, "e") {
			o.text = p.source(m.fn.file, o.arg)
			continue
		}
		if _, why := fieldType(m.fn, o.typ); why != "" {
			return why
		}
		want := operandName(info, o.arg)
		o.name = want
		for n := 2; used[o.name]; n++ {
			o.name = want + strconv.Itoa(n)
		}
		used[o.name] = true
	}
	return ""
}

func mentionsName(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// fieldType writes the type of a field, for a declaration in the function's
// file.
func fieldType(fn *function, t types.Type) (string, string) {
	named, ok := t.(*types.Named)
	if !ok {
		return t.String(), ""
	}
	obj := named.Obj()
	switch {
	case obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() || named.TypeArgs().Len() > 0:
		return "", obj.Name() + " is not a type of the package"
	case obj.Pkg() == fn.obj.Pkg():
		return obj.Name(), ""
	}
	q := code.Qualifier(fn.info(), fn.obj.Pkg(), fn.file.syntax, fn.decl.Pos(), obj.Pkg().Path())
	if q == "" || !obj.Exported() {
		return "", fmt.Sprintf("%s.%s has no name in %s", obj.Pkg().Name(), obj.Name(), fn.file.name)
	}
	return q + "." + obj.Name(), ""
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
		case builtin(info, e) == "len":
			name = "length"
		case builtin(info, e) == "cap":
			name = "capacity"
		case info.Types[e.Fun].IsType() && len(e.Args) == 1:
			return operandName(info, e.Args[0])
		case callee(info, e) != nil:
			if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "String" {
				return operandName(info, sel.X)
			}
			name = callee(info, e).Name()
			if rest := strings.TrimPrefix(name, "Get"); rest != "" && unicode.IsUpper(rune(rest[0])) {
				name = rest
			}
		}
	}
	name = lowerCamel(name)
	if name == "" || name == "_" || types.Universe.Lookup(name) != nil || token.IsKeyword(name) {
		return "value"
	}
	return name
}

// order says why an operand could be read at another time than before: a call
// in the same statement may write it, and the order of the two is not defined.
func (m *formattedError) order() string {
	calls, stmt := 0, m.fn.file.parent(m.call)
	for _, ok := stmt.(ast.Stmt); !ok; _, ok = stmt.(ast.Stmt) {
		stmt = m.fn.file.parent(stmt)
	}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			outer := n == m.call || within(m.call, n) && within(n, m.format)
			if !outer && builtin(m.fn.info(), n) == "" && !m.fn.info().Types[n.Fun].IsType() {
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
		return ""
	}
	for _, o := range m.operands {
		call, ok := ast.Unparen(o.arg).(*ast.CallExpr)
		if ok && builtin(m.fn.info(), call) == "" && !m.fn.info().Types[call.Fun].IsType() {
			continue // calls keep their order
		}
		if !m.private(o.arg) {
			return fmt.Sprintf("a call in the same statement may write %s, and which comes first is not defined", types.ExprString(o.arg))
		}
	}
	return ""
}

// private reports whether e is made of constants and local variables that no
// call can write.
func (m *formattedError) private(e ast.Expr) bool {
	info, ok := m.fn.info(), true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, isVar := info.Uses[n].(*types.Var)
			ok = ok && (!isVar || v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && !v.IsField() && !m.shared(v))
		case *ast.CallExpr:
			b := builtin(info, n)
			ok = ok && (b == "len" || b == "cap" || info.Types[n.Fun].IsType())
		case *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		}
		return ok
	})
	return ok
}

// shared reports whether a local variable's address is taken, or a function
// literal mentions it and it is written.
func (m *formattedError) shared(v *types.Var) bool {
	found := false
	ast.Inspect(m.fn.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && m.fn.info().Uses[id] == v {
			lit := m.fn.file.literal(id)
			outside := lit != nil && !(lit.Pos() <= v.Pos() && v.Pos() < lit.End())
			sel, isSel := m.fn.file.parent(id).(*ast.SelectorExpr)
			found = found || outside && assigned(m.fn.info(), m.fn.decl.Body, v) || addressed(m.fn.file, id) || isSel && sel.X == ast.Expr(id)
		}
		return !found
	})
	return found
}
