package outside

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
)

const described = `package m

import "strings"

import "fmt"

type (
	// A T holds words.
	T struct{ words []Word }

	other int
)

// A Word is one of them.
type Word string

type namer interface{ Name() string }

// Name joins them.
func (t *T) Name() string {
	var b strings.Builder
	for _, w := range t.words {
		b.WriteString(string(w))
	}
	return b.String()
}

func show(n namer) string { return fmt.Sprint(n.Name()) }

func unrelated() {}
`

func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": described} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := prove.Load(t.Context(), prove.Config{Dir: dir, Root: dir, Env: os.Environ(), Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	f, ok := Describe(p, model.Pos{File: "m.go", Line: 22})
	if !ok || f.Symbol != "(*example.com/m.T).Name" || f.Package != "example.com/m" {
		t.Fatalf("%+v, %t", f, ok)
	}
	for _, d := range append([]Declaration{f.Header, f.Body}, append(f.Types, f.Callers...)...) {
		at := strings.Split(described, "\n")[d.Line-1:]
		if !strings.HasPrefix(strings.TrimLeft(strings.Join(at, "\n"), "\t"), d.Source) {
			t.Errorf("%s is not what stands at line %d: %q", d.Name, d.Line, d.Source)
		}
	}
	if !strings.HasSuffix(f.Header.Source, `import "fmt"`) || !strings.HasPrefix(f.Body.Source, "// Name joins them.\nfunc") {
		t.Errorf("the head is %q, and the function %q", f.Header.Source, f.Body.Source)
	}
	if got := names(f.Types); got != "T Word" {
		t.Errorf("types: %s", got)
	}
	if got := names(f.Callers); got != "show" {
		t.Errorf("callers: %s", got)
	}
	for _, line := range []int{1, 1000} {
		if f, ok := Describe(p, model.Pos{File: "m.go", Line: line}); ok {
			t.Errorf("at line %d is %+v", line, f)
		}
	}
}

func names(ds []Declaration) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Name)
	}
	return strings.Join(out, " ")
}
