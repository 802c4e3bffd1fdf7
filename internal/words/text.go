package words

import (
	"fmt"
	"net/url"
	"strings"
)

// FirstLine returns the first line of a text that is not blank, without the
// spaces around it: "\n a: \nb" is "a:".
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(s)
}

// FirstError returns the first line of a build's output that says something,
// which the line that names the package does not: "# a\nb.go:1: no" is
// "b.go:1: no".
func FirstError(output string) string {
	for l := range strings.Lines(output) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return l
		}
	}
	return "no reason given"
}

// Commit returns the id of a commit as git itself abbreviates it in large
// repositories: its first twelve characters.
func Commit(id string) string { return id[:min(12, len(id))] }

// Quote returns a word in the quotes of a POSIX shell: $HOME is '$HOME', and
// stays what it is.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Some joins names with commas. Of more than most it has the first ones, and
// how many more there are: "a, b and 3 more".
func Some(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Clip returns a text of at most most characters. A longer one loses its end,
// and has an ellipsis there: "abcdef" in four is "abc…".
func Clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// LastLines returns the last n lines of a text, without blank ones around them.
func LastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Symbol returns the name of a function as the linker has it, without the path
// of its package and with its type arguments left out: "a.com/b/noise.(*T[int]).M"
// is "noise.(*T[…]).M".
func Symbol(name string) string {
	generic := ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		name, generic = name[:i], "[…]"+name[strings.LastIndexByte(name, ']')+1:]
	}
	return name[strings.LastIndexByte(name, '/')+1:] + generic
}

// SymbolPackage returns the import path in a symbol, "" where there is none: that of
// "gopkg.in/yaml%2ev3.(*T[a.com/b.K]).M" is "gopkg.in/yaml.v3".
func SymbolPackage(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "[") // type arguments have paths of their own
	slash := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return ""
	}
	pkg := symbol[:slash+dot]
	if clear, err := url.PathUnescape(pkg); err == nil {
		return clear
	}
	return pkg
}

// WithoutTypeArgs takes the brackets of a symbol, which nest, and what is in them out of it.
func WithoutTypeArgs(symbol string) string {
	if !strings.Contains(symbol, "[") {
		return symbol
	}
	var b strings.Builder
	depth := 0
	for _, r := range symbol {
		switch {
		case r == '[':
			depth++
		case r == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
