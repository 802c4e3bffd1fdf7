package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestFuncName(t *testing.T) {
	src := "package p\nfunc F() {}\nfunc (T) V() {}\nfunc (t *T) P() {}\nfunc (t *G[K, V]) Q() {}\nfunc (G[K]) R() {}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range f.Decls {
		got = append(got, FuncName(d.(*ast.FuncDecl)))
	}
	if want := []string{"F", "T.V", "(*T).P", "(*G).Q", "G.R"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
