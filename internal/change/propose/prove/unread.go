package prove

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// unread is what the names of a package are used for where uses are not read.
type unread struct {
	ignored  []mention
	methods  map[string]bool // those of its interfaces
	linked   map[string]bool // what a go:linkname of the package speaks of
	assembly [][]byte
	opaque   bool // some assembly cannot be read
}

// A mention is a file that other build tags or platforms add to a package, with its identifiers.
type mention struct {
	file  string
	names map[string]bool
}

func (p *Module) unreadOf(k *Package) *unread {
	if k.unread != nil {
		return k.unread
	}
	u := &unread{methods: map[string]bool{}, linked: map[string]bool{}}
	for _, path := range k.IgnoredFiles {
		if syntax, err := parser.ParseFile(p.Fset, path, nil, parser.SkipObjectResolution); err == nil && syntax.Name.Name == k.Name {
			m := mention{p.rel(path), map[string]bool{}}
			for id := range code.All[*ast.Ident](syntax) {
				m.names[id.Name] = true
			}
			u.ignored = append(u.ignored, m)
		}
	}
	for _, obj := range k.TypesInfo.Defs {
		if fn, ok := obj.(*types.Func); ok && code.IsInterfaceMethod(fn) {
			u.methods[fn.Name()] = true
		}
	}
	for _, path := range k.OtherFiles {
		if strings.EqualFold(filepath.Ext(path), ".s") {
			text, err := os.ReadFile(path)
			u.assembly, u.opaque = append(u.assembly, text), u.opaque || err != nil
		}
	}
	for _, f := range k.Files {
		for _, g := range f.Syntax.Comments {
			for _, c := range g.List {
				if words := strings.Fields(c.Text); len(words) > 1 && words[0] == "//go:linkname" {
					u.linked[words[1]] = true
				}
			}
		}
	}
	k.unread = u
	return u
}

// IgnoredMention returns a file of the package that other build tags or
// platforms would add and that uses a name, "" if there is none.
func (p *Module) IgnoredMention(k *Package, name string) string {
	for _, m := range p.unreadOf(k).ignored {
		if m.names[name] {
			return m.file
		}
	}
	return ""
}

// Linked reports whether a directive gives a function to code that calls it by a name of the linker's, or from C.
func (p *Module) Linked(fn *Function) bool {
	if doc := fn.Decl.Doc; doc != nil {
		for _, c := range doc.List {
			if strings.HasPrefix(c.Text, "//export ") {
				return true
			}
		}
	}
	return p.unreadOf(fn.File.Pkg).linked[fn.Obj.Name()]
}

// linkedAway reports whether a function of the module has its body elsewhere, under a name of the linker's.
func (p *Module) linkedAway(fn *types.Func) bool {
	return p.Function(fn) == nil && slices.ContainsFunc(p.Packages, func(k *Package) bool { return k.Types == fn.Pkg() && p.unreadOf(k).linked[fn.Name()] })
}

// CalledUnread reports whether not all calls of a function can be read: another package, a file for other builds, an
// interface of the package with a method of this name, assembly, or what a directive names it for may call it.
func (p *Module) CalledUnread(fn *Function) bool {
	k, name := fn.File.Pkg, fn.Obj.Name()
	u := p.unreadOf(k)
	return fn.Obj.Exported() || fn.Decl.Recv != nil && u.methods[name] || p.Linked(fn) || p.IgnoredMention(k, name) != "" || u.opaque ||
		slices.ContainsFunc(u.assembly, func(text []byte) bool { return bytes.Contains(text, []byte("·"+name)) })
}
