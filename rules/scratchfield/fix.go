package scratchfield

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

var concurrent = regexp.MustCompile(`(?i)concurren|goroutine|thread|parallel|simultaneous`)

// shared reports whether anything says that the method runs more than once at
// a time on one value, or that values are copied or compared.
func (a *array) shared() bool {
	if concurrent.MatchString(a.method.Doc.Text()) || concurrent.MatchString(a.typeDoc()) || a.method.Name.Name == "ServeHTTP" || a.p.Index.Imports("unsafe") {
		return true
	}
	fields := a.owner.Underlying().(*types.Struct)
	for f := range fields.Fields() {
		if locks(f.Type()) {
			return true
		}
	}
	if a.everywhere() {
		return true
	}
	for m := range a.owner.Methods() {
		if _, ptr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer); !ptr {
			return true // the receiver is copied
		}
	}
	self, _ := a.p.TypesInfo.Defs[a.method.Name].(*types.Func)
	for _, use := range a.p.Index.Uses(self) {
		if code.Within(a.method, use.Node()) {
			return true // it may run again before it returns
		}
		for range use.Enclosing((*ast.GoStmt)(nil)) {
			return true
		}
	}
	return a.compared()
}

// everywhere reports whether a package variable holds a value of the type, so
// that any goroutine may use it.
func (a *array) everywhere() bool {
	for _, name := range a.p.Pkg.Scope().Names() {
		v, ok := a.p.Pkg.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		t := v.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Origin() == a.owner.Origin() {
			return true
		}
	}
	return false
}

// typeDoc returns the comment on the owner's declaration.
func (a *array) typeDoc() string {
	pos := a.owner.Obj().Pos()
	file := a.p.File(pos)
	if file == nil {
		return ""
	}
	for _, d := range file.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || pos < gd.Pos() || pos >= gd.End() {
			continue
		}
		for _, s := range gd.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok && spec.Name.Pos() == pos {
				return gd.Doc.Text() + spec.Doc.Text()
			}
		}
	}
	return ""
}

// locks reports whether a field's type is of sync or sync/atomic.
func locks(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic")
}

// compared reports whether values of the type are compared, converted, used as
// keys or written without field names somewhere in the package.
func (a *array) compared() bool {
	is := func(x ast.Expr) bool {
		n, ok := types.Unalias(a.p.TypesInfo.TypeOf(x)).(*types.Named)
		return ok && n.Origin() == a.owner.Origin()
	}
	if !a.p.Index.Whole() {
		return true
	}
	for cur := range a.p.Index.Inspect.Root().Preorder((*ast.CompositeLit)(nil), (*ast.BinaryExpr)(nil), (*ast.MapType)(nil), (*ast.CallExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.CompositeLit:
			if len(n.Elts) > 0 && is(n) {
				if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
					return true
				}
			}
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && is(n.X) {
				return true
			}
		case *ast.MapType:
			if is(n.Key) {
				return true
			}
		case *ast.CallExpr:
			if a.p.TypesInfo.Types[n.Fun].IsType() && (is(n.Fun) || len(n.Args) == 1 && is(n.Args[0])) {
				return true
			}
		}
	}
	return false
}

// edits adds the field and uses it in the method; nil if that is not possible.
func (a *array) edits() []analysis.TextEdit {
	spec := a.structType()
	if spec == nil || len(a.method.Recv.List[0].Names) != 1 {
		return nil
	}
	recv := a.method.Recv.List[0].Names[0]
	rv, _ := a.p.TypesInfo.Defs[recv].(*types.Var)
	if recv.Name == "_" || rv == nil || code.Written(a.p.Index, a.p.TypesInfo, rv, a.method) || !a.global(spec) {
		return nil
	}
	field := a.freeField(a.v.Name() + "Buf")
	if !a.sees(a.decl.Pos(), rv) {
		return nil
	}
	reset := fmt.Sprintf("%s.%s = %s{}", recv.Name, field, a.typ)
	edits := []analysis.TextEdit{fieldEdit(a.p.Fset, spec, field+" "+a.typ, a.method.Name.Name)}
	if a.made {
		reset += fmt.Sprintf("\n%s := %s.%s[:]", a.v.Name(), recv.Name, field)
	} else {
		for _, use := range a.p.Index.Uses(a.v) {
			if !a.sees(use.Node().Pos(), rv) {
				return nil
			}
			edits = append(edits, analysis.TextEdit{Pos: use.Node().Pos(), End: use.Node().End(), NewText: []byte(recv.Name + "." + field)})
		}
	}
	return append(edits, analysis.TextEdit{Pos: a.decl.Pos(), End: a.decl.End(), NewText: []byte(reset)})
}

// structType returns the declaration of the owner, unless it is generated.
func (a *array) structType() *ast.StructType {
	pos := a.owner.Obj().Pos()
	file := a.p.File(pos)
	if file == nil || ast.IsGenerated(file) || a.p.IsTest(pos) {
		return nil
	}
	for spec := range code.All[*ast.TypeSpec](file) {
		if spec.Name.Pos() == pos {
			found, _ := spec.Type.(*ast.StructType)
			return found
		}
	}
	return nil
}

// global reports whether the array's type means the same in the struct's file.
func (a *array) global(spec *ast.StructType) bool {
	return !slices.ContainsFunc(a.exprs, func(x ast.Expr) bool {
		return code.Any(x, func(id *ast.Ident) bool {
			switch obj := a.p.TypesInfo.Uses[id].(type) {
			case nil:
				return true
			case *types.PkgName:
				return a.p.File(spec.Pos()) != a.p.File(id.Pos())
			default:
				_, outer := a.p.Pkg.Scope().Innermost(spec.Pos()).LookupParent(id.Name, token.NoPos)
				return outer != obj && (obj.Pkg() == nil || obj.Pkg() == a.p.Pkg)
			}
		})
	})
}

// sees reports whether the receiver's name means the receiver at pos.
func (a *array) sees(pos token.Pos, rv *types.Var) bool {
	scope := a.p.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(rv.Name(), pos)
	return obj == rv
}

// freeField returns a name that no field or method of the owner has, nor will
// have by another fix.
func (a *array) freeField(want string) string {
	name := want
	for i := 2; ; i++ {
		key := a.owner.Obj().Name() + "." + name
		if obj, _, _ := types.LookupFieldOrMethod(a.owner, true, a.p.Pkg, name); obj == nil && !a.given[key] {
			a.given[key] = true
			return name
		}
		name = fmt.Sprintf("%s%d", want, i)
	}
}

// fieldEdit adds a field at the end of a struct.
func fieldEdit(fset *token.FileSet, spec *ast.StructType, field, method string) analysis.TextEdit {
	list := spec.Fields
	text := "\t" + field + " // working memory of " + method + "\n"
	if fset.Position(list.Opening).Line == fset.Position(list.Closing).Line {
		text = field + " "
		if len(list.List) > 0 {
			text = "; " + text
		}
	}
	return analysis.TextEdit{Pos: list.Closing, End: list.Closing, NewText: []byte(text)}
}
