package boxes

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
)

// toldApart looks for code that tells errors apart by their identity or by
// their dynamic type; or other values that an interface holds.
type toldApart struct {
	p      *prove.Program
	kind   boxed
	file   *prove.File
	info   *types.Info
	moving map[string]bool // package variables that do not keep one value from outside
	asked  string          // where values of any type are told apart
	equals string          // where they are so by being compared

	anyAt  string // where an error becomes a value of any type
	listAt string // where it becomes one in a list of them, as for a logger
	openAt string // where a value of a type parameter becomes one of any type
	given  bool   // something generic is used with errors
}

type toldApartKey struct {
	of  types.Type
	own bool
}

// A boxed is what is told apart: values that interfaces hold.
type boxed struct {
	of        types.Type // a pointer, where it is not all errors
	one, many string
	in        func(types.Type) bool // is this an interface that may hold one, or one's own type?
	own       bool                  // each stays a pointer of its own, so that only its type can tell it from what it was
}

var anyError = boxed{one: "an error", many: "errors", in: mayHoldError}

var ownError = boxed{one: "an error", many: "errors", in: mayHoldError, own: true}

// mayHoldError reports whether a type is an error, or an interface that errors of package fmt implement, too.
func mayHoldError(t types.Type) bool {
	in, ok := t.Underlying().(*types.Interface)
	return code.ImplementsError(t) || ok && in.NumMethods() == 1 && in.Method(0).Name() == "Unwrap"
}

// told returns a sentence about the first place in the loaded
// packages, tests excluded, that compares two errors, neither being nil
// or a package variable that keeps its first value, uses them as keys, or looks
// at their dynamic type. It returns "" if there is none. Tests need no such
// look: they are run.
func (b boxed) told(p *prove.Program) string {
	return prove.Remember(p, toldApartKey{b.of, b.own}, func() string {
		told := &toldApart{p: p, kind: b, moving: map[string]bool{}}
		return told.first()
	})
}

// first returns what told does.
func (t *toldApart) first() string {
	for _, visit := range []func(ast.Node) string{func(n ast.Node) string { t.moves(n); return "" }, t.at} {
		for _, k := range t.p.Packages {
			t.info = k.TypesInfo
			for _, f := range k.Files {
				t.file = f
				for n := range code.All[ast.Node](f.Syntax) {
					if what := visit(n); what != "" {
						return what + " at " + t.p.Pos(n.Pos()).String()
					}
				}
			}
		}
	}
	if t.given {
		t.anyAt = cmp.Or(t.anyAt, t.openAt)
	}
	if t.equals != "" && t.anyAt == "" {
		t.anyAt, t.asked = t.listAt, t.equals
	}
	becomes := t.kind.one + " becomes a value of any type at " + t.anyAt
	switch {
	case t.anyAt != "" && t.kind.of != nil:
		return becomes
	case t.anyAt == "" || t.asked == "":
		return ""
	}
	return becomes + ", and such values are told apart at " + t.asked
}

// moves notes package variables that are assigned to, whose address is taken
// or that start with something of the module.
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
		if !slices.ContainsFunc(n.Values, t.ours) {
			break
		}
		for _, id := range n.Names {
			if v, ok := t.info.Defs[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				t.moving[v.Pkg().Path()+"."+v.Name()] = true
			}
		}
	}
}

// ours reports whether what a variable starts with may be what the module makes elsewhere, too: not what package errors or fmt
// makes of texts and other errors.
func (t *toldApart) ours(value ast.Expr) bool {
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok {
		if made := symbolOf(code.Callee(t.info, call)); made == "errors.New" || made == "fmt.Errorf" {
			return false
		}
	}
	return code.Any(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			return true
		case *ast.CallExpr:
			fn := code.Callee(t.info, n)
			return fn == nil && !t.info.Types[n.Fun].IsType() && code.Builtin(t.info, n) == "" || fn != nil && t.p.InModule(fn)
		case *ast.Ident:
			v := t.packageVar(n)
			if v == nil || !t.p.InModule(v) {
				return false
			}
			_, basic := v.Type().Underlying().(*types.Basic)
			return !basic
		}
		return false
	})
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
	if typ == nil || !types.IsInterface(typ) || !t.kind.in(typ) || code.IsNil(t.info, e) {
		return false
	}
	v := t.packageVar(e)
	return v == nil || t.moving[v.Pkg().Path()+"."+v.Name()]
}

func (t *toldApart) at(n ast.Node) string {
	if e, ok := n.(ast.Expr); ok {
		if at := t.becomesAny(e); at != nil && *at == "" {
			*at = t.p.Pos(e.Pos()).String()
		}
	}
	if id, ok := n.(*ast.Ident); ok && !t.given {
		t.given = slices.ContainsFunc(slices.Collect(t.info.Instances[id].TypeArgs.Types()), t.holds)
	}
	what, asks := t.tells(n)
	if asks && t.asked == "" {
		t.asked = t.p.Pos(n.Pos()).String()
	}
	if _, call := n.(*ast.CallExpr); asks && !call && t.equals == "" {
		t.equals = t.p.Pos(n.Pos()).String()
	}
	return what
}

// tells says how a node tells errors apart, "" if it does not, and whether it tells values of any type apart, or asks for what
// they are.
func (t *toldApart) tells(n ast.Node) (what string, asks bool) {
	if call, ok := n.(*ast.CallExpr); ok || t.kind.own {
		return t.call(call)
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			break
		}
		if t.differ(n.X, n.Y) || !types.IsInterface(t.info.TypeOf(n.X)) && t.holds(t.info.TypeOf(n.X)) {
			what = t.kind.many + " are compared with " + n.Op.String()
		}
		asks = t.free(n.X) && t.free(n.Y)
	case *ast.Ident:
		if t.comparable(n, t.holds) {
			what = t.kind.many + " are what " + n.Name + " may compare"
		}
		asks = t.comparable(n, code.IsAny)
	case *ast.CaseClause:
		s, ok := t.file.Parent(t.file.Parent(n)).(*ast.SwitchStmt)
		if !ok || s.Tag == nil {
			break
		}
		if slices.ContainsFunc(n.List, func(e ast.Expr) bool { return t.differ(s.Tag, e) }) {
			what = t.kind.many + " are compared in a switch"
		}
		asks = t.free(s.Tag) && slices.ContainsFunc(n.List, t.free)
	case *ast.MapType:
		if t.holds(t.info.TypeOf(n.Key)) {
			what = t.kind.many + " are the keys of a map"
		}
		asks = code.IsAny(t.info.TypeOf(n.Key))
	case *ast.IndexExpr:
		what = t.key(t.info.TypeOf(n.X), n.Index)
	case *ast.KeyValueExpr:
		what = t.key(t.info.TypeOf(t.file.Parent(n).(*ast.CompositeLit)), n.Key)
	}
	return what, asks
}

// differ reports whether two values that are compared may both be errors, each any.
func (t *toldApart) differ(x, y ast.Expr) bool {
	return t.unknown(x) && (t.unknown(y) || t.free(y)) || t.free(x) && t.unknown(y)
}

// free reports whether an expression may be anything, and is not nil.
func (t *toldApart) free(e ast.Expr) bool {
	return code.IsAny(t.info.TypeOf(e)) && !code.IsNil(t.info, e)
}

// key looks at what may be the key of a map, whose keys may be of any type.
func (t *toldApart) key(in types.Type, e ast.Expr) string {
	if in == nil {
		return ""
	}
	holds := !types.IsInterface(t.info.TypeOf(e)) && t.holds(t.info.TypeOf(e))
	if m, ok := in.Underlying().(*types.Map); ok && types.IsInterface(m.Key()) && (holds || t.unknown(e)) {
		return t.kind.one + " is the key of a map"
	}
	return ""
}

// holds reports whether a value of a type has such an interface within itself.
func (t *toldApart) holds(typ types.Type) bool {
	return typ != nil && code.Inside(typ, t.interfaceIn)
}

func (t *toldApart) interfaceIn(typ types.Type) bool { return types.IsInterface(typ) && t.kind.in(typ) }

// becomesAny returns where to note that an error, or what may be one or hold one, becomes a value of any type; nil where it does
// not. Those that are only shown, as call sees, do not count, nor does what panics where each stays a pointer of its own.
func (t *toldApart) becomesAny(e ast.Expr) *string {
	typ, at := t.info.TypeOf(e), &t.anyAt
	switch {
	case typ == nil || t.info.Types[e].IsType():
		return nil
	case code.IsTypeParam(typ):
		if at = &t.openAt; !typ.Underlying().(*types.Interface).IsMethodSet() {
			return nil
		}
	case t.unknown(e):
	case t.kind.own || types.IsInterface(typ) || !t.holds(typ):
		return nil
	}
	up := parentOf(t.file, e)
	if !code.IsAny((&pointerUses{p: t.p}).destination(t.file, e, up)) {
		return nil
	}
	call, ok := up.(*ast.CallExpr)
	if t.kind.of != nil || !ok || t.info.Types[call.Fun].IsType() {
		return at // shown as well, where it is not all errors: only an error has a text of its own
	}
	fn := code.Callee(t.info, call)
	_, alone := code.Takes(t.info.TypeOf(call.Fun), call, slices.Index(call.Args, e))
	switch b := code.Builtin(t.info, call); {
	case b == "panic" && t.kind.own, b != "panic" && b != "", fn != nil && !t.p.InModule(fn):
		return nil
	case alone || b == "panic":
		return at
	case t.kind.own:
		return nil
	}
	return &t.listAt
}

// comparable reports whether a name is of something generic that compares values of a type: with more than the zero value.
func (t *toldApart) comparable(id *ast.Ident, is func(types.Type) bool) bool {
	var params *types.TypeParamList
	switch obj := t.info.Uses[id].(type) {
	case *types.Func:
		if code.FullName(obj) == "cmp.Or" {
			return false
		}
		params = obj.Origin().Signature().TypeParams()
	case *types.TypeName:
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
			params = named.TypeParams()
		}
	}
	args := t.info.Instances[id].TypeArgs
	for i := range min(args.Len(), params.Len()) {
		of, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if ok && of.IsComparable() && is(args.At(i)) {
			return true
		}
	}
	return false
}

// call looks at calls that compare their arguments or see their types, as tells does. There may be no call.
func (t *toldApart) call(call *ast.CallExpr) (what string, asks bool) {
	if call == nil {
		return "", false
	}
	fn := code.Callee(t.info, call)
	if fn == nil || fn.Pkg() == nil {
		return "", false
	}
	path, name := fn.Pkg().Path(), code.CallName(fn)
	maps := path == "sync" && code.ReceiverName(fn) == "Map"
	compares := path == "reflect" && fn.Name() == "DeepEqual" || strings.HasSuffix(path, "google/go-cmp/cmp")
	outside, others := !effects.Standard(path) && !t.p.InModule(fn), 0
	for i, a := range call.Args {
		spread := call.Ellipsis.IsValid() && i == len(call.Args)-1
		if spread && t.showsType(call, i) {
			return name + " shows the types of values of any type", asks
		}
		asks = asks || t.free(a) && (path == "reflect" || maps && !t.kind.own || t.showsType(call, i))
		if compares && code.Leads(t.info.TypeOf(a), t.interfaceIn) {
			return name + " is given " + t.kind.one, asks
		}
		if t.unknown(a) {
			others++
		}
		if !t.kind.in(t.info.TypeOf(a)) || code.IsNil(t.info, a) {
			continue
		}
		switch {
		case t.kind.own && (path == "slices" || path == "maps" || path == "unique" || maps):
		case path == "errors" && fn.Name() == "Is":
			if i == 1 && !t.kind.own && t.unknown(a) {
				return t.kind.one + " is looked for by errors.Is that is no package variable", asks
			}
		case path == "sync/atomic" && code.ReceiverName(fn) == "Value":
			return "atomic.Value, which holds one type only, is given " + t.kind.one, asks
		case path == "reflect", path == "slices", path == "maps", path == "unique", path == "image/draw", compares, maps:
			return name + " is given " + t.kind.one, asks
		case outside && others > 1 && !t.kind.own:
			return name + " is given two " + t.kind.many + ", and may compare them", asks
		case t.showsType(call, i):
			return name + " shows the type of " + t.kind.one, asks
		}
	}
	return "", asks
}

// showsType reports whether argument i of a call is printed by a verb for which package fmt does not ask for the error's text: its
// type, its address, or what is in it.
func (t *toldApart) showsType(call *ast.CallExpr, i int) bool {
	fn := code.Callee(t.info, call)
	format := fn.Signature().Params().Len() - 2
	if !fn.Signature().Variadic() || format < 0 || format >= len(call.Args) || i <= format {
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
	verbs = verbs[min(i-format-1, len(verbs)):]
	if call.Ellipsis.IsValid() { // which is given the error is not known: others are numbers
		return slices.ContainsFunc(verbs, func(v code.FormatPiece) bool { return v.Sharp() || v.Verb == 'T' })
	}
	return len(verbs) > 0 && (verbs[0].Sharp() || !strings.ContainsRune("vsqxXw", rune(verbs[0].Verb)))
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
