package text

import (
	"cmp"
	"go/ast"
	"go/types"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// printedByKind returns the basic type of values that a verb prints by their kind alone: fmt asks
// for Format with each verb, and for Error and String with those that fit a text.
func printedByKind(t types.Type, verb string) (*types.Basic, bool) {
	if t == nil {
		return nil, false
	}
	b, ok := types.Default(t).Underlying().(*types.Basic)
	return b, ok && !printsItself(t, verb)
}

// printsItself reports whether fmt would call a method of a value for a verb.
func printsItself(t types.Type, verb string) bool {
	methods := types.NewMethodSet(t)
	has := func(name string) bool { return methods.Lookup(nil, name) != nil }
	return has("Format") || strings.ContainsAny(verb, "svqxX") && (has("Error") || has("String"))
}

// sayString are types whose String fmt calls and that cannot be nil, so that it has no panic to
// catch.
var sayString = map[string]bool{
	"time.Duration": true, "time.Month": true, "time.Weekday": true, "time.Time": true,
	"net/netip.Addr": true, "net/netip.AddrPort": true, "net/netip.Prefix": true,
	"net.IP": true, "net.HardwareAddr": true,
}

// byMethod returns what %s and %v print of a value with a String of the standard library, or with a String or Error
// of the module that cannot panic.
func (s *splitter) byMethod(verb string, t types.Type, arg ast.Expr) (piece formatPiece, why *prove.Reason, ok bool) {
	n, named := types.Unalias(t).(*types.Named)
	if !named || verb != "s" && verb != "v" {
		return piece, nil, false
	}
	name := "String"
	if !sayString[n.String()] {
		method := printer(n)
		if method == nil {
			return piece, nil, false
		}
		if why := s.p.Says(method); why != nil {
			return piece, why, true
		}
		name, piece.own = method.Name(), true
	}
	str := "$1." + name + "()"
	switch ast.Unparen(arg).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		str = "($1)." + name + "()"
	}
	piece.operands, piece.str = []ast.Expr{arg}, str
	return piece, nil, true
}

// printer returns the method that fmt calls for a text of values of a type itself; nil where it calls another, or one of an
// embedded field.
func printer(n *types.Named) *types.Func {
	methods := types.NewMethodSet(n)
	if types.IsInterface(n) || methods.Lookup(nil, "Format") != nil {
		return nil
	}
	for _, name := range []string{"Error", "String"} {
		if m := methods.Lookup(nil, name); m != nil && len(m.Index()) == 1 && code.SignatureOf(m.Type()) == "() (string)" {
			return m.Obj().(*types.Func)
		} else if m != nil {
			return nil
		}
	}
	return nil
}

// ofBytes returns what %s and %x print of a slice or array of bytes, or %x of a string. The bytes may be
// those of the destination, so that only a new buffer takes them.
func (s *splitter) ofBytes(verb string, t types.Type, arg ast.Expr) (formatPiece, *prove.Reason, bool) {
	piece := formatPiece{operands: []ast.Expr{arg}, bytes: true}
	operand := "$1"
	arr, isArray := t.Underlying().(*types.Array)
	switch {
	case isArray && types.Identical(arr.Elem(), types.Typ[types.Byte]):
		operand, piece.variable = "$1[:]", !s.fn.Info().Types[arg].Addressable()
		piece.room = int(min(arr.Len(), 512))
	case code.IsBytes(t):
	case code.IsString(t) && verb == "x":
		operand = "[]byte($1)"
	default:
		return piece, nil, false
	}
	if printsItself(t, verb) || verb != "s" && verb != "x" {
		return piece, nil, false
	}
	if verb == "s" {
		piece.append = "append($D, " + operand + "...)"
		return piece, nil, true
	}
	if s.hex == "" || !s.p.GoAtLeast(s.fn.File, "go1.22") {
		return piece, prove.Refuse("hex.AppendEncode is there from Go 1.22 on, and the name hex must be free"), true
	}
	piece.append, piece.room = s.hex+".AppendEncode($D, "+operand+")", 2*piece.room
	return piece, nil, true
}

// print splits a call of fmt.Sprint, which separates two operands that are no strings, or of
// Sprintln, which separates all.
func (s *splitter) print(call *ast.CallExpr, line bool) ([]formatPiece, *prove.Reason) {
	if call.Ellipsis.IsValid() {
		return nil, prove.Refuse("its operands are in a slice")
	}
	var pieces []formatPiece
	apart := false // the operand before is no string
	for i, arg := range call.Args {
		t := s.fn.Info().TypeOf(arg)
		if line && i > 0 || apart && !code.IsString(t) {
			pieces = append(pieces, formatPiece{text: " "})
		}
		piece, why := s.verb("v", arg)
		if why != nil {
			return nil, why
		}
		pieces, apart = append(pieces, piece), !code.IsString(t)
	}
	if line {
		pieces = append(pieces, formatPiece{text: "\n"})
	}
	return pieces, nil
}

// most returns how many bytes an integer takes at most in a base.
func most(b *types.Basic, base int) int {
	bits := map[types.BasicKind]float64{
		types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16, types.Int32: 32, types.Uint32: 32, types.UntypedRune: 32,
	}[b.Kind()]
	bits = cmp.Or(bits, 64)
	if b.Info()&types.IsUnsigned != 0 {
		return int(math.Ceil(bits / math.Log2(float64(base))))
	}
	return 1 + int(math.Ceil((bits-1)/math.Log2(float64(base))))
}

// joined splits strings.Join: part after part is written, with what is between them.
func (s *splitter) joined(call *ast.CallExpr) formatPiece {
	s.used = append(s.used, call.Fun)
	return formatPiece{operands: call.Args, loop: true}
}
