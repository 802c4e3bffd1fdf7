package lookups

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// makers are the functions whose result is the same whenever they are given the same constants, and that never panic.
const makers = " net.ParseCIDR net.ParseIP net.ParseMAC hash/crc32.MakeTable hash/crc64.MakeTable "

// makes are the methods of big.Int that are so, too.
const makes = " Add Exp Lsh Mul Neg Set SetInt64 SetString SetUint64 Sub "

// computes are the methods of big.Int that leave what they are given as it is.
const computes = " Abs Add And AndNot Cmp CmpAbs Div Exp Lsh Mod ModInverse ModSqrt Mul Neg Not Or Quo Rem Rsh Set Sqrt Sub Xor "

// A reader says what only reads values of a type: methods of theirs, and functions that are given one.
type reader struct{ methods, calls string }

var readers = map[string]reader{
	"*math/big.Int": {" Append Bit BitLen Cmp CmpAbs FillBytes Int64 IsInt64 IsUint64 ProbablyPrime Sign String Text TrailingZeroBits Uint64 ",
		" crypto/rand.Int "},
	"*net.IPNet":        {" Contains Network String ", ""},
	"net.IP":            {" Equal IsLoopback IsMulticast IsPrivate IsUnspecified String ", " (net.IP).Equal (*net.IPNet).Contains "},
	"net.HardwareAddr":  {" String ", ""},
	"*hash/crc32.Table": {"", " hash/crc32.Checksum hash/crc32.New hash/crc32.Update "},
	"*hash/crc64.Table": {"", " hash/crc64.Checksum hash/crc64.New hash/crc64.Update "},
}

func listed(list, name string) bool { return strings.Contains(list, " "+name+" ") }

// bigMethod returns the name of a method of *big.Int that a call calls; "" for other calls.
func bigMethod(info *types.Info, call *ast.CallExpr) string {
	fn := code.Callee(info, call)
	if fn == nil || fn.FullName() != "(*math/big.Int)."+fn.Name() {
		return ""
	}
	return fn.Name()
}

// parses reports whether a call makes a value of constants alone that is new each time, and that something is computed for.
func parses(info *types.Info, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := code.Callee(info, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case !ok || fn == nil:
		return false
	case bigMethod(info, call) != "":
		return setsBig(info, call) && bigConstant(info, sel.X)
	}
	return listed(makers, fn.FullName()) && constantArgs(info, call)
}

// constantArgs reports whether a call is given constants alone. Only the modulus, the third of Exp, may be nil.
func constantArgs(info *types.Info, call *ast.CallExpr) bool {
	for i, a := range call.Args {
		if info.Types[a].Value == nil && !(i == 2 && code.IsNil(info, a)) && !bigConstant(info, a) {
			return false
		}
	}
	return true
}

// setsBig reports whether a call sets a big.Int to what constants say, whatever it was before. A text that is no number leaves
// anything there.
func setsBig(info *types.Info, call *ast.CallExpr) bool {
	name := bigMethod(info, call)
	if !listed(makes, name) || !constantArgs(info, call) {
		return false
	}
	if name != "SetString" {
		return true
	}
	text, ok := code.String(info, call.Args[0])
	base, isInt := prove.ConstInt(info, call.Args[1])
	if !ok || !isInt || base < 0 || base == 1 || base > big.MaxBase {
		return false
	}
	_, ok = new(big.Int).SetString(text, int(base))
	return ok
}

// bigConstant reports whether an expression makes a big.Int of constants.
func bigConstant(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if code.IsFunc(info, call, "math/big", "NewInt") {
		return info.Types[call.Args[0]].Value != nil
	}
	return newBig(info, call) || bigMethod(info, call) != "" && parses(info, call)
}

func newBig(info *types.Info, call *ast.CallExpr) bool {
	return code.Builtin(info, call) == "new" && types.TypeString(info.TypeOf(call), nil) == "*math/big.Int"
}

// parsed reports whether what makes the value is such a call as a whole, or makes a big.Int that the next statement sets.
func (b *table) parsed() bool {
	info, f := b.fn.Info(), b.fn.File
	call, ok := b.made.(*ast.CallExpr)
	if !ok {
		return false
	}
	if newBig(info, call) {
		return b.setNext()
	}
	up := f.Parent(call)
	if sel, ok := up.(*ast.SelectorExpr); ok {
		up = f.Parent(sel)
	}
	outer, ok := up.(*ast.CallExpr)
	_, several := info.TypeOf(call).(*types.Tuple)
	return parses(info, call) && !(ok && parses(info, outer)) && !(several && b.v == nil)
}

// setNext reads the statement behind v := new(big.Int) that sets v to a constant.
func (b *table) setNext() bool {
	info, f := b.fn.Info(), b.fn.File
	if b.v == nil {
		return false
	}
	list := code.StmtList(f.Parent(b.def))
	i := slices.Index(list, b.def) + 1
	if i >= len(list) {
		return false
	}
	stmt, ok := list[i].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok || !setsBig(info, call) {
		return false
	}
	commented := func(g *ast.CommentGroup) bool { return b.def.End() <= g.Pos() && g.End() <= stmt.Pos() }
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || code.Var(info, sel.X) != b.v || slices.ContainsFunc(f.Syntax.Comments, commented) {
		return false
	}
	b.set, b.setter = stmt, call
	return true
}

// onlyRead reports whether a use of such a value only reads it.
func (b *table) onlyRead(use ast.Expr) bool {
	info, f := b.fn.Info(), b.fn.File
	t := info.TypeOf(b.made)
	if b.v != nil {
		t = b.v.Type()
	}
	r := readers[types.TypeString(t, nil)]
	switch up := f.Parent(use).(type) {
	case *ast.SelectorExpr:
		call, ok := f.Parent(up).(*ast.CallExpr)
		return ok && call.Fun == ast.Expr(up) && listed(r.methods, up.Sel.Name)
	case *ast.CallExpr:
		fn := code.Callee(info, up)
		return fn != nil && slices.Contains(up.Args, use) && (listed(r.calls, fn.FullName()) || listed(computes, bigMethod(info, up)))
	}
	return false
}

// results writes the names that the value is declared by, with those of what comes with it.
func (b *table) results(name string) string {
	if b.set != nil {
		if bigMethod(b.fn.Info(), b.setter) == "SetString" {
			name += ", _"
		}
		return name
	}
	var all []string
	if assign, ok := b.def.(*ast.AssignStmt); ok {
		for _, l := range assign.Lhs {
			all = append(all, l.(*ast.Ident).Name)
			if all[len(all)-1] != "_" {
				all[len(all)-1] = name
			}
		}
		name = strings.Join(all, ", ")
	}
	return name
}

// source writes what makes the value.
func (b *table) source() string {
	text := b.p.Source(b.fn.File, b.made)
	if b.set != nil {
		call := b.p.Source(b.fn.File, b.setter)
		text += call[b.setter.Fun.(*ast.SelectorExpr).X.End()-b.setter.Pos():]
	}
	return text
}

// oneOf returns the only result that a definition names; nil where it names several or sets what was there before.
func oneOf(lhs []ast.Expr, tok token.Token) (one *ast.Ident) {
	for _, l := range lhs {
		id, ok := l.(*ast.Ident)
		switch {
		case tok != token.DEFINE || !ok || id.Name != "_" && one != nil:
			return nil
		case id.Name != "_":
			one = id
		}
	}
	return one
}
