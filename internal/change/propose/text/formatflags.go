package text

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// upper are the digits of %X, as they are written in Go.
const upper = `"0123456789ABCDEF"`

// flagged returns what a verb with a flag prints that is no width, or %X. It is not ok for others.
func (s *splitter) flagged(flags, verb string, arg ast.Expr) (pieces []formatPiece, why *prove.Reason, ok bool) {
	t := s.fn.Info().TypeOf(arg)
	b, isBasic := types.Default(t).Underlying().(*types.Basic)
	if verb == "X" && flags == "" {
		return s.upperBytes(t, arg)
	}
	if !isBasic || printsItself(t, verb) && flags+verb != "#v" || flags+verb == "#v" && speaksGo(t) || b.Info()&types.IsInteger != 0 && s.strc == "" {
		return nil, nil, false
	}
	integer, signed := b.Info()&types.IsInteger != 0 && b.Kind() != types.Uintptr, b.Info()&types.IsUnsigned == 0
	switch {
	case (flags == "+" || flags == " ") && verb == "d" && integer:
		sign := formatPiece{text: flags}
		if signed {
			sign = formatPiece{operands: []ast.Expr{arg}, pad: "if $1 >= 0 {\n$W('" + flags + "')\n}", room: 1}
		}
		pieces, why = s.with(arg, "d", sign)
	case flags == "#" && (verb == "x" && integer || verb == "v" && integer && !signed):
		pieces, why = s.prefixed(arg, signed)
	case flags == "#" && verb == "v" && b.Info()&types.IsString != 0:
		return []formatPiece{{operands: []ast.Expr{arg}, append: s.strc + ".AppendQuote($D, " + stringPiece(t, arg).str + ")"}}, nil, s.strc != ""
	case flags == "#" && verb == "v" && integer:
		return []formatPiece{{operands: []ast.Expr{arg}, append: s.integer(10, t, b), room: most(b, 10)}}, nil, true
	case verb == "X" && integer && !signed && s.fn.Info().Types[arg].Value == nil:
		return s.nibbles(flags, arg, b)
	default:
		return nil, nil, false
	}
	return pieces, why, true
}

// speaksGo reports whether fmt would call a method of a value for %#v.
func speaksGo(t types.Type) bool {
	methods := types.NewMethodSet(t)
	return methods.Lookup(nil, "Format") != nil || methods.Lookup(nil, "GoString") != nil
}

// with returns pieces that stand before what a verb prints.
func (s *splitter) with(arg ast.Expr, verb string, before ...formatPiece) ([]formatPiece, *prove.Reason) {
	piece, why := s.verb(verb, arg)
	return append(before, piece), why
}

// prefixed returns an integer with 0x before its digits, and the sign before that.
func (s *splitter) prefixed(arg ast.Expr, signed bool) ([]formatPiece, *prove.Reason) {
	zero := formatPiece{text: "0x"}
	if !signed {
		return s.with(arg, "x", zero)
	}
	if !s.p.GoAtLeast(s.fn.File, "go1.21") || s.fn.Info().Types[arg].Value != nil {
		return nil, prove.Refuse("the builtin max is there from Go 1.21 on, or the number is constant")
	}
	return []formatPiece{
		{operands: []ast.Expr{arg}, pad: "if $1 < 0 {\n$W('-')\n}", room: 1}, zero,
		{operands: []ast.Expr{arg}, append: s.strc + ".AppendUint($D, uint64(max(int64($1), -int64($1))), 16)", room: 16},
	}, nil
}

// nibbles returns all hexadecimal digits that an unsigned integer of a fixed size has.
func (s *splitter) nibbles(flags string, arg ast.Expr, b *types.Basic) ([]formatPiece, *prove.Reason, bool) {
	size := map[types.BasicKind]int{types.Uint8: 2, types.Uint16: 4, types.Uint32: 8}[b.Kind()]
	if size == 0 || flags != "0"+strconv.Itoa(size) {
		return nil, nil, false
	}
	var digits []string
	for shift := 4 * (size - 1); shift > 0; shift -= 4 {
		digits = append(digits, fmt.Sprintf("%s[$1>>%d&15]", upper, shift))
	}
	digits = append(digits, upper+"[$1&15]")
	return []formatPiece{{operands: []ast.Expr{arg}, append: "append($D, " + strings.Join(digits, ", ") + ")", room: size, variable: true}}, nil, true
}

// upperBytes returns what %X prints of bytes or a text.
func (s *splitter) upperBytes(t types.Type, arg ast.Expr) ([]formatPiece, *prove.Reason, bool) {
	over := "$1"
	arr, isArray := t.Underlying().(*types.Array)
	switch {
	case printsItself(t, "X"), s.fn.Info().Types[arg].Value != nil:
		return nil, nil, false
	case code.IsBytes(t), isArray && types.Identical(arr.Elem(), types.Typ[types.Byte]):
	case code.IsString(t):
		over = "[]byte($1)"
	default:
		return nil, nil, false
	}
	pad := fmt.Sprintf("for _, $B := range %s {\n$W(%s[$B>>4])\n$W(%[2]s[$B&15])\n}", over, upper)
	return []formatPiece{{operands: []ast.Expr{arg}, pad: pad, bytes: true}}, nil, true
}
