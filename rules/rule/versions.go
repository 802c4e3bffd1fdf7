package rule

import (
	"go/token"
	"go/version"
	"slices"
)

// GoVersion returns the Go language version of the file at pos, as
// "go1.22"; empty when it is not known.
func (p *Pass) GoVersion(pos token.Pos) string {
	if f := p.File(pos); f != nil {
		if v := p.TypesInfo.FileVersions[f]; v != "" {
			return v
		}
	}
	return p.Pkg.GoVersion()
}

// AtLeast reports whether the file at pos may use what came with Go version v
// ("go1.21"). A file of unknown version may.
func (p *Pass) AtLeast(pos token.Pos, v string) bool { return atLeast(p.GoVersion(pos), v) }

// LineAtLeast reports whether the go line of the package's module is v or
// later, which is what the defaults of GODEBUG follow: a //go:build line of a
// file does not change them. Where there is no go line, the file's version
// counts.
func (p *Pass) LineAtLeast(pos token.Pos, v string) bool {
	if line := p.Pkg.GoVersion(); line != "" {
		return atLeast(line, v)
	}
	return p.AtLeast(pos, v)
}

func atLeast(have, v string) bool { return have == "" || version.Compare(have, v) >= 0 }

func (p *Pass) applies(pos token.Pos) bool {
	r := p.Rule
	switch {
	case r.Tier == Obsolete, r.Until != "" && p.LibraryAfter(r.Until):
		return false
	case r.GoLine:
		return p.LineAtLeast(pos, r.Go)
	}
	return r.Go == "" || p.AtLeast(pos, r.Go)
}

// A mark is a declaration of the standard library that came with a release.
// name is of the package, or where typ is set, a method of that type.
type mark struct{ after, pkg, typ, name string }

// marks tell the library of one release from that of the next. An analyzer is
// told neither the toolchain nor its version, but it sees what it imports.
var marks = []mark{
	{"go1.26", "net/url", "URL", "Clone"},
	{"go1.26", "strings", "", "CutLast"},
}

// LibraryAfter reports whether the package is sure to be compiled with the
// standard library of a later release than v, whatever its go line says. It
// knows the releases that rules have as Until.
func (p *Pass) LibraryAfter(v string) bool {
	return slices.ContainsFunc(marks, func(m mark) bool { return version.Compare(m.after, v) >= 0 && p.Index.Declares(m.pkg, m.typ, m.name) })
}
