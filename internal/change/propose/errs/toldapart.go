package errs

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// toldApart looks for code that tells errors apart by their identity or by
// their dynamic type.
type toldApart struct {
	p      *prove.Program
	info   *types.Info
	moving map[string]bool // package variables that do not keep one value from outside
}

type toldApartKey struct{}

// errorsToldApart returns a sentence about the first place in the loaded
// packages, tests excluded, that compares two errors, neither being nil
// or a package variable that keeps its first value, uses them as keys, or looks
// at their dynamic type. It returns "" if there is none. Tests need no such
// look: they are run.
func errorsToldApart(p *prove.Program) string {
	return prove.Remember(p, toldApartKey{}, func() string {
		told := &toldApart{p: p, moving: map[string]bool{}}
		return told.first()
	})
}

// first returns what errorsToldApart does.
func (t *toldApart) first() string {
	for _, visit := range []func(ast.Node) string{func(n ast.Node) string { t.moves(n); return "" }, t.at} {
		for _, k := range t.p.Packages {
			t.info = k.TypesInfo
			for _, f := range k.Files {
				for n := range code.All[ast.Node](f.Syntax) {
					if what := visit(n); what != "" {
						return what + " at " + t.p.Pos(n.Pos()).String()
					}
				}
			}
		}
	}
	return ""
}

// moves notes package variables that are assigned to, whose address is taken
// or that start with what a function of the module returns.
func (t *toldApart) moves(n ast.Node) {
	note := func(e ast.Expr) {
		if v := t.packageVar(e); v != nil {
			t.moving[v.Pkg().Path()+"."+v.Name()] = true
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			note(l)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			note(n.X)
		}
	case *ast.RangeStmt:
		if n.Key != nil {
			note(n.Key)
		}
		if n.Value != nil {
			note(n.Value)
		}
	case *ast.ValueSpec:
		for _, v := range n.Values {
			call, ok := ast.Unparen(v).(*ast.CallExpr)
			if !ok {
				continue
			}
			if fn := code.Callee(t.info, call); fn == nil && !t.info.Types[call.Fun].IsType() || fn != nil && t.p.InModule(fn) {
				for _, id := range n.Names {
					if v, ok := t.info.Defs[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
						t.moving[v.Pkg().Path()+"."+v.Name()] = true
					}
				}
			}
		}
	}
}

func (t *toldApart) packageVar(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, ok := t.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// unknown reports whether e is an error in an interface which may be any: not
// nil and no package variable that stays what it is.
func (t *toldApart) unknown(e ast.Expr) bool {
	typ := t.info.TypeOf(e)
	if typ == nil || !types.IsInterface(typ) || !implementsError(typ) || code.IsNil(t.info, e) {
		return false
	}
	v := t.packageVar(e)
	return v == nil || t.moving[v.Pkg().Path()+"."+v.Name()]
}

func implementsError(t types.Type) bool {
	return t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

func (t *toldApart) at(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) && t.unknown(n.X) && t.unknown(n.Y) {
			return "errors are compared with " + n.Op.String()
		}
	case *ast.SwitchStmt:
		return t.cases(n)
	case *ast.MapType:
		if k := t.info.TypeOf(n.Key); k != nil && types.IsInterface(k) && implementsError(k) {
			return "errors are the keys of a map"
		}
	case *ast.IndexExpr:
		if x := t.info.TypeOf(n.X); x != nil {
			if m, ok := x.Underlying().(*types.Map); ok && types.IsInterface(m.Key()) && t.unknown(n.Index) {
				return "an error is the key of a map"
			}
		}
	case *ast.CallExpr:
		return t.call(n)
	}
	return ""
}

func (t *toldApart) cases(s *ast.SwitchStmt) string {
	if s.Tag == nil || !t.unknown(s.Tag) {
		return ""
	}
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if t.unknown(e) {
				return "errors are compared in a switch"
			}
		}
	}
	return ""
}

// call looks at calls that compare their arguments or see their types.
func (t *toldApart) call(call *ast.CallExpr) string {
	fn := code.Callee(t.info, call)
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	path, what := fn.Pkg().Path(), code.CallName(fn)
	for i, a := range call.Args {
		typ := t.info.TypeOf(a)
		if !implementsError(typ) || code.IsNil(t.info, a) {
			continue
		}
		switch {
		case path == "errors" && fn.Name() == "Is":
			if i == 1 && t.unknown(a) {
				return "an error is looked for by errors.Is that is no package variable"
			}
		case path == "sync/atomic" && code.ReceiverName(fn) == "Value":
			return "atomic.Value, which holds one type only, is given an error"
		case path == "reflect", path == "slices", path == "maps", path == "unique", strings.HasSuffix(path, "google/go-cmp/cmp"), path == "sync" && code.ReceiverName(fn) == "Map":
			return what + " is given an error"
		case path == "fmt" && t.showsType(call, i):
			return what + " shows the type of an error"
		}
	}
	return ""
}

// showsType reports whether argument i of a call of package fmt is printed
// with its type or its address.
func (t *toldApart) showsType(call *ast.CallExpr, i int) bool {
	fn := code.Callee(t.info, call)
	format := fn.Signature().Params().Len() - 2
	if !strings.HasSuffix(fn.Name(), "f") || format < 0 || format >= len(call.Args) || i <= format {
		return false
	}
	v := t.info.Types[call.Args[format]].Value
	if v == nil || v.Kind() != constant.String {
		return false // handed on from elsewhere
	}
	text := constant.StringVal(v)
	verbs, ok := code.Verbs(text)
	if !ok {
		return strings.ContainsAny(text, "T#p")
	}
	n := i - format - 1
	return n < len(verbs) && (verbs[n].Sharp() || verbs[n].Verb == 'T' || verbs[n].Verb == 'p')
}

// unsafeStrings says where a loaded package makes strings of bytes that may
// change, when m keeps a string.
func unsafeStrings(p *prove.Program, m *formattedError) *prove.Reason {
	if m.retains() == "" {
		return nil
	}
	for _, k := range p.Packages {
		for _, f := range k.Files {
			for n := range code.All[ast.Node](f.Syntax) {
				if unsafeString(k.TypesInfo, n) {
					return prove.Refuse("a string is made of bytes by unsafe at " + p.Pos(n.Pos()).String() + ": what the error would keep may change")
				}
			}
		}
	}
	return nil
}

func unsafeString(info *types.Info, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	if b := code.Builtin(info, call); b == "String" { // of package unsafe
		return true
	}
	from := info.TypeOf(call.Args[0])
	if from == nil || !info.Types[call.Fun].IsType() {
		return false
	}
	b, ok := from.Underlying().(*types.Basic)
	ptr, isPtr := info.TypeOf(call).Underlying().(*types.Pointer)
	if !ok || b.Kind() != types.UnsafePointer || !isPtr {
		return false
	}
	to, ok := ptr.Elem().Underlying().(*types.Basic)
	return ok && to.Info()&types.IsString != 0
}
