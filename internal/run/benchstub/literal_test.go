package benchstub

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
)

// exported lets another package of the test's module print values.
const exported = `package pawlstub

import "reflect"

func Print(own string, v any) ([]Part, error) {
	parts, _, err := newPrinter(own).print("x", reflect.ValueOf(v), bare)
	return parts, err
}
`

// TestLiterals writes some hundreds of values as Go in one process, compiles
// what was written, and compares the values in another.
func TestLiterals(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range ar.Files {
		write(f.Name, f.Data)
	}
	entries, err := library.ReadDir("pawlstub")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := library.ReadFile("pawlstub/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(e.Name(), "_test.go") {
			write("pawlstub/"+e.Name(), text)
		}
	}
	write("pawlstub/print.go", []byte(exported))
	test := func(run string) {
		t.Helper()
		cmd := exec.Command("go", "test", "-vet=off", "-run", run, "./vals")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PARTS="+filepath.Join(dir, "parts.json"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go test -run %s: %v\n%s", run, err, out)
		}
	}
	test("TestWrite")
	write("vals/compiled_test.go", compiledText(t, filepath.Join(dir, "parts.json")))
	test("TestCompiled")
}

// compiledText is a file with all that was written.
func compiledText(t *testing.T, parts string) []byte {
	t.Helper()
	data, err := os.ReadFile(parts)
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Parts   []pawlstub.Part
		Refused string
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	s := &scope{own: "example.com/lit/vals", imports: map[string]string{}, used: map[string]bool{}, declared: map[string]bool{}}
	w := &writer{scope: s}
	var body strings.Builder
	for i, x := range all {
		if x.Refused != "" {
			t.Errorf("value %d: %s", i, x.Refused)
			continue
		}
		var datas []string
		for _, p := range x.Parts {
			switch {
			case p.Data != nil && p.String:
				datas = append(datas, fmt.Sprintf("%q", p.Data))
			case p.Data != nil:
				datas = append(datas, fmt.Sprintf("[]byte(%q)", p.Data))
			}
		}
		body.WriteString(w.expr(x.Parts, datas) + ",\n")
	}
	var b strings.Builder
	b.WriteString("package vals\n\n")
	for path := range s.used {
		fmt.Fprintf(&b, "import %s %q\n", s.imports[path], path)
	}
	b.WriteString("func init() {\n\tcompiled = []interface{}{\n" + body.String() + "}\n}\n")
	return []byte(b.String())
}
