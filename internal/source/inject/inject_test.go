package inject

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

func TestHook(t *testing.T) {
	for _, c := range []struct{ fn, want, params, results string }{
		{"func F() {}", "func F() { h();}", "", ""},
		{"func F(a, b int, c ...string) {}", "func F(a, b int, c ...string) { h();}", "a b c", ""},
		{"func F(_ int, _, c string) {}", "func F(pawlp0 int, pawlp1, c string) { h();}", "pawlp0 pawlp1 c", ""},
		{"func F(int, ...string) {}", "func F(pawlp0 int, pawlp1 ...string) { h();}", "pawlp0 pawlp1", ""},
		{"func (T) F(x int) {}", "func (pawlp0 T) F(x int) { h();}", "pawlp0 x", ""},
		{"func (*T[K, _]) F(int) {}", "func (pawlp0 *T[K, _]) F(pawlp1 int) { h();}", "pawlp0 pawlp1", ""},
		{"func (_ T) F() (n int, _ error) {}", "func (pawlp0 T) F() (n int, pawlr1 error) { h();}", "pawlp0", "n pawlr1"},
		{"func F() int {}", "func F() (pawlr0 int) { h();}", "", "pawlr0"},
		{"func F() func(int) (a, b int) {}", "func F() (pawlr0 func(int) (a, b int)) { h();}", "", "pawlr0"},
		{"func F() (\n\tint,\n\t[]string,\n) {\n}", "func F() (\n\tpawlr0 int,\n\tpawlr1 []string,\n) { h();\n}", "", "pawlr0 pawlr1"},
		{"func F() () {}", "func F() () { h();}", "", ""},
		{"\n//line other.go:7\nfunc F(int) {}", "\n//line other.go:7\nfunc F(pawlp0 int) { h();}", "pawlp0", ""},
	} {
		f, err := source.Parse(token.NewFileSet(), "f.go", "f.go", []byte("package p // of mine\n"+c.fn))
		if err != nil {
			t.Fatal(err)
		}
		fn := f.Syntax.Decls[0].(*ast.FuncDecl)
		params, edits := Params(f, fn)
		results, more := Results(f, fn)
		got := string(edit.Must(f.Src, append(append(edits, more...), Open(f, fn.Body, "h();"), Import(f, "hooks", "example.com/h"))))
		if want := "package p; import hooks \"example.com/h\" // of mine\n" + c.want; got != want {
			t.Errorf("%s\nbecame\n%s\nwant\n%s", c.fn, got, want)
		}
		if got := strings.Join(params, " "); got != c.params {
			t.Errorf("%s: parameters %s, want %s", c.fn, got, c.params)
		}
		if got := strings.Join(results, " "); got != c.results {
			t.Errorf("%s: results %s, want %s", c.fn, got, c.results)
		}
	}
}
