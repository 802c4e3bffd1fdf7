package words

import "fmt"

func ExampleFirstLine() {
	fmt.Printf("%q\n", FirstLine("\n the trace is broken: \nstate 1"))
	fmt.Printf("%q\n", FirstLine(" \n"))
	// Output:
	// "the trace is broken:"
	// ""
}

func ExampleFirstError() {
	fmt.Println(FirstError("# example.com/a\n./a.go:3:1: undefined: x\n"))
	fmt.Println(FirstError("# example.com/a\n"))
	// Output:
	// ./a.go:3:1: undefined: x
	// no reason given
}

func ExampleCommit() {
	fmt.Println(Commit("8f2a1c90d4e5b6a7c8d9e0f1a2b3c4d5e6f7a8b9"), Commit("HEAD"))
	// Output: 8f2a1c90d4e5 HEAD
}

func ExampleQuote() {
	fmt.Println(Quote("it's"), Quote(""))
	// Output: 'it'\''s' ''
}

func ExampleSome() {
	names := []string{"a", "b", "c"}
	fmt.Println(Some(names, 3))
	fmt.Println(Some(names, 2))
	fmt.Printf("%q\n", Some(nil, 2))
	// Output:
	// a, b, c
	// a, b and 1 more
	// ""
}

func ExampleClip() {
	fmt.Println(Clip("größe", 5), Clip("größer", 5))
	// Output: größe größ…
}

func ExampleSymbol() {
	fmt.Println(Symbol("example.com/a/noise.(*T[go.shape.int]).M"), Symbol("slices.Sort[[]int,int]"), Symbol("main.main"))
	// Output: noise.(*T[…]).M slices.Sort[…] main.main
}

func ExampleLastLines() {
	fmt.Printf("%q\n", LastLines("a\nb\nc\n", 2))
	fmt.Printf("%q\n", LastLines(" \n", 2))
	// Output:
	// "b\nc"
	// ""
}

func ExampleSymbolPackage() {
	fmt.Println(SymbolPackage("gopkg.in/yaml%2ev3.(*T[a.com/b.K]).M"), SymbolPackage("aeshashbody") == "")
	// Output: gopkg.in/yaml.v3 true
}

func ExampleWithoutTypeArgs() {
	fmt.Println(WithoutTypeArgs("a.com/m.(*T[go.shape.struct { X []int }]).M"))
	// Output: a.com/m.(*T).M
}
