package boxes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// pointerUses goes over all uses of a struct type and of pointers to it, and
// collects the edits that make values of them.
type pointerUses struct {
	p     *prove.Program
	k     *prove.Package
	named *types.Named
	ptr   *types.Pointer
	kind  boxed
	edits []model.Edit
	// maybeNil holds the variables that may not have been set: those declared
	// without a value, and those of an assertion that may fail.
	maybeNil map[types.Object]string
}

func newPointerUses(p *prove.Program, k *prove.Package, named *types.Named) *pointerUses {
	return &pointerUses{p: p, k: k, named: named, ptr: types.NewPointer(named), kind: anyError, maybeNil: map[types.Object]string{}}
}

// read fills in the edits, or says which use stands in the way.
func (u *pointerUses) read() *prove.Reason {
	name := u.named.Obj().Name()
	tests, external := u.p.TestFiles(u.k)
	for _, f := range append(tests, external...) {
		if u.kind.of == nil && code.Worded(f.Syntax, name) { // a value that is no error is no more looked for there than used
			return prove.Refusef("%s mentions %s: tests are not edited", f.Name, name)
		}
	}
	for _, f := range u.k.Files {
		if why := prove.Editable(f); why != nil && code.Worded(f.Syntax, name) {
			return why
		}
	}
	for _, visit := range []func(*prove.File, ast.Node) *prove.Reason{u.mention, u.value} {
		for _, f := range u.k.Files {
			for n := range code.All[ast.Node](f.Syntax) {
				if what := visit(f, n); what != nil {
					return prove.Refusef("%s (%s)", what, u.p.Pos(n.Pos()))
				}
			}
		}
	}
	sort.SliceStable(u.edits, func(i, j int) bool { return u.edits[i].Start < u.edits[j].Start })
	return nil
}

// mention classifies a place where the type is named.
func (u *pointerUses) mention(f *prove.File, n ast.Node) *prove.Reason {
	id, ok := n.(*ast.Ident)
	if !ok || f.Pkg.TypesInfo.Uses[id] != u.named.Obj() {
		return nil
	}
	other := prove.Refuse(id.Name + " is used in a way that depends on the pointer")
	switch up := f.Parent(id).(type) {
	case *ast.StarExpr:
		return u.star(f, up, other)
	case *ast.CompositeLit:
		and, ok := parentOf(f, up).(*ast.UnaryExpr)
		if !ok || and.Op != token.AND {
			return prove.Refuse("a value of " + id.Name + " is made")
		}
		if why := u.literal(f, and); why != nil {
			return why
		}
		u.cut(f, and.Pos(), and.X.Pos())
		return nil
	case *ast.Field: // a value receiver
		if decl := declOf(f, up); decl != nil && decl.Recv != nil && slices.Contains(decl.Recv.List, up) {
			return nil
		}
	case *ast.StructType, *ast.TypeSpec:
		return prove.Refuse(id.Name + " is embedded or has another name")
	}
	return other
}

// star classifies a mention of the pointer type and removes its star.
func (u *pointerUses) star(f *prove.File, star *ast.StarExpr, other *prove.Reason) *prove.Reason {
	switch up := f.Parent(star).(type) {
	case *ast.Field:
		if why := u.field(f, up, star); why != nil {
			return why
		}
	case *ast.ValueSpec:
		if _, local := f.Parent(f.Parent(up)).(*ast.DeclStmt); !local || up.Type != star {
			return other
		}
		if len(up.Values) == 0 {
			for _, name := range up.Names {
				u.maybeNil[f.Pkg.TypesInfo.Defs[name]] = name.Name + " may be nil"
			}
		}
	case *ast.TypeAssertExpr, *ast.CaseClause:
		u.asserted(f, up)
	case *ast.IndexExpr:
		fn, ok := calleeOfIndex(f.Pkg.TypesInfo, up)
		if !ok || symbolOf(fn) != "errors.AsType" {
			return other
		}
		u.asserted(f, f.Parent(up))
	case *ast.ParenExpr:
		call, ok := f.Parent(up).(*ast.CallExpr)
		if !ok {
			return other
		}
		if call.Fun != up || len(call.Args) != 1 || !code.IsNil(f.Pkg.TypesInfo, call) || !blank(f, call) {
			return prove.Refuse("a nil pointer of the type is made")
		}
		u.edits = append(u.edits, u.p.Put(f, call.Pos(), call.End(), u.named.Obj().Name()+"{}"))
		return nil
	default:
		return other
	}
	u.cut(f, star.Pos(), star.X.Pos())
	return nil
}

// asserted notes the variables of an assertion that may fail.
func (u *pointerUses) asserted(f *prove.File, e ast.Node) {
	a, ok := f.Parent(e).(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || len(a.Rhs) != 1 {
		return
	}
	if id, ok := a.Lhs[0].(*ast.Ident); ok {
		if obj := f.Pkg.TypesInfo.ObjectOf(id); obj != nil {
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
func blank(f *prove.File, e ast.Expr) bool {
	spec, ok := f.Parent(e).(*ast.ValueSpec)
	return ok && len(spec.Names) == 1 && spec.Names[0].Name == "_"
}

func declOf(f *prove.File, field *ast.Field) *ast.FuncDecl {
	n := f.Parent(f.Parent(field))
	if t, ok := n.(*ast.FuncType); ok {
		n = f.Parent(t)
	}
	decl, _ := n.(*ast.FuncDecl)
	return decl
}

// field classifies a receiver, parameter or result of the pointer type.
func (u *pointerUses) field(f *prove.File, field *ast.Field, star *ast.StarExpr) *prove.Reason {
	name := u.named.Obj().Name()
	decl := declOf(f, field)
	switch {
	case decl == nil || field.Type != star:
		return prove.Refuse("a type that is made of " + name + " is used")
	case decl.Recv != nil && slices.Contains(decl.Recv.List, field):
		return nil
	case decl.Recv != nil || decl.Name.IsExported():
		return prove.Refusef("%s has %s in its signature", decl.Name.Name, name)
	case decl.Type.Results != nil && slices.Contains(decl.Type.Results.List, field) && len(field.Names) > 0:
		return prove.Refusef("the result %s of %s starts as nil", field.Names[0].Name, decl.Name.Name)
	}
	return nil
}

// literal classifies &T{…}: in a package variable it is there to be compared.
func (u *pointerUses) literal(f *prove.File, and *ast.UnaryExpr) *prove.Reason {
	for n := f.Parent(and); n != nil; n = f.Parent(n) {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		case *ast.ValueSpec:
			if _, local := f.Parent(f.Parent(n)).(*ast.DeclStmt); !local && !(len(n.Names) == 1 && n.Names[0].Name == "_") {
				return prove.Refuse("the package variable " + n.Names[0].Name + " holds a pointer, which tells it from other errors")
			}
		}
	}
	return nil
}

// cut removes a part of a file.
func (u *pointerUses) cut(f *prove.File, from, to token.Pos) {
	u.edits = append(u.edits, u.p.Put(f, from, to, ""))
}

// parentOf returns the parent of e, without parentheses.
func parentOf(f *prove.File, e ast.Node) ast.Node {
	up := f.Parent(e)
	for {
		paren, ok := up.(*ast.ParenExpr)
		if !ok {
			return up
		}
		up = f.Parent(paren)
	}
}

// value classifies the use of an expression of the pointer type by what is
// around it.
func (u *pointerUses) value(f *prove.File, n ast.Node) *prove.Reason {
	info := f.Pkg.TypesInfo
	e, ok := n.(ast.Expr)
	if ok && info.Types[e].IsNil() {
		return u.null(f, e)
	}
	if !ok || !info.Types[e].IsValue() && !u.isVariable(info, e) || !types.Identical(info.TypeOf(e), u.ptr) {
		return nil
	}
	if _, paren := e.(*ast.ParenExpr); paren {
		return nil // what is within has been looked at
	}
	if id, ok := e.(*ast.Ident); ok && info.Defs[id] != nil {
		return nil
	}
	what := types.ExprString(e)
	switch up := parentOf(f, e).(type) {
	case *ast.SelectorExpr:
		return u.selector(f, up)
	case *ast.UnaryExpr:
		if up.Op == token.AND && u.target(f, up) {
			return nil
		}
		return prove.Refuse("the address of " + what + " is taken")
	case *ast.StarExpr:
		return prove.Refuse("the struct is read or written as a whole through " + what)
	case *ast.BinaryExpr:
		return prove.Refuse(what + " is compared")
	case *ast.ExprStmt, *ast.TypeAssertExpr:
		return nil
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ValueSpec, *ast.CallExpr, *ast.SendStmt, *ast.KeyValueExpr, *ast.CompositeLit:
		return u.handed(f, e, up)
	}
	return prove.Refuse(what + " is used in a way that depends on the pointer")
}

// null classifies nil: conversions of it have been classified as mentions.
func (u *pointerUses) null(f *prove.File, e ast.Expr) *prove.Reason {
	up := parentOf(f, e)
	if call, ok := up.(*ast.CallExpr); ok && f.Pkg.TypesInfo.Types[call.Fun].IsType() {
		return nil
	}
	if to := u.destination(f, e, up); to != nil && types.Identical(to, u.ptr) {
		return prove.Refuse("nil is used as a pointer of the type")
	}
	return nil
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
func (u *pointerUses) target(f *prove.File, and *ast.UnaryExpr) bool {
	call, ok := parentOf(f, and).(*ast.CallExpr)
	return ok && symbolOf(code.Callee(f.Pkg.TypesInfo, call)) == "errors.As" && len(call.Args) == 2 && ast.Unparen(call.Args[1]) == and
}

// selector classifies e.name: a field that is read or a method that is called.
func (u *pointerUses) selector(f *prove.File, sel *ast.SelectorExpr) *prove.Reason {
	info := f.Pkg.TypesInfo
	s, what := info.Selections[sel], types.ExprString(sel)
	if s == nil {
		return prove.Refuse(what + " is not understood")
	}
	if s.Kind() == types.MethodVal {
		if call, ok := parentOf(f, sel).(*ast.CallExpr); !ok || ast.Unparen(call.Fun) != sel {
			return prove.Refuse(what + " is a method value")
		}
		return nil
	}
	if f.AssignedTo(sel) {
		return prove.Refuse(what + " is written")
	}
	switch up := parentOf(f, sel).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			return prove.Refuse("the address of " + what + " is taken")
		}
	case *ast.SelectorExpr:
		if m := info.Selections[up]; m != nil && m.Kind() == types.MethodVal {
			_, ptr := m.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if _, isPtr := info.TypeOf(sel).Underlying().(*types.Pointer); ptr && !isPtr {
				return prove.Refuse(types.ExprString(up) + " is called by the address of " + what)
			}
		}
	}
	return nil
}

// handed classifies a pointer that is passed on: as an error or in another
// interface, or to a variable, parameter or result of the pointer type.
func (u *pointerUses) handed(f *prove.File, e ast.Expr, up ast.Node) *prove.Reason {
	info, what := f.Pkg.TypesInfo, types.ExprString(e)
	if a, ok := up.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == e }) {
		if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
			return prove.Refuse(what + " is written")
		}
		return nil
	}
	to := u.destination(f, e, up)
	switch {
	case to == nil:
		return prove.Refuse(what + " is handed on in a way that pawl does not follow")
	case types.IsInterface(to) && !u.kind.in(to) && (u.kind.of != nil || !u.onlyShown(f, up)):
		return prove.Refuse(what + " is put into an interface that is not for " + u.kind.many + ": it may be written there")
	case types.IsInterface(to):
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && u.maybeNil[info.Uses[id]] != "" {
			return prove.Refuse(u.maybeNil[info.Uses[id]] + " where it is made " + u.kind.one)
		}
		return nil
	case types.Identical(to, u.ptr):
		return nil
	}
	return prove.Refusef("%s becomes a %s", what, to)
}

// onlyShown reports whether a call only shows its arguments or looks for an
// error among them.
func (u *pointerUses) onlyShown(f *prove.File, up ast.Node) bool {
	call, ok := up.(*ast.CallExpr)
	if !ok {
		return false
	}
	if code.Builtin(f.Pkg.TypesInfo, call) == "panic" {
		return true
	}
	fn := code.Callee(f.Pkg.TypesInfo, call)
	return fn != nil && fn.Pkg() != nil && slices.Contains([]string{"errors", "fmt", "log", "testing"}, fn.Pkg().Path())
}
