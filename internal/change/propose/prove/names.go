package prove

import (
	"fmt"
	"os"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
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

// Numbered returns the stem for the first, and the stem with a number for
// others: "cache", "cache2".
func Numbered(stem string, i int) string {
	if i == 1 {
		return stem
	}
	return fmt.Sprint(stem, i)
}

// Identifiers returns the identifiers in a package's directory, tests and files for
// other builds included: a new name that is not among them is free.
func (p *Surroundings) Identifiers(k *Package) map[string]bool {
	if p.words[k] == nil {
		var mine []string
		for _, f := range k.Files {
			mine = append(mine, f.Path)
		}
		p.words[k], _ = code.Words(mine, os.ReadFile)
	}
	return p.words[k]
}

// Free reports whether a package can declare names that it does not have.
func (p *Surroundings) Free(k *Package, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return p.Identifiers(k)[name] || !code.Nameable(name) })
}
