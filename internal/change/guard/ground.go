package guard

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// ground says what makes a file one that a change must leave alone: kinds
// frozen and directive. file is relative to the root of the tree, with
// slashes; before and after are its contents, nil where there is no file.
func ground(file string, before, after []byte) []model.Suspicion {
	if why := frozenName(file); why != "" {
		return []model.Suspicion{suspect(model.SuspectFrozen, model.Pos{File: file, Line: 1}, why, "")}
	}
	if before == nil {
		if why := constrainedName(file); why != "" {
			return []model.Suspicion{suspect(model.SuspectDirective, model.Pos{File: file, Line: 1}, why, "")}
		}
	}
	var old, now []setting
	var err error
	if before != nil {
		if old, err = settings(file, before); err != nil {
			return []model.Suspicion{suspect(model.SuspectFrozen, model.Pos{File: file, Line: 1}, fmt.Sprintf("%s does not parse in the base: %v", file, err), "")}
		}
		if isGenerated(file, before) {
			return []model.Suspicion{suspect(model.SuspectFrozen, model.Pos{File: file, Line: 1}, file+" is generated from something else, and the next generation undoes the change", "")}
		}
	}
	if after != nil {
		if now, err = settings(file, after); err != nil {
			return []model.Suspicion{suspect(model.SuspectFrozen, model.Pos{File: file, Line: 1}, fmt.Sprintf("the change leaves a syntax error: %v", err), "")}
		}
	}
	return settingsDiffer(file, old, now)
}

// frozenName says why a file of that name may not be changed. Names are
// compared without case: on some file systems FOO_TEST.GO is foo_test.go.
func frozenName(file string) string {
	lower := strings.ToLower(file)
	base, dirs := path.Base(lower), strings.Split(path.Dir(lower), "/")
	trimmed := strings.TrimRight(base, ". ") // some file systems drop these
	switch {
	case file != path.Clean(file), !filepath.IsLocal(filepath.FromSlash(file)), strings.ContainsAny(file, "\\\x00\n"):
		return fmt.Sprintf("%q is not the plain name of a file in the tree", file)
	case strings.HasSuffix(trimmed, "_test.go"):
		return file + " is a test file; tests and benchmarks stay as they are in the base"
	case slices.Contains(dirs, "testdata"):
		return file + " is test data"
	case slices.Contains(dirs, "vendor"):
		return file + " belongs to a dependency"
	case slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum"}, trimmed):
		return file + " sets what is built"
	case base == ".env" || strings.HasPrefix(base, ".env."):
		return file + " sets the environment"
	case !strings.HasSuffix(file, ".go"):
		return file + " is no Go source file"
	}
	for _, d := range append(dirs, base) {
		if d != "." && (strings.HasPrefix(d, ".") || strings.HasPrefix(d, "_")) {
			return file + " is where the go command does not look"
		}
	}
	return ""
}

// The systems and architectures that a file name may end in.
var platforms = strings.Fields(`aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9
	solaris wasip1 windows zos 386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32
	mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)

// constrainedName says which build constraint a file name is.
func constrainedName(file string) string {
	name := strings.TrimSuffix(path.Base(file), ".go")
	_, rest, ok := strings.Cut(name, "_")
	if !ok {
		return ""
	}
	words := strings.Split(rest, "_")
	last := words[len(words)-1]
	if slices.Contains(platforms, last) {
		return fmt.Sprintf("%s is a new file that is built for %s only", file, last)
	}
	return ""
}

// A setting is a comment that speaks to the build.
type setting struct {
	text string // with the function it stands at
	line int
}

// settings returns the comments of a file that speak to the build: constraints
// above the package clause, //go: directives, and cgo preambles.
func settings(file string, src []byte) ([]setting, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	of := make(map[*ast.CommentGroup]string) // what a comment documents
	var out []setting
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			of[d.Doc] = " at func " + d.Name.Name
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ImportSpec); ok && isC(s) {
					out = append(out, setting{"import \"C\" " + comments(d.Doc, s.Doc), fset.PositionFor(s.Pos(), false).Line})
				}
				if s, ok := s.(*ast.ValueSpec); ok {
					of[d.Doc] = " at " + s.Names[0].Name
					of[s.Doc] = " at " + s.Names[0].Name
				}
			}
		}
	}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if isSetting(c.Text) {
				out = append(out, setting{strings.TrimSpace(c.Text) + of[g], fset.PositionFor(c.Pos(), false).Line})
			}
		}
	}
	return out, nil
}

// isC reports whether an import is of C, in whichever quotes.
func isC(s *ast.ImportSpec) bool {
	name, err := strconv.Unquote(s.Path.Value)
	return err == nil && name == "C"
}

// comments is the text of comments as it is written: what stands before an
// import of C, or in its parentheses, is the preamble.
func comments(groups ...*ast.CommentGroup) string {
	var b strings.Builder
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			b.WriteString(c.Text + "\n")
		}
	}
	return b.String()
}

func isSetting(text string) bool {
	for _, p := range []string{"//go:", "//export ", "//line ", "/*line ", "//extern ", "//cgo"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return constraint.IsPlusBuild(text)
}

// settingsDiffer compares the settings of a file as multisets: a function may
// move, and takes its directives with it.
func settingsDiffer(file string, old, now []setting) []model.Suspicion {
	count := make(map[string]int)
	for _, s := range old {
		count[s.text]++
	}
	say := func(s setting, what string) model.Suspicion {
		return suspect(model.SuspectDirective, model.Pos{File: file, Line: s.line},
			"a build constraint, compiler directive or cgo preamble "+what, words.FirstLine(s.text))
	}
	var out []model.Suspicion
	for _, s := range now {
		if count[s.text]--; count[s.text] < 0 {
			out = append(out, say(s, "is new"))
		}
	}
	for _, s := range old {
		if count[s.text]--; count[s.text] >= 0 {
			s.line = 1
			out = append(out, say(s, "of the base is gone"))
		}
	}
	return out
}

func isGenerated(file string, src []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ParseComments|parser.PackageClauseOnly)
	return err == nil && ast.IsGenerated(f)
}

// onDisk says what about the place of a file makes it frozen: a symbolic link
// on the way, or a new file whose name differs from another's by case only.
func onDisk(root, file string, isNew bool) string {
	if root == "" || !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	at := root
	for part := range strings.SplitSeq(file, "/") {
		if isNew {
			entries, _ := os.ReadDir(at)
			for _, e := range entries {
				if e.Name() != part && strings.EqualFold(e.Name(), part) {
					return fmt.Sprintf("%s differs from %s by case only", file, e.Name())
				}
			}
		}
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err != nil {
			return ""
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Sprintf("%s is reached through a symbolic link", file)
		}
	}
	return ""
}
