package detours

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The functions for a type have the text of those in package heap, but for names and comments.
func TestHeapsAreAlike(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(out)), "src", "container", "heap", "heap.go")
	real, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, d := range real.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		compared++
		text := strings.NewReplacer("$T", "Interface", "$N", "", "$E", "any", "$A", "").Replace(heapTexts[fn.Name.Name])
		mine, err := parser.ParseFile(token.NewFileSet(), "", "package heap\n"+text, 0)
		if err != nil || len(mine.Decls) != 1 {
			t.Fatalf("%s: %v", fn.Name.Name, err)
		}
		fn.Name.Name = strings.ToLower(fn.Name.Name)
		if got, want := printed(t, mine.Decls[0]), printed(t, fn); got != want {
			t.Errorf("is\n%s\nwhere package heap has\n%s", got, want)
		}
	}
	if compared != len(heapTexts) {
		t.Errorf("package heap has %d functions, and %d are here", compared, len(heapTexts))
	}
}

// printed returns the text of a declaration.
func printed(t *testing.T, d ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
