package benchstub

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
)

// A scope knows what names mean in the generated file.
type scope struct {
	own      string
	imports  map[string]string // import path → name in the file
	used     map[string]bool   // import paths that the text so far needs
	known    map[string]string // import path → name of the package
	declared map[string]bool   // in the package, its tests included
	vars     map[string]bool   // of the sub-benchmark at hand

	variables map[string]bool // of the package, without its tests
}

// newScope reads which names the package of f has already. known are the names
// of packages that inputs need.
func newScope(f *function, known map[string]string) *scope {
	s := &scope{own: f.pkg.ImportPath, imports: make(map[string]string), used: make(map[string]bool), known: known, declared: make(map[string]bool), variables: make(map[string]bool)}
	for _, name := range slices.Concat(f.pkg.GoFiles, f.pkg.CgoFiles, f.pkg.TestGoFiles, f.pkg.XTestGoFiles) {
		syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(f.pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range syntax.Decls {
			s.declare(d, !strings.HasSuffix(name, "_test.go"))
		}
	}
	return s
}

func (s *scope) declare(d ast.Decl, own bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			s.declared[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.declared[spec.Name.Name] = true
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					s.declared[id.Name] = true
					if own && d.Tok == token.VAR && id.Name != "_" {
						s.variables[id.Name] = true
					}
				}
			}
		}
	}
}

// pkg returns what the file calls an imported package, which it then imports.
func (s *scope) pkg(importPath string) string {
	s.used[importPath] = true
	return s.reserve(importPath)
}

// reserve gives a package its name in the file.
func (s *scope) reserve(importPath string) string {
	if name := s.imports[importPath]; name != "" {
		return name
	}
	base := cmp.Or(s.known[importPath], path.Base(importPath))
	name := base
	for n := 2; s.declared[name] || s.imported(name); n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	s.imports[importPath] = name
	return name
}

func (s *scope) imported(name string) bool {
	for _, n := range s.imports {
		if n == name {
			return true
		}
	}
	return false
}

// variable returns a name for a local variable like the one that is wanted,
// which hides nothing that the file needs.
func (s *scope) variable(want string) string {
	if strings.HasPrefix(want, "pawlp") {
		want = "arg" + strings.TrimPrefix(want, "pawlp")
	}
	name := want
	for n := 0; s.vars[name] || s.declared[name] || s.imported(name) || name == "b" || name == "err" || types.Universe.Lookup(name) != nil; n++ {
		name = want + "In"
		if n > 0 {
			name = fmt.Sprintf("%sIn%d", want, n+1)
		}
	}
	s.vars[name] = true
	return name
}

func (s *scope) benchmark(f *function) string {
	name := upper(f.name)
	if f.recv != "" {
		name = upper(f.recv) + "_" + f.name
	}
	wants := []string{"Benchmark" + name, "Benchmark" + name + "Recorded"}
	if f.recv == "" && !ast.IsExported(f.name) {
		wants = []string{"Benchmark" + name, "Benchmark_" + f.name, "Benchmark" + name + "Recorded"}
	}
	for _, w := range wants {
		if !s.declared[w] {
			return w
		}
	}
	for n := 2; ; n++ {
		if w := fmt.Sprintf("Benchmark%sRecorded%d", name, n); !s.declared[w] {
			return w
		}
	}
}

// qualified is a declared name in the arguments of a generic type, as reflect
// writes it: "example.com/m.T".
var qualified = regexp.MustCompile(`[^\s\[\](),*{};]+\.[\pL_][\pL_\d]*`)

// text returns a declared name as the file writes it.
func (s *scope) text(p pawlstub.Part) string {
	base, args, generic := strings.Cut(p.Name, "[")
	name := base
	if p.Pkg != s.own {
		name = s.pkg(p.Pkg) + "." + base
	}
	if !generic {
		return name
	}
	return name + "[" + qualified.ReplaceAllStringFunc(args, func(q string) string {
		dot := strings.LastIndexByte(q, '.')
		return s.text(pawlstub.Part{Pkg: strings.ReplaceAll(q[:dot], "%2e", "."), Name: q[dot+1:]})
	})
}

// paths lists the import paths that parts need.
func paths(parts []pawlstub.Part) []string {
	var out []string
	for _, p := range parts {
		if p.Name == "" {
			continue
		}
		out = append(out, p.Pkg)
		if _, args, ok := strings.Cut(p.Name, "["); ok {
			for _, q := range qualified.FindAllString(args, -1) {
				out = append(out, strings.ReplaceAll(q[:strings.LastIndexByte(q, '.')], "%2e", "."))
			}
		}
	}
	return out
}

// knownSuffixes are the last parts of a file's name that the go command takes
// for a constraint.
var knownSuffixes = regexp.MustCompile(`_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)$`)

// fileNames returns names for the generated file, the best first. What
// constrains the function's own file stays at the end.
func fileNames(f *function) []string {
	base := strings.TrimSuffix(filepath.Base(f.Path), ".go")
	constraint := ""
	for range 2 {
		if m := knownSuffixes.FindString(base); m != "" && m != base {
			base, constraint = strings.TrimSuffix(base, m), m+constraint
		}
	}
	return []string{
		base + "_bench" + constraint + "_test.go",
		base + "_" + strings.ToLower(f.recv+f.name) + "_bench" + constraint + "_test.go",
	}
}

// freeName returns the first of the file names that is not taken in a directory.
func freeName(dir string, f *function) (string, bool) {
	for _, name := range fileNames(f) {
		if _, err := os.Lstat(filepath.Join(dir, name)); os.IsNotExist(err) {
			return name, true
		}
	}
	return fileNames(f)[0], false
}

// packageNames asks the go command what packages are called.
func packageNames(list []gocmd.Package) map[string]string {
	names := make(map[string]string)
	for _, p := range list {
		names[p.ImportPath] = p.Name
	}
	return names
}

// upper returns an identifier with its first letter in upper case.
func upper(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}
