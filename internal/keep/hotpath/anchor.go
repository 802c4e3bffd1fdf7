package hotpath

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Whereabouts says what became of a place.
type Whereabouts string

const (
	Here    Whereabouts = "here"
	Moved   Whereabouts = "moved"   // the same text, elsewhere: At says where
	Changed Whereabouts = "changed" // the function is there, the line is not
	Gone    Whereabouts = "gone"    // there is no such function, or no such package
	Unknown Whereabouts = "unknown" // the record names no line and no function, or it is of another module
)

// A Found is where a place is now.
type Found struct {
	Where  Whereabouts `json:"where"`
	At     model.Pos   `json:"at"`               // relative to the module
	Func   string      `json:"func,omitempty"`   // it stands in
	Detail string      `json:"detail,omitempty"` // what is to be said of it, in one line
}

// Find looks for a place in the module whose directory is dir, without building
// anything. Of several lines with the same text in one function it takes the
// one nearest to where it was. It first looks in the function, then in the rest
// of the package.
func Find(dir string, p Place) Found {
	rel, ok := directoryOf(dir, p.Pkg)
	if !ok {
		return Found{Where: Unknown, Detail: p.Pkg + " is not of this module"}
	}
	files, err := sources(dir, rel, p)
	if err != nil || len(files) == 0 {
		return Found{Where: Gone, Detail: "the package " + p.Pkg + " is gone"}
	}
	if p.Func == "" && p.Line == "" {
		return Found{Where: Unknown, Detail: "the record names no function and no line"}
	}
	var in, elsewhere []Found
	function := Found{Where: Gone, Detail: p.Func + " is gone from " + p.Pkg}
	for _, f := range files {
		for _, d := range f.decls {
			if p.Func != "" && d.name == p.Func && function.Where == Gone {
				function = Found{Where: Changed, Func: d.name, At: model.Pos{File: f.rel, Line: d.from}}
			}
			for n := d.from; n <= d.to && p.Line != ""; n++ {
				if strings.TrimSpace(f.lines[n-1]) != p.Line {
					continue
				}
				hit := Found{Where: Here, Func: d.name, At: model.Pos{File: f.rel, Line: n}}
				if p.Func == "" || d.name == p.Func {
					in = append(in, hit)
				} else {
					elsewhere = append(elsewhere, hit)
				}
			}
		}
	}
	return choose(p, function, in, elsewhere)
}

// choose says what the hits mean.
func choose(p Place, function Found, in, elsewhere []Found) Found {
	switch {
	case p.Line == "" && function.Where != Gone:
		function.Where = Here
		return function
	case len(in) > 0:
		f := closest(in, p.At)
		if p.At.File != "" && f.At != p.At {
			f.Where = Moved
			f.Detail = fmt.Sprintf("moved from %s to %s", p.At, f.At)
		}
		return f
	case len(elsewhere) > 0:
		f := closest(elsewhere, p.At)
		f.Where = Moved
		into := cmp.Or(f.Func, "no function")
		f.Detail = fmt.Sprintf("moved from %s in %s to %s in %s", p.At, p.Func, f.At, into)
		return f
	case function.Where == Gone && p.Func == "":
		return Found{Where: Changed, At: p.At, Detail: fmt.Sprintf("the line “%s” is gone", shorten(p.Line))}
	case function.Where == Gone:
		return function
	default:
		function.Detail = fmt.Sprintf("the line “%s” is gone from %s", shorten(p.Line), p.Func)
		return function
	}
}

// closest returns the hit in the same file that is the fewest lines away, or
// else the first.
func closest(hits []Found, at model.Pos) Found {
	best := hits[0]
	away := func(f Found) int {
		d := f.At.Line - at.Line
		if d < 0 {
			d = -d
		}
		if f.At.File != at.File {
			d += 1 << 30
		}
		return d
	}
	for _, h := range hits[1:] {
		if away(h) < away(best) {
			best = h
		}
	}
	return best
}

// A source is one file with what is declared in it.
type source struct {
	rel   string // to the module, with forward slashes
	lines []string
	decls []decl // functions, and one without a name for each stretch between them
}

type decl struct {
	name     string
	from, to int // lines
}

// sources reads the Go files of a package, test files included only where the
// record speaks of one. Files for other systems count too.
func sources(dir, rel string, p Place) ([]source, error) {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return nil, err
	}
	var out []source
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || !e.Type().IsRegular() {
			continue
		}
		if strings.HasSuffix(name, "_test.go") != strings.HasSuffix(p.At.File, "_test.go") {
			continue
		}
		s, err := readSource(dir, path.Join(rel, name))
		if err == nil {
			out = append(out, s)
		}
	}
	return out, nil
}

// readSource parses as much of a file as can be parsed.
func readSource(dir, rel string) (source, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return source{}, err
	}
	s := source{rel: rel, lines: strings.Split(string(data), "\n")}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, rel, data, parser.SkipObjectResolution)
	if file == nil {
		return source{}, err
	}
	next := 1
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		from, to := fset.PositionFor(fn.Pos(), false).Line, fset.PositionFor(fn.End(), false).Line
		if from > next {
			s.decls = append(s.decls, decl{from: next, to: from - 1})
		}
		if from >= next { // two functions on one line count as the first
			s.decls = append(s.decls, decl{words.FuncName(fn), from, min(to, len(s.lines))})
			next = to + 1
		}
	}
	if next <= len(s.lines) {
		s.decls = append(s.decls, decl{from: next, to: len(s.lines)})
	}
	return s, nil
}

// directoryOf returns the directory of a package of the module in dir, relative to
// it; it does not have to be there.
func directoryOf(dir, pkg string) (rel string, ok bool) {
	mod := ModulePath(dir)
	switch {
	case mod == "":
		return "", false
	case pkg == mod:
		return ".", true
	}
	rel, ok = strings.CutPrefix(pkg, mod+"/")
	return rel, ok && isLocal(rel)
}

// ModulePath returns the path that the go.mod of a directory gives, or "".
func ModulePath(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == "module" {
			if p, err := strconv.Unquote(words[1]); err == nil {
				return p
			}
			return words[1]
		}
	}
	return ""
}

// functions lists the functions of a package of the module by name.
func functions(dir, rel string) map[string]Place {
	out := make(map[string]Place)
	files, err := sources(dir, rel, Place{})
	if err != nil {
		return out
	}
	for _, f := range files {
		for _, d := range f.decls {
			if _, have := out[d.name]; d.name != "" && !have {
				out[d.name] = Place{Func: d.name, Line: strings.TrimSpace(f.lines[d.from-1]), At: model.Pos{File: f.rel, Line: d.from}}
			}
		}
	}
	return out
}

// Resolve finds what the user means by “FILE.go:LINE” or “[PACKAGE.]FUNC”. dir
// is the module's directory and from the one that the user is in; both exist. pkg
// is the import path of the package of a function whose package is not named.
func Resolve(dir, from, pkg, at string) (Place, error) {
	if m := atForm.FindStringSubmatch(at); m != nil {
		line, _ := strconv.Atoi(m[2])
		return resolveLine(dir, from, m[1], line)
	}
	if strings.HasSuffix(at, ".go") {
		return Place{}, fmt.Errorf("%s names no line: write %s:LINE, or a function", at, at)
	}
	return resolveFunc(dir, from, pkg, at)
}

func resolveLine(dir, from, file string, line int) (Place, error) {
	rel := ""
	for _, base := range []string{from, dir} {
		name := file
		if !filepath.IsAbs(name) {
			name = filepath.Join(base, filepath.FromSlash(file))
		}
		r, err := filepath.Rel(dir, name)
		if fi, serr := os.Stat(name); err == nil && serr == nil && fi.Mode().IsRegular() && filepath.IsLocal(r) {
			rel = filepath.ToSlash(r)
			break
		}
	}
	if rel == "" {
		return Place{}, fmt.Errorf("there is no file %s in the module: %w", file, fs.ErrNotExist)
	}
	s, err := readSource(dir, rel)
	if err != nil {
		return Place{}, fmt.Errorf("reading %s: %w", file, err)
	}
	if line > len(s.lines) {
		return Place{}, fmt.Errorf("%s has %d lines, and none of number %d", file, len(s.lines), line)
	}
	p := Place{Pkg: path.Join(ModulePath(dir), path.Dir(rel)), Line: strings.TrimSpace(s.lines[line-1]), At: model.Pos{File: rel, Line: line}}
	if strings.Trim(p.Line, "{}() \t") == "" {
		return Place{}, fmt.Errorf("%s:%d holds no code that could be found again: name a line with more in it", file, line)
	}
	for _, d := range s.decls {
		if d.from <= line && line <= d.to {
			p.Func = d.name
		}
	}
	return p, nil
}

// resolveFunc tries each way to split at into a package and a function: both
// may hold dots.
func resolveFunc(dir, from, pkg, at string) (Place, error) {
	mod := ModulePath(dir)
	slash := strings.LastIndex(at, "/") + 1
	var known []string
	try := func(in, name string) (Place, bool) {
		rel, ok := directoryOf(dir, in)
		if !ok {
			return Place{}, false
		}
		all := functions(dir, rel)
		for _, form := range forms(name) {
			if p, ok := all[form]; ok {
				p.Pkg = in
				return p, true
			}
		}
		known = slices.AppendSeq(known, maps.Keys(all))
		return Place{}, false
	}
	if slash == 0 {
		if p, ok := try(pkg, at); ok {
			return p, nil
		}
	}
	for i := slash; i < len(at); i++ {
		if at[i] != '.' {
			continue
		}
		if p, ok := try(packageOf(dir, from, mod, at[:i], slash > 0), at[i+1:]); ok {
			return p, nil
		}
	}
	slices.Sort(known)
	hint := ""
	if len(known) > 0 {
		hint = "; the nearest is " + nearest(at[slash:], known)
	}
	return Place{}, fmt.Errorf("there is no function %s%s; write FILE.go:LINE or [PACKAGE.]FUNC, such as (*Conn).Write", at, hint)
}

// packageOf returns the import path that a name of a package stands for: a path
// relative to where the user is, an import path, or the last part of one.
func packageOf(dir, from, mod, name string, hasSlash bool) string {
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		rel, err := filepath.Rel(dir, filepath.Join(from, filepath.FromSlash(name)))
		if err != nil || !filepath.IsLocal(rel) && rel != "." {
			return ""
		}
		return path.Join(mod, filepath.ToSlash(rel))
	}
	if name == mod || strings.HasPrefix(name, mod+"/") {
		return name
	}
	if !hasSlash && name == path.Base(mod) {
		return mod
	}
	return path.Join(mod, name)
}

// forms are the ways in which a method may be meant.
func forms(name string) []string {
	t, m, ok := strings.Cut(name, ".")
	if !ok || strings.HasPrefix(name, "(") {
		return []string{name}
	}
	return []string{name, "(*" + t + ")." + m}
}
