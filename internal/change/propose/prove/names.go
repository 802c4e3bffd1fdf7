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

// spoken are the identifiers in a package's directory, and those in files that are not of the package as it is built.
type spoken struct{ all, other map[string]bool }

func (p *Surroundings) spoken(k *Package) spoken {
	if _, known := p.words[k]; !known {
		var mine []string
		for _, f := range k.Files {
			mine = append(mine, f.Path)
		}
		all, other := code.Words(mine, os.ReadFile)
		p.words[k] = spoken{all, other}
	}
	return p.words[k]
}

// Identifiers returns the identifiers in a package's directory, tests and files for
// other builds included: a new name that is not among them is free.
func (p *Surroundings) Identifiers(k *Package) map[string]bool { return p.spoken(k).all }

// Elsewhere reports whether a test or a file for other builds has the name.
func (p *Surroundings) Elsewhere(k *Package, name string) bool { return p.spoken(k).other[name] }

// Free reports whether a package can declare names that it does not have.
func (p *Surroundings) Free(k *Package, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return p.Identifiers(k)[name] || !code.Nameable(name) })
}
