package text

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A formatPiece is a part of a text that is put together: a constant, a
// string, or a value with an append-style function that formats it.
type formatPiece struct {
	text     string // a constant, when the others are empty
	operands []ast.Expr
	str      string // the string as an expression that allocates nothing, with $1 for the operand
	append   string // the append-style call, with $D for the destination and $1, $2, … for the operands
	pad      string // a statement that writes bytes, with $W for writing one, and $V or $B for a variable of its own
	room     int    // bytes that the formatted value takes at most; 0 is unknown
	bytes    bool   // the operand is bytes, which may be those of the destination
	variable bool   // the operand must be a variable
	own      bool   // the operand has a method of the module
	loop     bool   // the operands are those of strings.Join
}

// stands reports whether the piece is a statement: it writes bytes, or is a loop.
func (f formatPiece) stands() bool { return f.pad != "" || f.loop }

// A splitter splits expressions of one file into pieces.
type splitter struct {
	p    *prove.Program
	fn   *prove.Function
	strc string // how the file refers to strconv, "" where it cannot
	utf8 string // and to unicode/utf8
	hex  string // and to encoding/hex
	used []ast.Node
}

// split returns the pieces of a string, or why it has none.
func (s *splitter) split(e ast.Expr) ([]formatPiece, *prove.Reason) {
	info := s.fn.Info()
	e = ast.Unparen(e)
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return []formatPiece{{text: constant.StringVal(v)}}, nil
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, why := s.split(e.X)
			if why != nil {
				return nil, why
			}
			right, why := s.split(e.Y)
			return append(left, right...), why
		}
	case *ast.CallExpr:
		if pieces, why, ok := s.call(e); ok {
			return pieces, why
		}
	}
	return []formatPiece{stringPiece(info.TypeOf(e), e)}, nil
}

func stringPiece(t types.Type, e ast.Expr) formatPiece {
	str := "$1"
	if !types.Identical(t, types.Typ[types.String]) && !types.Identical(t, types.Typ[types.UntypedString]) {
		str = "string($1)"
	}
	return formatPiece{operands: []ast.Expr{e}, str: str}
}

// appendTwins are functions that return a string and have a twin that appends
// it. S is the qualifier of strconv.
var appendTwins = map[string]struct {
	append string
	room   int
}{
	"strconv.Itoa":               {"S.AppendInt($D, int64($1), 10)", 20},
	"strconv.FormatInt":          {"S.AppendInt($D, $1, $2)", 65},
	"strconv.FormatUint":         {"S.AppendUint($D, $1, $2)", 64},
	"strconv.FormatFloat":        {"S.AppendFloat($D, $1, $2, $3, $4)", 0},
	"strconv.Quote":              {"S.AppendQuote($D, $1)", 0},
	"strconv.QuoteToASCII":       {"S.AppendQuoteToASCII($D, $1)", 0},
	"strconv.QuoteToGraphic":     {"S.AppendQuoteToGraphic($D, $1)", 0},
	"strconv.QuoteRune":          {"S.AppendQuoteRune($D, $1)", 0},
	"strconv.QuoteRuneToASCII":   {"S.AppendQuoteRuneToASCII($D, $1)", 0},
	"strconv.QuoteRuneToGraphic": {"S.AppendQuoteRuneToGraphic($D, $1)", 0},
}

// call splits a call that formats; ok is false if it is another.
func (s *splitter) call(call *ast.CallExpr) (pieces []formatPiece, why *prove.Reason, ok bool) {
	fn := code.Callee(s.fn.Info(), call)
	if fn == nil {
		return nil, nil, false
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		s.used = append(s.used, call.Fun)
		pieces, why = s.format(call, 0)
		return pieces, why, true
	case "fmt.Sprint", "fmt.Sprintln":
		s.used = append(s.used, call.Fun)
		pieces, why = s.print(call, fn.Name() == "Sprintln")
		return pieces, why, true
	}
	if fn.FullName() == "strings.Join" {
		return []formatPiece{s.joined(call)}, nil, true
	}
	if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && fn.FullName() == "(time.Time).Format" && code.IsNamed(s.fn.Info().TypeOf(sel.X), "time", "Time") {
		return []formatPiece{{operands: []ast.Expr{sel.X, call.Args[0]}, append: "$1.AppendFormat($D, $2)", room: 64}}, nil, true
	}
	twin, ok := appendTwins[fn.FullName()]
	if !ok {
		return nil, nil, false
	}
	if s.strc == "" {
		return nil, prove.Refuse("the name strconv means something else there"), true
	}
	for _, a := range call.Args[1:] {
		if s.fn.Info().Types[a].Value == nil {
			return nil, prove.Refuse("the base or precision is not constant"), true
		}
	}
	room := twin.room
	if len(call.Args) == 2 {
		if base, isConst := prove.ConstInt(s.fn.Info(), call.Args[1]); isConst && base >= 10 {
			room = 20
		}
	}
	return []formatPiece{{operands: call.Args, append: strings.Replace(twin.append, "S", s.strc, 1), room: room}}, nil, true
}

// plainVerb is a verb without flags, but for a precision.
var plainVerb = regexp.MustCompile(`^([sdvqtxobc]|(\.[0-9]{0,2})?[feg])$`)

// format splits a printf-style call whose format is argument number at.
func (s *splitter) format(call *ast.CallExpr, at int) ([]formatPiece, *prove.Reason) {
	info := s.fn.Info()
	v := info.Types[call.Args[at]].Value
	if v == nil || v.Kind() != constant.String || call.Ellipsis.IsValid() {
		return nil, prove.Refuse("the format is not constant")
	}
	args := call.Args[at+1:]
	odd := prove.Refuse("the format has flags that are not read, or a verb other than %s, %d, %v, %q, %t, %x, %o, %b, %c, %f, %e and %g")
	parts, ok := code.Format(constant.StringVal(v))
	if !ok {
		return nil, odd
	}
	var pieces []formatPiece
	for _, part := range parts {
		if part.Verb == 0 {
			pieces = append(pieces, formatPiece{text: part.Text})
			continue
		}
		if len(args) == 0 {
			return nil, prove.Refuse("the format has more verbs than there are arguments")
		}
		flags := sameFlags(part)
		if more, why, ok := s.flagged(flags, string(part.Verb), args[0]); why != nil {
			return nil, why
		} else if ok {
			pieces, args = append(pieces, more...), args[1:]
			continue
		}
		verb, wide := flags+string(part.Verb), widened.FindStringSubmatch(flags)
		if wide != nil {
			verb = string(part.Verb)
		}
		if !plainVerb.MatchString(verb) {
			return nil, odd
		}
		piece, why := s.verb(verb, args[0])
		if why == nil && wide != nil {
			pieces, why = s.widen(pieces, piece, verb, wide)
		} else {
			pieces = append(pieces, piece)
		}
		if why != nil {
			return nil, why
		}
		args = args[1:]
	}
	if len(args) > 0 {
		return nil, prove.Refuse("there are more arguments than verbs")
	}
	return pieces, nil
}

// sameFlags leaves out flags that change nothing: the + of %+v for what is no struct, and zeros or a side without a width.
func sameFlags(part code.FormatPiece) string {
	flags := part.Flags
	if part.Verb == 'v' {
		flags = strings.TrimPrefix(flags, "+")
	}
	if side := strings.TrimLeft(flags, "-0"); strings.HasPrefix(side, ".") && strings.IndexByte("feg", part.Verb) >= 0 {
		flags = side
	}
	return flags
}

// verb returns what a verb prints of an argument of a basic type.
func (s *splitter) verb(verb string, arg ast.Expr) (formatPiece, *prove.Reason) {
	t := s.fn.Info().TypeOf(arg)
	if piece, why, ok := s.byMethod(verb, t, arg); ok {
		return piece, why
	}
	if piece, why, ok := s.ofBytes(verb, t, arg); ok {
		return piece, why
	}
	b, ok := printedByKind(t, verb)
	if !ok {
		return formatPiece{}, prove.Refusef("%s is not of a basic type without methods, which fmt would call", types.ExprString(arg))
	}
	if s.strc == "" {
		return formatPiece{}, prove.Refuse("the name strconv means something else there")
	}
	piece := formatPiece{operands: []ast.Expr{arg}}
	switch kind := b.Info(); {
	case kind&types.IsString != 0 && (verb == "s" || verb == "v"):
		return stringPiece(t, arg), nil
	case kind&types.IsString != 0 && verb == "q":
		piece.append = s.strc + ".AppendQuote($D, " + stringPiece(t, arg).str + ")"
		return piece, nil
	case verb == "q" && (b.Kind() == types.Int32 || b.Kind() == types.Uint8 || b.Kind() == types.UntypedRune):
		value := "$1"
		if !types.Identical(types.Default(t), types.Typ[types.Int32]) {
			value = "rune($1)"
		}
		piece.append = s.strc + ".AppendQuoteRune($D, " + value + ")"
		return piece, nil
	case kind&types.IsBoolean != 0 && (verb == "t" || verb == "v"):
		value := "$1"
		if !types.Identical(types.Default(t), types.Typ[types.Bool]) {
			value = "bool($1)"
		}
		piece.append, piece.str = s.strc+".AppendBool($D, "+value+")", s.strc+".FormatBool("+value+")"
		return piece, nil
	case kind&types.IsInteger != 0 && (bases[verb] > 0 || verb == "v" && b.Kind() != types.Uintptr):
		base := bases[verb]
		if verb == "v" {
			base = 10
		}
		if piece.append = s.integer(base, t, b); base >= 10 {
			piece.room = most(b, base)
		}
		return piece, nil
	case verb == "c" && (b.Kind() == types.Int32 || b.Kind() == types.Uint8 || b.Kind() == types.UntypedRune):
		return s.character(arg, t)
	case kind&types.IsFloat != 0 && strings.IndexByte("fegv", verb[len(verb)-1]) >= 0:
		piece.append = s.float(verb, t, b)
		return piece, nil
	}
	return formatPiece{}, prove.Refusef("what %%%s prints of %s needs fmt", verb, types.ExprString(arg))
}

// character is what %c prints of a rune or byte. Any other integer may be cut off where it
// becomes a rune.
func (s *splitter) character(arg ast.Expr, t types.Type) (formatPiece, *prove.Reason) {
	if s.utf8 == "" || !s.p.GoAtLeast(s.fn.File, "go1.18") {
		return formatPiece{}, prove.Refuse("utf8.AppendRune is there from Go 1.18 on, and the name utf8 must be free")
	}
	value := "$1"
	if !types.Identical(types.Default(t), types.Typ[types.Int32]) {
		value = "rune($1)"
	}
	return formatPiece{operands: []ast.Expr{arg}, append: s.utf8 + ".AppendRune($D, " + value + ")", room: utf8.UTFMax}, nil
}

func (s *splitter) integer(base int, t types.Type, b *types.Basic) string {
	to, name := types.Int64, "Int"
	if b.Info()&types.IsUnsigned != 0 {
		to, name = types.Uint64, "Uint"
	}
	value := "$1"
	if !types.Identical(t, types.Typ[to]) {
		value = types.Typ[to].Name() + "($1)"
	}
	return s.strc + ".Append" + name + "($D, " + value + ", " + strconv.Itoa(base) + ")"
}

// bases are those in which verbs print integers.
var bases = map[string]int{"d": 10, "x": 16, "o": 8, "b": 2}

// float writes what a verb prints of a floating-point number. Where it says no
// precision, %f and %e have six digits and %g and %v as many as are needed.
func (s *splitter) float(verb string, t types.Type, b *types.Basic) string {
	kind, precision, size := verb[len(verb)-1:], "6", "64"
	switch {
	case len(verb) > 1:
		precision = cmp.Or(verb[1:len(verb)-1], "0")
	case kind == "v", kind == "g":
		kind, precision = "g", "-1"
	}
	if b.Kind() == types.Float32 {
		size = "32"
	}
	value := "$1"
	if !types.Identical(t, types.Typ[types.Float64]) {
		value = "float64($1)"
	}
	return s.strc + ".AppendFloat($D, " + value + ", '" + kind + "', " + precision + ", " + size + ")"
}

// fill puts the destination and the operands into a template.
func (f formatPiece) fill(template, dst string, operand func(ast.Expr) string) string {
	pairs := []string{"$D", dst}
	for i, e := range f.operands {
		pairs = append(pairs, "$"+strconv.Itoa(i+1), operand(e))
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
