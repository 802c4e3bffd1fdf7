package prove

import (
	"go/ast"
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
				if what := p.noticesField(info, n, named, f.Test); what != "" {
					s.Why = Refusef("%s is %s at %s", name, what, p.Pos(n.Pos()))
				}
			}
			if s.Copied == "" && !f.Test && p.copies(f, info, n, named) {
				s.Copied = p.Pos(n.Pos()).String()
			}
			return s.Why == nil
		})
	})
	return s
}

// Converted returns a place of the module that converts a pointer to or from a pointer to another type, "" if there is none:
// two structs may then share memory.
func (p *Module) Converted(ptr types.Type) string {
	ptr = ptr.Underlying()
	for _, k := range p.Packages {
		for _, f := range k.Files {
			for call := range code.All[*ast.CallExpr](f.Syntax) {
				if !k.TypesInfo.Types[call.Fun].IsType() || len(call.Args) != 1 || code.IsNil(k.TypesInfo, call.Args[0]) {
					continue
				}
				to, from := code.Kinds(k.TypesInfo.TypeOf(call)), code.Kinds(k.TypesInfo.TypeOf(call.Args[0]))
				is := func(t types.Type) bool { return types.Identical(t, ptr) }
				other := func(t types.Type) bool { return !is(t) && !types.IsInterface(t) }
				if slices.ContainsFunc(to, is) && slices.ContainsFunc(from, func(t types.Type) bool { return !is(t) }) ||
					slices.ContainsFunc(from, is) && slices.ContainsFunc(to, other) {
					return p.Pos(call.Pos()).String()
				}
			}
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

// noticesField says how a node, which may be of a test, would notice a new field of the
// named struct, "" if it would not. A test that fails for what it prints is run with each
// change: of what prints, or keeps what may be printed, package fmt alone counts there.
func (p *Surroundings) noticesField(info *types.Info, n ast.Node, named *types.Named, test bool) string {
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
		if of := info.TypeOf(n.X); of != nil && keyedByAny(of) && Holds(info.TypeOf(n.Index), named) {
			return "a map key"
		}
		return instantiated(info, n, n.Index, named)
	case *ast.CallExpr:
		return p.callNotices(info, n, named, test)
	case *ast.TypeSpec:
		if same(info.TypeOf(n.Type), named) {
			return "the model of type " + n.Name.Name
		}
	}
	if test {
		return ""
	}
	return kept(info, n, named)
}

func keyedByAny(t types.Type) bool {
	m, ok := code.Core(t).(*types.Map)
	return ok && types.IsInterface(m.Key())
}

func instantiated(info *types.Info, n *ast.IndexExpr, arg ast.Expr, named *types.Named) string {
	if info.Types[arg].IsType() && Holds(info.TypeOf(arg), named) && !info.Types[n].IsType() {
		return "a type argument"
	}
	return ""
}

// callNotices looks at conversions and calls that see a value's layout or all of its fields, and at those that put it into an
// interface, where it may be compared or be a map key. Code of the module may do all that with what it gets as any value; where
// a test calls it, the test is run with each change.
func (p *Surroundings) callNotices(info *types.Info, call *ast.CallExpr, named *types.Named, test bool) string {
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
		switch {
		case same(to, named) != same(from, named) && !types.IsInterface(to):
			return "converted to or from another type"
		case types.IsInterface(to) && Holds(from, named) && types.Comparable(named):
			return "put into an interface"
		}
		return ""
	}
	path, fn, builtin := calledIn(info, call), code.Callee(info, call), code.Builtin(info, call) != ""
	of := info.TypeOf(call.Fun)
	declared := of // has type parameters where the call has types
	if fn != nil {
		declared = fn.Origin().Type()
	}
	ours := !test && !builtin && (fn == nil || p.InModule(fn))
	deeply := !test && (path == "reflect" && fn != nil && fn.Name() == "DeepEqual" || strings.HasSuffix(path, "google/go-cmp/cmp"))
	for i, a := range call.Args {
		t := info.TypeOf(a)
		if t == nil {
			continue
		}
		to, own := code.Takes(of, call, i)
		// Package fmt and loggers take a list of anything. What a test says where it fails does not count.
		if !own && code.IsAny(to) && !builtin && path != "testing" && (!test || path == "fmt") && prints(t, named) {
			return "printed by " + types.ExprString(call.Fun) + ", which shows all fields,"
		}
		holds := Holds(t, named)
		switch {
		case deeply && !holds && !pointsTo(t, named) && code.Leads(t, func(t types.Type) bool { return same(t, named) }):
			return "compared by " + types.ExprString(call.Fun)
		case !holds && !pointsTo(t, named):
		case path == "unsafe":
			return "measured by " + types.ExprString(call.Fun)
		case path == "reflect", path == "encoding/binary", strings.HasSuffix(path, "google/go-cmp/cmp"):
			return "passed to " + path + ", which sees all fields,"
		case holds && types.Comparable(named) && to != nil && types.IsInterface(to):
			return "put into an interface"
		}
		to, own = code.Takes(declared, call, i)
		if ours && own && (code.IsAny(to) || code.IsTypeParam(to)) && (pointsTo(t, named) || prints(t, named)) {
			return "handed to " + types.ExprString(call.Fun) + " as any value"
		}
	}
	return ""
}

// calledIn returns the path of the package that has what is called; "" where that is not known.
func calledIn(info *types.Info, call *ast.CallExpr) string {
	if fn := code.Callee(info, call); fn != nil && fn.Pkg() != nil {
		return fn.Pkg().Path()
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Uses[sel.Sel] != nil && info.Uses[sel.Sel].Pkg() != nil {
		return info.Uses[sel.Sel].Pkg().Path() // a builtin of unsafe
	}
	return ""
}

// kept says how a node keeps all fields of the struct where they may be printed; "" where it does not.
func kept(info *types.Info, n ast.Node, named *types.Named) string {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return listed(info, n, named)
	case *ast.ValueSpec:
		if n.Type != nil && slices.ContainsFunc(n.Values, func(e ast.Expr) bool { return boxed(info, info.TypeOf(n.Type), e, named) }) {
			return inAny
		}
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			if len(n.Lhs) == len(n.Rhs) && boxed(info, info.TypeOf(n.Lhs[i]), e, named) {
				return inAny
			}
		}
	}
	return ""
}

// inAny is what may be printed later, where nobody looks.
const inAny = "kept in a variable of type any, which may be printed,"

// boxed reports whether storing an expression puts what package fmt shows of the struct into an any.
func boxed(info *types.Info, to types.Type, e ast.Expr, named *types.Named) bool {
	return code.IsAny(to) && !code.IsTypeParam(to) && prints(info.TypeOf(e), named)
}

// listed looks for that in the elements of a literal.
func listed(info *types.Info, lit *ast.CompositeLit, named *types.Named) string {
	t := info.TypeOf(lit)
	if t == nil {
		return ""
	}
	t = code.Pointee(t) // of an element that is written without its type
	for i, e := range lit.Elts {
		value, to := e, types.Type(nil)
		kv, keyed := e.(*ast.KeyValueExpr)
		if keyed {
			value = kv.Value
		}
		switch u := code.Core(t).(type) {
		case interface{ Elem() types.Type }:
			to = u.Elem()
		case *types.Struct:
			if !keyed {
				to = u.Field(i).Type()
			} else if f := info.Uses[kv.Key.(*ast.Ident)]; f != nil {
				to = f.Type()
			}
		}
		if boxed(info, to, value, named) {
			return inAny
		}
	}
	return ""
}

// prints reports whether package fmt shows the fields of the struct where it is given a value of a type: those of what is
// within it, of the elements of lists and maps, and behind the first pointer.
func prints(t types.Type, named *types.Named) bool {
	if t == nil || hasStringer(t) {
		return false
	}
	return code.Deep(code.Pointee(t), false, func(t types.Type, in func(types.Type) bool) bool {
		switch u := t.Underlying().(type) {
		case *types.Slice, *types.Array, *types.Map:
			return !hasStringer(t) && (Holds(t, named) || code.Parts(u, in))
		}
		return !hasStringer(t) && Holds(t, named)
	})
}

func hasStringer(t types.Type) bool {
	return slices.ContainsFunc([]string{"String", "Error", "Format"}, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		return obj != nil
	})
}
