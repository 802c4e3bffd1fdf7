package text

import (
	"fmt"
	"go/types"
	"math"
	"regexp"
	"strconv"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
)

// widened are the flags of a verb that fills up to a width: on the right, with zeros,
// or with spaces on the left.
var widened = regexp.MustCompile(`^([-0]?)([1-9][0-9]?)$`)

// widen adds a piece and what fills it up to its width, which is counted in characters
// for strings and in digits for integers.
func (s *splitter) widen(pieces []formatPiece, piece formatPiece, verb string, wide []string) ([]formatPiece, *prove.Reason) {
	flag, fill := wide[1], "' '"
	width, _ := strconv.Atoi(wide[2])
	if flag == "0" {
		fill = "'0'"
	}
	arg := piece.operands[0]
	b, ok := printedByKind(s.fn.Info().TypeOf(arg), verb)
	if !ok || piece.bytes {
		return nil, prove.Refusef("a width of %%%s%s needs fmt", wide[0], verb)
	}
	pad := formatPiece{operands: piece.operands, room: width}
	switch kind := b.Info(); {
	case piece.str != "" && kind&types.IsString != 0 && flag != "0":
		if s.utf8 == "" {
			return nil, prove.Refuse("the name utf8 means something else there")
		}
		pad.pad = fmt.Sprintf("for $V := %s.RuneCountInString(%s); $V < %d; $V++ {\n$W(' ')\n}", s.utf8, piece.str, width)
	case kind&types.IsInteger != 0 && verb != "c" && verb != "q" && s.fn.Info().Types[arg].Value == nil:
		base := bases[verb]
		if verb == "v" {
			base = bases["d"]
		}
		var why *prove.Reason
		if pad.pad, why = digits(kind, uint64(base), width, fill); why != nil {
			return nil, why
		}
		if flag == "0" && width > 2 && kind&types.IsUnsigned == 0 { // the sign stands before the zeros
			if !s.p.GoAtLeast(s.fn.File, "go1.21") {
				return nil, prove.Refuse("the builtin max is there from Go 1.21 on")
			}
			pad.pad = "if $1 < 0 {\n$W('-')\n}\n" + pad.pad
			piece.append = fmt.Sprintf("%s.AppendUint($D, uint64(max(int64($1), -int64($1))), %d)", s.strc, base)
		}
	default:
		return nil, prove.Refusef("a width of %%%s%s needs fmt", wide[0], verb)
	}
	switch {
	case width == 1 && piece.str == "":
		return append(pieces, piece), nil
	case flag == "-":
		return append(pieces, piece, pad), nil
	}
	return append(pieces, pad, piece), nil
}

// digits writes what stands before an integer that has fewer digits than its width. A sign
// takes the place of one.
func digits(kind types.BasicInfo, base uint64, width int, fill string) (string, *prove.Reason) {
	signed := kind&types.IsUnsigned == 0
	switch {
	case width <= 2 && signed:
		return fmt.Sprintf("if 0 <= $1 && $1 < %d {\n$W(%s)\n}", base, fill), nil
	case width <= 2:
		return fmt.Sprintf("if $1 < %d {\n$W(%s)\n}", base, fill), nil
	}
	least, most := uint64(1), uint64(math.MaxUint64) // the least number that needs no filling
	if signed {
		most = math.MaxInt64
	}
	for range width - 1 {
		if least > most/base {
			return "", prove.Refusef("no number has %d digits", width)
		}
		least *= base
	}
	if signed {
		return fmt.Sprintf("for $V := int64(%d); $V > 1 && -$V/%d < int64($1) && int64($1) < $V; $V /= %[2]d {\n$W(%[3]s)\n}", least, base, fill), nil
	}
	return fmt.Sprintf("for $V := uint64(%d); $V > 1 && uint64($1) < $V; $V /= %d {\n$W(%s)\n}", least, base, fill), nil
}
