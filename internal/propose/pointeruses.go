package propose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// mention classifies a place where the type is named.
func (u *pointerUses) mention(f *file, n ast.Node) string {
	id, ok := n.(*ast.Ident)
	if !ok || f.pkg.TypesInfo.Uses[id] != u.named.Obj() {
		return ""
	}
	other := id.Name + " is used in a way that depends on the pointer"
	switch up := f.parent(id).(type) {
	case *ast.StarExpr:
		return u.star(f, up, other)
	case *ast.CompositeLit:
		and, ok := parentOf(f, up).(*ast.UnaryExpr)
		if !ok || and.Op != token.AND {
			return "a value of " + id.Name + " is made"
		}
		if why := u.literal(f, and); why != "" {
			return why
		}
		u.cut(f, and.Pos(), and.X.Pos())
		return ""
	case *ast.Field: // a value receiver
		if decl := declOf(f, up); decl != nil && decl.Recv != nil && slices.Contains(decl.Recv.List, up) {
			return ""
		}
	case *ast.StructType, *ast.TypeSpec:
		return id.Name + " is embedded or has another name"
	}
	return other
}

// star classifies a mention of the pointer type and removes its star.
func (u *pointerUses) star(f *file, star *ast.StarExpr, other string) string {
	switch up := f.parent(star).(type) {
	case *ast.Field:
		if why := u.field(f, up, star); why != "" {
			return why
		}
	case *ast.ValueSpec:
		if _, local := f.parent(f.parent(up)).(*ast.DeclStmt); !local || up.Type != star {
			return other
		}
		if len(up.Values) == 0 {
			for _, name := range up.Names {
				u.maybeNil[f.pkg.TypesInfo.Defs[name]] = name.Name + " may be nil"
			}
		}
	case *ast.TypeAssertExpr, *ast.CaseClause:
		u.asserted(f, up)
	case *ast.IndexExpr:
		fn, ok := calleeOfIndex(f.pkg.TypesInfo, up)
		if !ok || symbolOf(fn) != "errors.AsType" {
			return other
		}
		u.asserted(f, f.parent(up))
	case *ast.ParenExpr:
		call, ok := f.parent(up).(*ast.CallExpr)
		if !ok {
			return other
		}
		if call.Fun != up || len(call.Args) != 1 || !isNil(f.pkg.TypesInfo, call) || !blank(f, call) {
			return "a nil pointer of the type is made"
		}
		u.edits = append(u.edits, u.p.edit(f, u.p.offset(call.Pos()), u.p.offset(call.End()), u.named.Obj().Name()+"{}"))
		return ""
	default:
		return other
	}
	u.cut(f, star.Pos(), star.X.Pos())
	return ""
}

// asserted notes the variables of an assertion that may fail.
func (u *pointerUses) asserted(f *file, e ast.Node) {
	a, ok := f.parent(e).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
		return
	}
	if id, ok := a.Lhs[0].(*ast.Ident); ok {
		if obj := f.pkg.TypesInfo.ObjectOf(id); obj != nil {
			u.maybeNil[obj] = id.Name + " is nil where the assertion fails"
		}
	}
}

func calleeOfIndex(info *types.Info, e *ast.IndexExpr) (*types.Func, bool) {
	sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	return fn, ok
}

// blank reports whether a value is assigned to _ only: var _ error = (*T)(nil).
func blank(f *file, e ast.Expr) bool {
	spec, ok := f.parent(e).(*ast.ValueSpec)
	return ok && len(spec.Names) == 1 && spec.Names[0].Name == "_"
}

func declOf(f *file, field *ast.Field) *ast.FuncDecl {
	n := f.parent(f.parent(field))
	if t, ok := n.(*ast.FuncType); ok {
		n = f.parent(t)
	}
	decl, _ := n.(*ast.FuncDecl)
	return decl
}

// field classifies a receiver, parameter or result of the pointer type.
func (u *pointerUses) field(f *file, field *ast.Field, star *ast.StarExpr) string {
	name := u.named.Obj().Name()
	decl := declOf(f, field)
	switch {
	case decl == nil || field.Type != star:
		return "a type that is made of " + name + " is used"
	case decl.Recv != nil && slices.Contains(decl.Recv.List, field):
		return ""
	case decl.Recv != nil || decl.Name.IsExported():
		return fmt.Sprintf("%s has %s in its signature", decl.Name.Name, name)
	case decl.Type.Results != nil && slices.Contains(decl.Type.Results.List, field) && len(field.Names) > 0:
		return fmt.Sprintf("the result %s of %s starts as nil", field.Names[0].Name, decl.Name.Name)
	}
	return ""
}

// literal classifies &T{…}: in a package variable it is there to be compared.
func (u *pointerUses) literal(f *file, and *ast.UnaryExpr) string {
	for n := f.parent(and); n != nil; n = f.parent(n) {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return ""
		case *ast.ValueSpec:
			if _, local := f.parent(f.parent(n)).(*ast.DeclStmt); !local && !(len(n.Names) == 1 && n.Names[0].Name == "_") {
				return "the package variable " + n.Names[0].Name + " holds a pointer, which tells it from other errors"
			}
		}
	}
	return ""
}

// cut removes a part of a file.
func (u *pointerUses) cut(f *file, from, to token.Pos) {
	u.edits = append(u.edits, u.p.edit(f, u.p.offset(from), u.p.offset(to), ""))
}

// parentOf returns the parent of e, without parentheses.
func parentOf(f *file, e ast.Node) ast.Node {
	up := f.parent(e)
	for {
		paren, ok := up.(*ast.ParenExpr)
		if !ok {
			return up
		}
		up = f.parent(paren)
	}
}

// value classifies the use of an expression of the pointer type by what is
// around it.
func (u *pointerUses) value(f *file, n ast.Node) string {
	info := f.pkg.TypesInfo
	e, ok := n.(ast.Expr)
	if ok && info.Types[e].IsNil() {
		return u.null(f, e)
	}
	if !ok || !info.Types[e].IsValue() && !u.isVariable(info, e) || !types.Identical(info.TypeOf(e), u.ptr) {
		return ""
	}
	if _, paren := e.(*ast.ParenExpr); paren {
		return "" // what is within has been looked at
	}
	if id, ok := e.(*ast.Ident); ok && info.Defs[id] != nil {
		return ""
	}
	what := types.ExprString(e)
	switch up := parentOf(f, e).(type) {
	case *ast.SelectorExpr:
		return u.selector(f, up)
	case *ast.UnaryExpr:
		if up.Op == token.AND && u.target(f, up) {
			return ""
		}
		return "the address of " + what + " is taken"
	case *ast.StarExpr:
		return "the struct is read or written as a whole through " + what
	case *ast.BinaryExpr:
		return what + " is compared"
	case *ast.ExprStmt, *ast.TypeAssertExpr:
		return ""
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ValueSpec, *ast.CallExpr, *ast.SendStmt, *ast.KeyValueExpr, *ast.CompositeLit:
		return u.handed(f, e, up)
	}
	return what + " is used in a way that depends on the pointer"
}

// null classifies nil: conversions of it have been classified as mentions.
func (u *pointerUses) null(f *file, e ast.Expr) string {
	up := parentOf(f, e)
	if call, ok := up.(*ast.CallExpr); ok && f.pkg.TypesInfo.Types[call.Fun].IsType() {
		return ""
	}
	if to := u.destination(f, e, up); to != nil && types.Identical(to, u.ptr) {
		return "nil is used as a pointer of the type"
	}
	return ""
}

func (u *pointerUses) isVariable(info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Var)
	return ok
}

// target reports whether &v is what errors.As sets.
func (u *pointerUses) target(f *file, and *ast.UnaryExpr) bool {
	call, ok := parentOf(f, and).(*ast.CallExpr)
	return ok && symbolOf(callee(f.pkg.TypesInfo, call)) == "errors.As" && len(call.Args) == 2 && ast.Unparen(call.Args[1]) == and
}

// selector classifies e.name: a field that is read or a method that is called.
func (u *pointerUses) selector(f *file, sel *ast.SelectorExpr) string {
	info := f.pkg.TypesInfo
	s, what := info.Selections[sel], types.ExprString(sel)
	if s == nil {
		return what + " is not understood"
	}
	if s.Kind() == types.MethodVal {
		if call, ok := parentOf(f, sel).(*ast.CallExpr); !ok || ast.Unparen(call.Fun) != sel {
			return what + " is a method value"
		}
		return ""
	}
	switch up := parentOf(f, sel).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			return "the address of " + what + " is taken"
		}
	case *ast.AssignStmt:
		for _, l := range up.Lhs {
			if ast.Unparen(l) == sel {
				return what + " is written"
			}
		}
	case *ast.IncDecStmt:
		return what + " is written"
	case *ast.RangeStmt:
		if up.X != sel {
			return what + " is written"
		}
	case *ast.SelectorExpr:
		if m := info.Selections[up]; m != nil && m.Kind() == types.MethodVal {
			_, ptr := m.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if _, isPtr := info.TypeOf(sel).Underlying().(*types.Pointer); ptr && !isPtr {
				return types.ExprString(up) + " is called by the address of " + what
			}
		}
	}
	return ""
}

// handed classifies a pointer that is passed on: as an error or in another
// interface, or to a variable, parameter or result of the pointer type.
func (u *pointerUses) handed(f *file, e ast.Expr, up ast.Node) string {
	info, what := f.pkg.TypesInfo, types.ExprString(e)
	if a, ok := up.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == e }) {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
			return what + " is written"
		}
		return ""
	}
	to := u.destination(f, e, up)
	switch {
	case to == nil:
		return what + " is handed on in a way that pawl does not follow"
	case types.IsInterface(to) && !implementsError(to) && !u.onlyShown(f, up):
		return what + " is put into an interface that is no error: it may be written there"
	case types.IsInterface(to):
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && u.maybeNil[info.Uses[id]] != "" {
			return u.maybeNil[info.Uses[id]] + " where it is made an error"
		}
		return ""
	case types.Identical(to, u.ptr):
		return ""
	}
	return fmt.Sprintf("%s becomes a %s", what, to)
}

// onlyShown reports whether a call only shows its arguments or looks for an
// error among them.
func (u *pointerUses) onlyShown(f *file, up ast.Node) bool {
	call, ok := up.(*ast.CallExpr)
	if !ok {
		return false
	}
	if builtin(f.pkg.TypesInfo, call) == "panic" {
		return true
	}
	fn := callee(f.pkg.TypesInfo, call)
	return fn != nil && fn.Pkg() != nil && slices.Contains([]string{"errors", "fmt", "log", "testing"}, fn.Pkg().Path())
}
