package main

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCallSteps(t *testing.T) {
	for _, c := range []struct{ name, src, want, err string }{
		{
			name: "b.N",
			src:  "package p\nfunc BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tf()\n\t}\n}\n",
			want: "package p\nfunc BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {PawlStep(); \n\t\tf()\n\t}\n}\n",
		}, {
			name: "range",
			src:  "package p\nfunc BenchmarkX(b *testing.B) {\n\tfor range b.N { f() }\n}\n",
			want: "package p\nfunc BenchmarkX(b *testing.B) {\n\tfor range b.N {PawlStep();  f() }\n}\n",
		}, {
			name: "loop, in a sub-benchmark, from another package",
			src:  "package p_test\nimport \"m/p\"\nfunc BenchmarkX(b *testing.B) {\n\tb.Run(\"a\", func(b *testing.B) { for b.Loop() { p.F() } })\n}\n",
			want: "package p_test\nimport \"m/p\"\nfunc BenchmarkX(b *testing.B) {\n\tb.Run(\"a\", func(b *testing.B) { for b.Loop() {p.PawlStep();  p.F() } })\n}\n",
		}, {
			name: "imported under another name",
			src:  "package p_test\nimport q \"m/p\"\nfunc BenchmarkX(b *testing.B) {\n\tfor n := 0; n < b.N; n++ { for i := 0; i < 3; i++ { q.F() } }\n}\n",
			want: "package p_test\nimport q \"m/p\"\nfunc BenchmarkX(b *testing.B) {\n\tfor n := 0; n < b.N; n++ {q.PawlStep();  for i := 0; i < 3; i++ { q.F() } }\n}\n",
		}, {
			name: "the loop is elsewhere",
			src:  "package p\nfunc BenchmarkX(b *testing.B) { helper(b) }\n",
			err:  "no loop over b.N",
		}, {
			name: "not imported",
			src:  "package p_test\nfunc BenchmarkX(b *testing.B) { for range b.N {} }\n",
			err:  "does not import m/p",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := callSteps([]byte(c.src), "BenchmarkX", "m/p")
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := callSteps([]byte("package p\n"), "BenchmarkX", "m/p"); !errors.Is(err, errNoFunc) {
		t.Errorf("error %v, want errNoFunc", err)
	}
}

func TestDropFuncs(t *testing.T) {
	src := "package p\n\nimport \"sort\"\n\n// A comment.\nfunc BenchmarkA(b *B) { sort.Ints(nil) }\n\nfunc BenchmarkB(b *B) {}\n"
	got, n, err := dropFuncs([]byte(src), []string{"BenchmarkA"})
	if err != nil || n != 1 {
		t.Fatalf("%d dropped, %v", n, err)
	}
	if s := string(got); strings.Contains(s, "func BenchmarkA") || !strings.Contains(s, "sort.Ints") || !strings.Contains(s, "func BenchmarkB") {
		t.Error(s)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
		t.Error(err)
	}
}

func TestSetSteps(t *testing.T) {
	src := stepsSource("p", 0)
	got, err := setSteps([]byte(src), 123)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stepsSource("p", 123), string(got)); diff != "" {
		t.Error(diff)
	}
	for name, c := range map[string]struct {
		src   string
		steps int
	}{
		"absent":    {"package p", 1},
		"twice":     {src + src, 1},
		"cut off":   {mark + "12", 1},
		"no number": {mark + "12345x", 1},
		"too many":  {src, maxSteps + 1},
		"negative":  {src, -1},
	} {
		if out, err := setSteps([]byte(c.src), c.steps); err == nil {
			t.Errorf("%s: no error, %q", name, out)
		}
	}
}

// The functions that are never called compile, whatever the seed, and have the
// length that is promised.
func TestNeverSourceCompiles(t *testing.T) {
	lengths := make(map[int]bool)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		src, err := addNever([]byte("package p\n\nfunc f() {} // stays\n\nfunc g() int { return 1 }\n"), neverSource(rng), rng)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", src, 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		conf := types.Config{Importer: importer.Default()}
		if _, err := conf.Check("p", fset, []*ast.File{file}, nil); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		n := len(function(file, "pawlNever").Body.List) - 2
		if n < 1 || n > mostStatements {
			t.Errorf("seed %d: %d statements", seed, n)
		}
		lengths[n] = true
	}
	if len(lengths) < mostStatements/2 {
		t.Errorf("only %d lengths", len(lengths))
	}
}
