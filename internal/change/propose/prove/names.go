package prove

import (
	"fmt"
	"go/ast"
	"unicode"
	"unicode/utf8"
)

// Short cuts a condition to a title's length, at one line.
func Short(s string) string {
	for i, r := range s {
		if r == '\n' || i > 40 {
			return s[:i] + " …"
		}
	}
	return s
}

// Uncapitalized returns s with its first letter in lower case, unless its
// first word is an acronym.
func Uncapitalized(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}

// Capitalized returns s with its first letter in upper case.
func Capitalized(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// Numbered returns the stem for the first, and the stem with a number for
// others: "cache", "cache2".
func Numbered(stem string, i int) string {
	if i == 1 {
		return stem
	}
	return fmt.Sprint(stem, i)
}

// LowerCamel lowers the first word: "Encrypt" → "encrypt", "URLFor" → "urlFor".
// Digits differ from code.LowerName: "ID2" → "id2", and not "iD2".
func LowerCamel(s string) string {
	r := []rune(s)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// Identifiers returns all identifiers in a package and its tests, whatever they
// name: a new name that is not among them is free.
func (p *Program) Identifiers(k *Package) map[string]bool {
	if w := p.words[k]; w != nil {
		return w
	}
	w := map[string]bool{}
	p.words[k] = w
	collect := func(f *File) {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				w[id.Name] = true
			}
			return true
		})
	}
	for _, f := range k.Files {
		collect(f)
	}
	within, external := p.TestFiles(k)
	for _, f := range append(within, external...) {
		collect(f)
	}
	return w
}
