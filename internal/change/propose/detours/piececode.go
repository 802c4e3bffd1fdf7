package detours

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// A piece is the text, or a part of the concatenation, as it stands in code that compares it.
type piece struct {
	x     ast.Expr // what is evaluated
	text  string   // how that reads: a string, or a []byte
	bytes bool     // it is a []byte
	own   bool     // it is the same each time, and nothing is done by reading it
	one   string   // the character that it is, if it is a constant of one
}

// condition compares a text with parts that it has one behind the other, from its front or up to
// its end. The lengths come first, and then single characters: they settle most for the least.
func (c *partMatch) condition(s piece, parts []piece) string {
	sign, lengths := " == ", slices.Clone(lengthsOf(parts))
	if c.kind != "Is" {
		sign = " >= "
		if i := slices.Index(lengths, "1"); i >= 0 {
			sign, lengths = " > ", slices.Delete(lengths, i, i+1)
		}
	}
	length := "len(" + s.text + ")"
	single, rest := []string{length + sign + strings.Join(lengths, "+")}, []string(nil)
	for i, p := range parts {
		from, to := strings.Join(lengthsOf(parts[:i]), "+"), strings.Join(lengthsOf(parts[:i+1]), "+")
		if strings.HasSuffix(c.kind, "Suffix") {
			from = strings.Join(append([]string{length}, lengthsOf(parts[i:])...), "-")
			to = strings.Join(append([]string{length}, lengthsOf(parts[i+1:])...), "-")
		}
		if last := i == len(parts)-1; last && !strings.HasSuffix(c.kind, "Prefix") {
			to = ""
		}
		if p.one != "" {
			if from == "" {
				from = "0"
			}
			single = append(single, s.text+"["+from+"] == "+p.one)
			continue
		}
		rest = append(rest, piece{text: s.text + "[" + from + ":" + to + "]", bytes: s.bytes}.string()+" == "+p.string())
	}
	return strings.Join(append(single, rest...), " && ")
}

// string writes a piece as a string that is compared, for which the compiler copies no bytes.
func (p piece) string() string {
	if p.bytes {
		return "string(" + p.text + ")"
	}
	return p.text
}

// lengthsOf writes the lengths of parts.
func lengthsOf(parts []piece) (all []string) {
	for _, p := range parts {
		length := "len(" + p.text + ")"
		if p.one != "" {
			length = "1"
		}
		all = append(all, length)
	}
	return all
}

// What the functions are called that compare, and their parameters.
var partStems = map[string]string{
	"Is": "isJoined", "HasPrefix": "hasJoinedPrefix", "HasSuffix": "hasJoinedSuffix", "TrimPrefix": "trimJoinedPrefix",
	"TrimSuffix": "trimJoinedSuffix", "CutPrefix": "cutJoinedPrefix", "CutSuffix": "cutJoinedSuffix",
}

const partNames = "abcdefgh"

// helper declares what asks the question of any text and as many parts.
func (c *partMatch) helper(name string) string {
	s := piece{text: "s", bytes: c.text.bytes}
	all := []piece{s}
	sum := ""
	for i, p := range c.parts {
		part := piece{text: partNames[i : i+1], bytes: p.bytes}
		all, sum = append(all, part), sum+" + "+part.string()
	}
	parts, params := all[1:], parameters(all)
	sum = strings.TrimPrefix(sum, " + ")
	asked := "strings." + c.kind + "(" + s.string() + ", " + sum + ")"
	if c.kind == "Is" {
		asked = s.string() + " == " + sum
	}
	condition, length := c.condition(s, parts), strings.Join(lengthsOf(parts), "+")
	left := "s[" + length + ":]"
	if strings.HasSuffix(c.kind, "Suffix") {
		left = "s[:len(s)-" + strings.ReplaceAll(length, "+", "-") + "]"
	}
	switch {
	case strings.HasPrefix(c.kind, "Trim"):
		return fmt.Sprintf("// %s returns %s, and puts no text together for it.\nfunc %s(%s) string {\n\tif %s {\n\t\treturn %s\n\t}\n\treturn s\n}\n\n", name, asked, name, params, condition, left)
	case strings.HasPrefix(c.kind, "Cut"):
		return fmt.Sprintf("// %s returns %s, and puts no text together for it.\nfunc %s(%s) (string, bool) {\n\tif %s {\n\t\treturn %s, true\n\t}\n\treturn s, false\n}\n\n", name, asked, name, params, condition, left)
	}
	return fmt.Sprintf("// %s reports whether %s, and puts no text together for it.\nfunc %s(%s) bool {\n\treturn %s\n}\n\n", name, asked, name, params, condition)
}

// parameters writes pieces as parameters, with a type behind the last of each.
func parameters(all []piece) (list string) {
	for i, p := range all {
		if i > 0 {
			list += ", "
		}
		list += p.text
		switch {
		case i < len(all)-1 && all[i+1].bytes == p.bytes:
		case p.bytes:
			list += " []byte"
		default:
			list += " string"
		}
	}
	return list
}
