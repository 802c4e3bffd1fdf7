package classes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// maxCompared is how many bytes are compared one by one: beyond that a table is faster.
const maxCompared = 3

// few returns the bytes that are looked for where they are compared; none where a table has them.
func (l *search) few() []byte {
	var all []byte
	for b, is := range l.table[:unicode.MaxASCII+1] {
		if is {
			all = append(all, byte(b))
		}
	}
	if l.rest == always || len(all) > maxCompared {
		return nil
	}
	return all
}

// tabled reports whether there is a table.
func (l *search) tabled() bool { return l.few() == nil && !l.beyondAlone() }

// beyondAlone reports whether no ASCII is looked for.
func (l *search) beyondAlone() bool { return !slices.Contains(l.table[:unicode.MaxASCII+1], true) }

// inverted reports whether the table has the bytes that are not looked for.
func (l *search) inverted() bool {
	return l.rest == always || l.rest == sometimes && mostly(l.table[:unicode.MaxASCII+1])
}

// written writes the function, and its table.
func (l *search) written() string {
	name, table := l.name(), ""
	var b strings.Builder
	if l.tabled() {
		table = l.free(code.LowerName(l.fn.Obj.Name()) + "Table")
		looks := "looks"
		if l.inverted() {
			looks = "does not look"
		}
		fmt.Fprintf(&b, "// %s has the bytes that %s %s for.\n", table, name, looks)
		b.WriteString(written(table, l.table[:unicode.MaxASCII+1], !l.inverted()) + "\n")
	}
	given, text := l.given(), "string"
	if strings.Contains(given, "\n") {
		given = "…"
	}
	if !code.IsString(l.fn.Info().TypeOf(l.text)) {
		text = "[]byte"
	}
	fmt.Fprintf(&b, "// %s returns what %s(%s) does.\nfunc %s(s %s) %s {\n", name, types.ExprString(l.call.Fun), l.ordered("s", given), name, text, l.returns())
	if l.literal() && l.rest == sometimes {
		b.WriteString("f := " + l.p.Source(l.fn.File, l.set) + "\n")
	}
	switch l.does {
	case "Contains", "Index":
		b.WriteString(l.found(table))
	case "LastIndex":
		b.WriteString(l.foundLast(table))
	case "Map":
		b.WriteString(l.mapped(table))
	default:
		b.WriteString(l.trimmed(table))
	}
	return b.String() + "}\n"
}

// given writes what the library is given beside the text.
func (l *search) given() string {
	if l.literal() {
		return "f"
	}
	return l.p.Source(l.fn.File, l.set)
}

func (l *search) literal() bool {
	_, is := ast.Unparen(l.set).(*ast.FuncLit)
	return is
}

func (l *search) returns() string {
	switch l.does {
	case "Contains":
		return "bool"
	case "Index", "LastIndex":
		return "int"
	}
	return "string"
}

// asks writes the condition under which a byte is looked for, or is not.
func (l *search) asks(of, table string, looked bool) string {
	is, or, beyond, not := " == ", " || ", " >= 0x80", ""
	if !looked {
		is, or, beyond = " != ", " && ", " < 0x80"
	}
	switch all := l.few(); {
	case all != nil:
		var each []string
		for _, b := range all {
			each = append(each, of+is+literal(int(b)))
		}
		return strings.Join(each, or)
	case table == "":
		return of + beyond
	case l.inverted() == looked:
		not = "!"
	}
	return not + table + "[" + of + "]"
}

// stdlib writes a call of the library's own function for a part of the text.
func (l *search) stdlib(name, of string) string {
	return fmt.Sprintf("%s(%s)", l.qualified(name), l.ordered(of, l.given()))
}

// qualified writes a name of the package that the function is from.
func (l *search) qualified(name string) string {
	if sel, ok := l.call.Fun.(*ast.SelectorExpr); ok {
		return l.p.Source(l.fn.File, sel.X) + "." + name
	}
	return name
}

// ordered writes the arguments of the call, as it has them.
func (l *search) ordered(text, set string) string {
	if l.does == "Map" {
		text, set = set, text
	}
	return text + ", " + set
}

// found writes the body that looks for the first one.
func (l *search) found(table string) string {
	yes, no, beyond := "true", "false", ""
	if l.does == "Index" {
		yes, no = "i", "-1"
	}
	if l.rest == sometimes {
		beyond = "return " + l.stdlib("ContainsFunc", "s[i:]")
		if l.does == "Index" {
			beyond = fmt.Sprintf("if n := %s; n >= 0 {\nreturn i + n\n}\nreturn -1", l.stdlib("IndexFunc", "s[i:]"))
		}
		beyond = "if s[i] >= 0x80 {\n" + beyond + "\n}\n"
	}
	return fmt.Sprintf("for i := 0; i < len(s); i++ {\n%s%s}\nreturn %s\n", beyond, l.answered(table, yes), no)
}

// answered writes the statement that returns where a byte is looked for; nothing where no ASCII is.
func (l *search) answered(table, yes string) string {
	if l.rest == sometimes && l.beyondAlone() {
		return ""
	}
	return fmt.Sprintf("if %s {\nreturn %s\n}\n", l.asks("s[i]", table, true), yes)
}

// foundLast writes the body that looks for the last one.
func (l *search) foundLast(table string) string {
	beyond := ""
	if l.rest == sometimes {
		beyond = "if s[i] >= 0x80 {\nreturn " + l.stdlib("LastIndexFunc", "s[:i+1]") + "\n}\n"
	}
	return fmt.Sprintf("for i := len(s) - 1; i >= 0; i-- {\n%s%s}\nreturn -1\n", beyond, l.answered(table, "i"))
}

// mapped writes the body that leaves a text as it is up to the first byte that changes.
func (l *search) mapped(table string) string {
	same := "s[i] < 0x80"
	if !l.beyondAlone() {
		same += " && " + l.asks("s[i]", table, false)
	}
	return fmt.Sprintf(`i := 0
for i < len(s) && %s {
	i++
}
if i == len(s) {
	return s
}
for n := i; n < len(s); n++ {
	if s[n] >= 0x80 {
		return %s
	}
}
var b %s
b.Grow(len(s))
b.WriteString(s[:i])
for ; i < len(s); i++ {
	if r := %s(rune(s[i])); r >= 0 {
		b.WriteRune(r)
	}
}
return b.String()
`, same, l.stdlib("Map", "s"), l.qualified("Builder"), l.given())
}

// trimmed writes the body that cuts from one or both ends.
func (l *search) trimmed(table string) string {
	var b strings.Builder
	side := func(function, at, rest string) {
		asks := l.asks(at, table, true)
		switch {
		case len(l.few()) > 1:
			asks = "(" + asks + ")"
		case l.rest == sometimes && l.inverted():
			asks = at + " < 0x80 && " + asks
		}
		fmt.Fprintf(&b, "for len(s) > 0 && %s {\ns = %s\n}\n", asks, rest)
		if l.rest == sometimes {
			fmt.Fprintf(&b, "if len(s) > 0 && %s >= 0x80 {\ns = %s\n}\n", at, l.stdlib(function, "s"))
		}
	}
	if l.does != "TrimRight" {
		side("TrimLeftFunc", "s[0]", "s[1:]")
	}
	if l.does != "TrimLeft" {
		side("TrimRightFunc", "s[len(s)-1]", "s[:len(s)-1]")
	}
	return b.String() + "return s\n"
}
