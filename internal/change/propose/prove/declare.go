package prove

import (
	"bytes"
	"go/format"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Below returns the edit that puts declarations after a function.
func (p *Editor) Below(fn *Function, text string) model.Edit {
	at := p.Offset(fn.Decl.End())
	if n := bytes.IndexByte(fn.File.Src[at:], '\n'); n >= 0 {
		at += n
	} else {
		at = len(fn.File.Src)
	}
	return model.Edit{File: fn.File.Name, Start: at, End: at, New: "\n\n" + strings.TrimSpace(formatted(text))}
}

// Declares reports whether these very declarations are there for a file already: an
// earlier change has made them. Another file counts where no build leaves it out.
func (f *File) Declares(text string) bool {
	text = "\n" + strings.TrimSpace(formatted(text)) + "\n" // whole lines: a value may go on
	return slices.ContainsFunc(f.Pkg.Files, func(other *File) bool {
		return bytes.Contains(slices.Concat(other.Src, []byte("\n")), []byte(text)) && (other == f || other.InAllBuilds())
	})
}

// Declare finds names for declarations that a change adds to the package of a file. It
// calls write with 1, 2, … for their text and the names in it, up to names that are free,
// or to a text that is there already, whose names mean nothing else anywhere: then it returns "".
func (p *Surroundings) Declare(f *File, write func(i int) (text string, names []string)) string {
	for i := 1; ; i++ {
		text, names := write(i)
		switch {
		case f.Declares(text) && !f.Pkg.localNames(names):
			return ""
		case p.Free(f.Pkg, names...):
			return text
		}
	}
}

// localNames reports whether something other than the package has one of the names, such as a variable of a function.
func (k *Package) localNames(names []string) bool {
	for id, obj := range k.TypesInfo.Defs {
		if obj != nil && obj.Parent() != nil && obj.Parent() != k.Types.Scope() && slices.Contains(names, id.Name) {
			return true
		}
	}
	return false
}

// formatted returns declarations in gofmt's style.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text // the type-check that follows names the mistake
	}
	return string(out)
}
