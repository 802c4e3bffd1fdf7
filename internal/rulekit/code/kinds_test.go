package code

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

const constraints = `package a

type list interface{ ~[]int }
type named []int
type stringer interface{ String() string }

func slice[T ~[]int]() {}
func sliceOfInterface[T list]() {}
func sliceWithMethod[T interface { stringer; list }]() {}
func sliceOfTwo[T []int | named]() {}
func sliceComparable[T interface { comparable; ~[]int }]() {}
func severalKinds[T []int | []string]() {}
func severalAny[T []int | any]() {}
func severalMethods[T stringer]() {}
func severalComparable[T comparable]() {}
`

// A parameter has a core where all that it may stand for is of one kind.
func TestCore(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", constraints, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("a", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		_, slice := Core(fn.Signature().TypeParams().At(0)).(*types.Slice)
		if want := strings.HasPrefix(name, "slice"); slice != want {
			t.Errorf("%s: a slice: %v", name, slice)
		}
	}
	if of := Core(pkg.Scope().Lookup("list").Type()); !types.IsInterface(of) {
		t.Errorf("the constraint itself is %v", of)
	}
}
