package classes

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A value is what an expression is for one byte or rune: 1 is true.
type value func(c int64) int64

// A predicate compiles expressions that depend on one byte or rune and on
// constants, and on nothing else.
type predicate struct {
	p       *prove.Program
	fn      *prove.Function // that the expressions stand in
	subject ast.Expr        // the byte or rune; nil as long as none was met
	depth   int             // of calls
	named   map[*types.Var]value
	*facts
}

// Facts are what was seen of a predicate, functions that it calls included.
type facts struct {
	weight int     // what is asked of the byte, in halves of a comparison with one value
	values []int64 // constants that were met
	bends  bool    // it computes: what is true of a value need not be of those around it
	tables bool    // package unicode was asked of what is not ASCII, which depends on the Go version
	panics bool    // it was asked beyond the end of an array
}

// compile returns e as a function of the subject, nil if it depends on
// anything else or may do more than compute.
func (d *predicate) compile(e ast.Expr) value {
	e = ast.Unparen(e)
	if v, ok := d.constant(e); ok {
		return func(int64) int64 { return v }
	}
	if x := d.named[code.Var(d.fn.Info(), e)]; x != nil {
		return x
	}
	if d.isSubject(e) {
		return func(c int64) int64 { return c }
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		return d.lookup(e)
	case *ast.UnaryExpr:
		if x := d.compile(e.X); x != nil && e.Op == token.NOT {
			return func(c int64) int64 { return 1 - x(c) }
		}
	case *ast.BinaryExpr:
		return d.binary(e)
	case *ast.CallExpr:
		if d.fn.Info().Types[e.Fun].IsType() {
			return d.conversion(e)
		}
		return d.call(e)
	}
	return nil
}

// constant reads an integer or a boolean.
func (d *predicate) constant(e ast.Expr) (int64, bool) {
	v := d.fn.Info().Types[e].Value
	if v == nil || !d.settled(e, 0) {
		return 0, false
	}
	if v.Kind() == constant.Bool {
		return truth(constant.BoolVal(v)), true
	}
	n, ok := constant.Int64Val(constant.ToInt(v))
	d.values = append(d.values, n)
	return n, ok && v.Kind() == constant.Int
}

// settled reports whether a constant has the same value in all builds: it is
// made of literals, and of constants of package unicode and of its own package.
// The complement of an unsigned one depends on how many bits its type has.
func (d *predicate) settled(e ast.Expr, depth int) bool {
	ok := depth < 8
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if code.Builtin(d.fn.Info(), n) == "len" && d.measured(n.Args[0]) {
				return false
			}
			ok = ok && d.fn.Info().Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.XOR || sized(d.fn.Info().TypeOf(n)))
		case *ast.Ident:
			ok = ok && d.settledName(n, depth)
		}
		return ok
	})
	return ok
}

// sized reports whether a type has as many bits in all builds. Of one with a name that is not known.
func sized(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() != types.Uint && b.Kind() != types.Uintptr
}

// measured reports whether x is an array of the package that has one length in all builds.
func (d *predicate) measured(x ast.Expr) bool {
	v := code.Var(d.fn.Info(), x)
	return v != nil && d.laidOut(v)
}

// laidOut reports whether a variable of the package is an array whose elements have the same places in all builds.
func (d *predicate) laidOut(v *types.Var) bool {
	if _, array := v.Type().Underlying().(*types.Array); !array || !d.settledHere(v) {
		return false
	}
	typ, value := d.declared(v)
	lit, _ := value.(*ast.CompositeLit)
	if typ == nil && lit != nil {
		typ = lit.Type
	}
	if typ == nil || !d.settled(typ, 0) {
		return false
	}
	return lit == nil || !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, keyed := e.(*ast.KeyValueExpr)
		return keyed && !d.settled(pair.Key, 0)
	})
}

func (d *predicate) settledName(id *ast.Ident, depth int) bool {
	switch obj := d.fn.Info().Uses[id].(type) {
	case *types.PkgName:
		return true
	case *types.TypeName:
		return d.settledType(obj.Type(), depth)
	case *types.Const:
		switch {
		case obj.Pkg() == nil:
			return id.Name != "iota"
		case obj.Pkg().Path() == "unicode" || obj.Pkg().Path() == "unicode/utf8":
			return true
		}
		_, value := d.declared(obj)
		return value != nil && d.settledHere(obj) && d.settled(value, depth+1)
	}
	return false
}

// settledType reports whether a type is the same in all builds: it has no name, or one of the language or of the package, which
// leads to such a one.
func (d *predicate) settledType(t types.Type, depth int) bool {
	var obj *types.TypeName
	switch t := t.(type) {
	case *types.Alias:
		obj = t.Obj()
	case *types.Named:
		obj = t.Obj()
	default:
		_, basic := t.(*types.Basic)
		return basic
	}
	if obj.Pkg() == nil {
		return true
	}
	typ, _ := d.declared(obj)
	return typ != nil && d.settledHere(obj) && d.settled(typ, depth+1)
}

// settledHere reports whether an object is the package's own, and no other build declares one of its name.
func (d *predicate) settledHere(obj types.Object) bool {
	own := d.fn.Obj.Pkg()
	return obj.Pkg() == own && obj.Parent() == own.Scope() && d.p.IgnoredMention(d.fn.File.Pkg, obj.Name()) == ""
}

// declared returns the type and the value that a name of the package is declared with, nil where none stands beside it.
func (d *predicate) declared(obj types.Object) (typ, value ast.Expr) {
	_, _, spec := d.fn.File.Pkg.Declared(obj)
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Type, nil
	case *ast.ValueSpec:
		i := slices.IndexFunc(s.Names, func(id *ast.Ident) bool { return id.Pos() == obj.Pos() })
		if i >= 0 && i < len(s.Values) {
			value = s.Values[i]
		}
		return s.Type, value
	}
	return nil, nil
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// isSubject reports whether e is the byte or rune; the first that could be
// one is it. It is a variable, or an element of one at a variable's place.
func (d *predicate) isSubject(e ast.Expr) bool {
	info := d.fn.Info()
	if sizeOf(info.TypeOf(e)) == 0 {
		return false
	}
	if d.subject != nil {
		return sameSubject(info, d.subject, e)
	}
	if !steady(info, e) || !d.settledType(info.TypeOf(e), 0) {
		return false
	}
	d.subject = e
	return true
}

// steady reports whether e is the same each time that one condition asks it.
func steady(info *types.Info, e ast.Expr) bool {
	if at, ok := e.(*ast.IndexExpr); ok {
		t := info.TypeOf(at.X)
		return (code.IsString(t) || code.IsBytes(t)) && code.Var(info, at.X) != nil && (code.Var(info, at.Index) != nil || info.Types[at.Index].Value != nil)
	}
	return code.Var(info, e) != nil
}

func sameSubject(info *types.Info, a, b ast.Expr) bool {
	x, ok := a.(*ast.IndexExpr)
	if !ok {
		return code.SameVariable(info, a, b)
	}
	y, ok := b.(*ast.IndexExpr)
	if !ok || !code.SameVariable(info, x.X, y.X) {
		return false
	}
	v, w := info.Types[x.Index].Value, info.Types[y.Index].Value
	if v != nil || w != nil {
		return v != nil && w != nil && constant.Compare(v, token.EQL, w)
	}
	return code.SameVariable(info, x.Index, y.Index)
}

// sizeOf returns how many bytes a byte or a rune has, 0 for other types.
func sizeOf(t types.Type) int {
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case ok && b.Kind() == types.Uint8:
		return 1
	case ok && b.Kind() == types.Int32:
		return 4
	}
	return 0
}

func (d *predicate) binary(e *ast.BinaryExpr) value {
	op := operators[e.Op]
	x := d.compile(e.X)
	if x == nil || op == nil && e.Op != token.LAND && e.Op != token.LOR {
		return nil
	}
	y := d.compile(e.Y)
	if y == nil {
		return nil
	}
	switch {
	case e.Op == token.LAND:
		return func(c int64) int64 {
			if x(c) == 0 {
				return 0
			}
			return y(c)
		}
	case e.Op == token.LOR:
		return func(c int64) int64 {
			if x(c) == 1 {
				return 1
			}
			return y(c)
		}
	case e.Op == token.EQL || e.Op == token.NEQ:
		d.weight += 2
	case prove.InverseComparison[e.Op] != 0:
		d.weight++
	default:
		return d.wrapped(e, func(c int64) int64 { return op(x(c), y(c)) })
	}
	return func(c int64) int64 { return op(x(c), y(c)) }
}

var operators = map[token.Token]func(x, y int64) int64{
	token.EQL: func(x, y int64) int64 { return truth(x == y) },
	token.NEQ: func(x, y int64) int64 { return truth(x != y) },
	token.LSS: func(x, y int64) int64 { return truth(x < y) },
	token.LEQ: func(x, y int64) int64 { return truth(x <= y) },
	token.GTR: func(x, y int64) int64 { return truth(x > y) },
	token.GEQ: func(x, y int64) int64 { return truth(x >= y) },
	token.ADD: func(x, y int64) int64 { return x + y },
	token.SUB: func(x, y int64) int64 { return x - y },
	token.AND: func(x, y int64) int64 { return x & y },
	token.OR:  func(x, y int64) int64 { return x | y },
	token.XOR: func(x, y int64) int64 { return x ^ y },
}

// wrapped cuts a result to the size of its type; nil for a type whose size may
// depend on the build, where it could not hold the result everywhere.
func (d *predicate) wrapped(e ast.Expr, v value) value {
	b, ok := d.fn.Info().TypeOf(e).(*types.Basic)
	if !ok {
		return nil
	}
	d.bends = true
	switch b.Kind() {
	case types.Uint8:
		return func(c int64) int64 { return int64(uint8(v(c))) }
	case types.Int32:
		return func(c int64) int64 { return int64(int32(v(c))) }
	case types.Uint32:
		return func(c int64) int64 { return int64(uint32(v(c))) }
	}
	return nil
}

// conversion reads byte(c), rune(c), uint32(c) and int(c). An int holds bytes and runes, and need not hold more.
func (d *predicate) conversion(call *ast.CallExpr) value {
	x := d.compile(call.Args[0])
	if x == nil {
		return nil
	}
	b, ok := d.fn.Info().TypeOf(call).(*types.Basic)
	of := d.fn.Info().TypeOf(call.Args[0])
	if ok && (b.Kind() == types.Int64 || types.Identical(of, b) || (b.Kind() == types.Int || b.Kind() == types.Int32) && sizeOf(of) > 0) {
		return x
	}
	return d.wrapped(call, x)
}

// What calls weigh: a look at a table of package unicode is cheaper than a search.
const (
	unicodeWeight = 3
	searchWeight  = 6
)

// call reads a call that asks a constant set or package unicode, or a
// predicate of the module that is a function: a receiver might do more.
func (d *predicate) call(call *ast.CallExpr) value {
	fn := code.Callee(d.fn.Info(), call)
	if fn == nil || call.Ellipsis.IsValid() {
		return nil
	}
	if is := unicodeFuncs[fn.FullName()]; is != nil && len(call.Args) == 1 {
		return d.unicode(call, is)
	}
	if find := searches[fn.FullName()]; find != nil && len(call.Args) == 2 {
		return d.search(call, find)
	}
	if len(call.Args) == 1 && fn.Signature().Recv() == nil && d.p.InModule(fn) {
		return d.helper(fn, call)
	}
	return nil
}

// unicodeFuncs are asked of runes. What they say of those beyond ASCII depends
// on the Go version.
var unicodeFuncs = map[string]func(rune) bool{
	"unicode.IsLetter": unicode.IsLetter, "unicode.IsDigit": unicode.IsDigit, "unicode.IsNumber": unicode.IsNumber,
	"unicode.IsSpace": unicode.IsSpace, "unicode.IsUpper": unicode.IsUpper, "unicode.IsLower": unicode.IsLower,
	"unicode.IsPunct": unicode.IsPunct, "unicode.IsControl": unicode.IsControl, "unicode.IsPrint": unicode.IsPrint,
	"unicode.IsGraphic": unicode.IsGraphic, "unicode.IsSymbol": unicode.IsSymbol, "unicode.IsMark": unicode.IsMark,
	"unicode.IsTitle": unicode.IsTitle,
}

func (d *predicate) unicode(call *ast.CallExpr, is func(rune) bool) value {
	x := d.compile(call.Args[0])
	if x == nil {
		return nil
	}
	d.weight += unicodeWeight
	answer := d.ofUnicode(is)
	return func(c int64) int64 { return answer(x(c)) }
}

func (d *predicate) ofUnicode(is func(rune) bool) value {
	return func(r int64) int64 {
		if r < 0 || r > unicode.MaxASCII {
			d.tables = true
		}
		return truth(is(rune(r)))
	}
}

// searches look for a byte or rune in a set, and say where it is or whether.
var searches = map[string]func(set string, c int64) int64{
	"strings.ContainsRune": func(set string, c int64) int64 { return truth(strings.ContainsRune(set, rune(c))) },
	"strings.IndexRune":    func(set string, c int64) int64 { return int64(strings.IndexRune(set, rune(c))) },
	"strings.IndexByte":    func(set string, c int64) int64 { return int64(strings.IndexByte(set, byte(c))) },
	"strings.Contains":     func(set string, c int64) int64 { return truth(strings.Contains(set, string(rune(c)))) },
}

func (d *predicate) search(call *ast.CallExpr, find func(string, int64) int64) value {
	set := d.fn.Info().Types[call.Args[0]].Value
	if set == nil || !d.settled(call.Args[0], 0) {
		return nil
	}
	of := call.Args[1]
	if code.Callee(d.fn.Info(), call).Name() == "Contains" {
		text, ok := ast.Unparen(of).(*ast.CallExpr) // string(c)
		if !ok || !d.fn.Info().Types[text.Fun].IsType() || sizeOf(d.fn.Info().TypeOf(text.Args[0])) == 0 {
			return nil
		}
		of = text.Args[0]
	}
	x := d.compile(of)
	if x == nil {
		return nil
	}
	d.weight += searchWeight
	chars := constant.StringVal(set)
	return func(c int64) int64 { return find(chars, x(c)) }
}
