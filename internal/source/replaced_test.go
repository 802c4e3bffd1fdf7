package source

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const replacedBase = `package m

import (
	"fmt"
	"strings"
)

func F(s string) string { return fmt.Sprint(strings.ToUpper(s)) }
`

// replacedModule is a module of two files, and returns its directory.
func replacedModule(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": replacedBase, "n.go": "package m\n\nimport \"strconv\"\n\nvar N = strconv.Itoa(1)\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The go command need not see a text whose package, constraints and imports are as they were.
func TestListedAlike(t *testing.T) {
	dir := replacedModule(t)
	imports := func(path, expr string) []string {
		return []string{"\t\"fmt\"\n\t\"strings\"\n", "\t\"" + path + "\"\n", "fmt.Sprint(strings.ToUpper(s))", expr}
	}
	for _, tt := range []struct {
		name, file string
		edits      []string
		want       bool
	}{
		{"another body", "m.go", []string{"ToUpper", "ToLower"}, true},
		{"a type error", "m.go", []string{"fmt.Sprint", "fmt.Sprant"}, true},
		{"an import goes", "m.go", imports("strings", "strings.ToUpper(s)"), true},
		{"an import of another file", "m.go", imports("strconv", "strconv.Quote(s)"), true},
		{"a new import", "m.go", imports("bytes", "string(bytes.Clone([]byte(s)))"), false},
		{"cgo", "m.go", imports("C", "s"), false},
		{"a new file", "o.go", nil, false},
		{"a constraint", "m.go", []string{"package m", "//go:build ignore\n\npackage m"}, false},
		{"another package", "m.go", []string{"package m", "package n"}, false},
		{"no package", "m.go", []string{"package m", "pack m"}, false},
		{"an embedded file", "m.go", []string{"func F", "//go:embed m.go\nvar x string\n\nfunc F"}, false},
	} {
		if got := listedAlike(filepath.Join(dir, tt.file), []byte(strings.NewReplacer(tt.edits...).Replace(replacedBase))); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// What is loaded with another text is what packages.Load makes of an overlay, and so is what is wrong with it.
func TestReplaced(t *testing.T) {
	dir := replacedModule(t)
	for name, alike := range map[string]bool{"ToLower": true, "ToNothing": false} {
		cfg := &packages.Config{
			Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir, Env: append(os.Environ(), "GOWORK=off"),
			Overlay: map[string][]byte{filepath.Join(dir, "m.go"): []byte(strings.Replace(replacedBase, "ToUpper", name, 1))},
		}
		got, ok := loadReplaced(cfg, []string{"."})
		if ok != alike {
			t.Errorf("%s: loaded without the overlay: %v", name, ok)
		}
		if !ok {
			var err error
			if got, _, err = Load(cfg, "."); err != nil {
				t.Fatal(err)
			}
		}
		want, err := packages.Load(cfg, ".")
		if err != nil {
			t.Fatal(err)
		}
		if g, w := told(got[0]), told(want[0]); g != w {
			t.Errorf("got\n%s\nwant\n%s", g, w)
		}
	}
}

// overlayFile is where the go command reads an overlay from.
var overlayFile = regexp.MustCompile(`\S*/gocommand-\d+/\d+-`)

// told is what was loaded of a package, and what is wrong with it.
func told(p *packages.Package) string {
	var b strings.Builder
	for _, e := range p.Errors {
		b.WriteString(overlayFile.ReplaceAllString(e.Error(), "") + "\n")
	}
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				b.WriteString(id.Name + " ")
				if o := p.TypesInfo.ObjectOf(id); o != nil {
					b.WriteString(o.String())
				}
				b.WriteString("\n")
			}
			return true
		})
	}
	return b.String()
}
