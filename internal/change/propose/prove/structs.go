package prove

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// same reports whether t is the named type, also where another check of the
// package made its own copy of it.
func same(t types.Type, named *types.Named) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pos() == named.Obj().Pos() && n.Obj().Name() == named.Obj().Name()
}

// Holds reports whether a value of type t holds one of the named type, not
// counting what it points to.
func Holds(t types.Type, named *types.Named) bool {
	return t != nil && code.Inside(t, func(t types.Type) bool { return same(t, named) })
}

// pointsTo reports whether t is the named type or a pointer to it.
func pointsTo(t types.Type, named *types.Named) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return t != nil && same(t, named)
}

// A StructUse is what could notice one more field in a struct.
type StructUse struct {
	Why    *Reason // why no field may be added; nil if one may
	Copied string  // the first place that copies a value of it, "" if there is none
}

// StructUses looks through everything loaded, and the tests of the struct's
// package, for code that a new field would break or could be seen by.
func (p *Surroundings) StructUses(m *Method) StructUse { return p.structUses(m.File.Pkg, m.Named) }

func (p *Surroundings) structUses(pkg *Package, named *types.Named) StructUse {
	var s StructUse
	str, name := named.Underlying().(*types.Struct), named.Obj().Name()
	if why := outsideView(named.Obj(), str); why != nil {
		return StructUse{Why: why}
	}
	for f := range str.Fields() {
		if n, ok := types.Unalias(f.Type()).(*types.Named); ok && n.Obj().Name() == "HostLayout" {
			return StructUse{Why: Refusef("%s has a fixed layout (structs.HostLayout)", name)}
		}
	}
	if f := p.IgnoredMention(pkg, name); f != "" {
		return StructUse{Why: Refusef("%s, which is not built on this platform, refers to %s", f, name)}
	}
	p.EachFile(pkg, func(f *File, info *types.Info) {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if s.Why == nil {
				if what := noticesField(info, n, named); what != "" {
					s.Why = Refusef("%s is %s at %s", name, what, p.Pos(n.Pos()))
				}
			}
			if s.Copied == "" && !f.Test && (copies(f, info, n, named) || copiesOut(info, n, named)) {
				s.Copied = p.Pos(n.Pos()).String()
			}
			return s.Why == nil
		})
	})
	return s
}

// CopiedAt says where in what was loaded a value is copied that holds the struct of a field: both have what the field
// refers to then. It is "" if that is nowhere, or the struct has no name.
func (p *Surroundings) CopiedAt(pkg *Package, field *types.Var) (at string) {
	owner := ownerOf(field)
	if owner == nil {
		return ""
	}
	p.EachFile(pkg, func(f *File, info *types.Info) {
		for n := range code.All[ast.Node](f.Syntax) {
			if at == "" && !f.Test && (copies(f, info, n, owner) || copiesOut(info, n, owner)) {
				at = p.Pos(n.Pos()).String()
			}
		}
	})
	return at
}

// IgnoredMention returns a file of the package that other build tags or
// platforms would add and that uses a name, "" if there is none.
func (p *Module) IgnoredMention(k *Package, name string) string {
	for _, path := range k.IgnoredFiles {
		if !strings.HasSuffix(path, ".go") {
			continue
		}
		syntax, err := parser.ParseFile(p.Fset, path, nil, parser.SkipObjectResolution)
		if err != nil || syntax.Name.Name != k.Name {
			continue
		}
		if code.Worded(syntax, name) {
			return p.rel(path)
		}
	}
	return ""
}

// outsideView says why code that was not loaded could notice a field.
func outsideView(named *types.TypeName, str *types.Struct) *Reason {
	if !named.Exported() {
		return nil
	}
	for f := range str.Fields() {
		if !f.Exported() {
			return nil
		}
	}
	if named.Pkg().Name() == "main" {
		return nil
	}
	return Refusef("%s is exported and has exported fields only: other packages may write it without field names or convert it", named.Name())
}

// noticesField says how a node would notice a new field of the named struct,
// "" if it would not.
func noticesField(info *types.Info, n ast.Node, named *types.Named) string {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if len(n.Elts) > 0 && same(info.TypeOf(n), named) {
			if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
				return "written without field names"
			}
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && (Holds(info.TypeOf(n.X), named) || Holds(info.TypeOf(n.Y), named)) {
			return "compared with " + n.Op.String()
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && Holds(info.TypeOf(n.Tag), named) {
			return "compared in a switch"
		}
	case *ast.MapType:
		if Holds(info.TypeOf(n.Key), named) {
			return "a map key"
		}
	case *ast.IndexExpr:
		return instantiated(info, n, n.Index, named)
	case *ast.CallExpr:
		return callNotices(info, n, named)
	case *ast.TypeSpec:
		if same(info.TypeOf(n.Type), named) {
			return "the model of type " + n.Name.Name
		}
	}
	return ""
}

func instantiated(info *types.Info, n *ast.IndexExpr, arg ast.Expr, named *types.Named) string {
	if info.Types[arg].IsType() && Holds(info.TypeOf(arg), named) && !info.Types[n].IsType() {
		return "a type argument"
	}
	return ""
}

// callNotices looks at conversions and calls that see a value's layout or
// all of its fields.
func callNotices(info *types.Info, call *ast.CallExpr, named *types.Named) string {
	if info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		to, from := info.TypeOf(call.Fun), info.TypeOf(call.Args[0])
		if b, ok := to.Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer && pointsTo(from, named) {
			return "used through unsafe"
		}
		if code.IsNil(info, call.Args[0]) {
			return ""
		}
		if ptr, ok := to.(*types.Pointer); ok && pointsTo(to, named) && !pointsTo(from, named) && from != nil {
			return "converted from " + from.String() + " by " + ptr.String()
		}
		if same(to, named) != same(from, named) && !types.IsInterface(to) {
			return "converted to or from another type"
		}
		return ""
	}
	fun := ast.Unparen(call.Fun)
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return valueInInterface(info, call, named)
	}
	path := ""
	if obj := info.Uses[sel.Sel]; obj != nil && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	for _, a := range call.Args {
		t := info.TypeOf(a)
		if t == nil || !pointsTo(t, named) && !Holds(t, named) {
			continue
		}
		switch {
		case path == "unsafe":
			return "measured by unsafe." + sel.Sel.Name
		case path == "reflect", path == "encoding/binary", strings.HasSuffix(path, "google/go-cmp/cmp"):
			return "passed to " + path + ", which sees all fields,"
		case path == "fmt" && !hasStringer(t):
			return "printed by fmt." + sel.Sel.Name + ", which shows all fields,"
		}
	}
	return valueInInterface(info, call, named)
}

func hasStringer(t types.Type) bool {
	return slices.ContainsFunc([]string{"String", "Error", "Format"}, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		return obj != nil
	})
}

// valueInInterface finds values of the struct in interfaces, where they may
// be compared or be a map key.
func valueInInterface(info *types.Info, call *ast.CallExpr, named *types.Named) string {
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || !types.Comparable(named) {
		return ""
	}
	for i, a := range call.Args {
		t := info.TypeOf(a)
		if t == nil || !Holds(t, named) {
			continue
		}
		n := sig.Params().Len()
		var to types.Type
		switch {
		case sig.Variadic() && i >= n-1:
			if s, ok := sig.Params().At(n - 1).Type().(*types.Slice); ok {
				to = s.Elem()
			}
		case i < n:
			to = sig.Params().At(i).Type()
		}
		if to != nil && types.IsInterface(to) {
			return "put into an interface"
		}
	}
	return ""
}

// copiesOut reports whether a node copies a value that holds the struct out of the elements that a loop goes over, or out of
// an interface.
func copiesOut(info *types.Info, n ast.Node, named *types.Named) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if n.Value == nil {
			return false
		}
		id, ok := n.Value.(*ast.Ident)
		return !(ok && id.Name == "_") && Holds(info.TypeOf(n.Value), named)
	case *ast.TypeAssertExpr:
		return n.Type != nil && Holds(info.TypeOf(n.Type), named)
	case *ast.TypeSwitchStmt:
		return code.Any(n.Body, func(c *ast.CaseClause) bool {
			return slices.ContainsFunc(c.List, func(t ast.Expr) bool { return info.Types[t].IsType() && Holds(info.TypeOf(t), named) })
		})
	}
	return false
}

// copies reports whether a node is an expression that copies an existing value that holds the struct.
func copies(f *File, info *types.Info, n ast.Node, named *types.Named) bool {
	var e ast.Expr
	switch n := n.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
		e = n.(ast.Expr)
	default:
		return false
	}
	tv, ok := info.Types[e]
	if id, isIdent := e.(*ast.Ident); isIdent {
		v, isVar := info.Uses[id].(*types.Var)
		if !isVar || v.IsField() {
			return false
		}
		tv.Type = v.Type()
	} else if !ok || !tv.IsValue() {
		return false
	}
	if !Holds(tv.Type, named) {
		return false
	}
	switch up := f.Parent(e).(type) {
	case *ast.SelectorExpr, *ast.StarExpr, *ast.ParenExpr, *ast.ExprStmt:
		return false
	case *ast.UnaryExpr:
		return up.Op != token.AND
	case *ast.IndexExpr, *ast.SliceExpr:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(up.Lhs, e)
	case *ast.ReturnStmt: // a local variable that is returned dies
		if id, ok := e.(*ast.Ident); ok {
			v := info.Uses[id]
			return v == nil || v.Parent() == v.Pkg().Scope()
		}
	case *ast.CallExpr:
		if code.Builtin(info, up) == "len" {
			return false
		}
	case *ast.RangeStmt:
		return up.X == e && up.Value != nil
	}
	return true
}
