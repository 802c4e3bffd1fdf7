package escape

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// program is a module that allocates and inlines in the ways that matter here.
var program = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.24\n",
	"a/a.go": `package a

import "fmt"

type T struct {
	sink any
	buf  []byte
}

func scratch() *[8]byte {
	return new([8]byte)
}

func (t *T) Keep(n int) {
	s := scratch()
	t.sink = s
	t.add(n)
}

func (t *T) add(n int) { t.buf = append(t.buf, byte(n)) }

func Check(ok bool, args ...string) error {
	return check(ok, args)
}

//go:noinline
func check(ok bool, args []string) error {
	if !ok {
		return fmt.Errorf("not ok: %v", args)
	}
	return nil
}
`,
	"a/a_test.go": `package a

import "testing"

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := Check(true, "x", "y"); err != nil {
			b.Fatal(err)
		}
	}
}
`,
}

// edited returns a copy of program with one replacement in a/a.go.
func edited(t *testing.T, old, new string) map[string]string {
	t.Helper()
	files := maps.Clone(program)
	if !strings.Contains(files["a/a.go"], old) {
		t.Fatalf("the program does not contain %q", old)
	}
	files["a/a.go"] = strings.Replace(files["a/a.go"], old, new, 1)
	return files
}

// state is one for all tests: a toolchain in the module cache is reached by a
// link in it, which notes on the standard library name.
var state string

func TestMain(m *testing.M) {
	var err error
	if state, err = os.MkdirTemp("", "escape"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(state)
	os.Exit(code)
}

// take writes a module and takes the notes of its package a.
func take(t *testing.T, files map[string]string, env ...string) (*Notes, error) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	g, err := gocmd.New(ctx, gocmd.Config{Dir: root, Env: append(os.Environ(), env...), GOWORK: "off", State: state})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "no tes") // a blank must not matter
	return Take(ctx, g, Config{Dir: dir, Root: root, Patterns: []string{"example.com/m/..."}, Pkgs: []string{"example.com/m/a"}})
}

func mustTake(t *testing.T, files map[string]string, env ...string) *Notes {
	t.Helper()
	n, err := take(t, files, env...)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Warnings) > 0 {
		t.Errorf("warnings: %v", n.Warnings)
	}
	return n
}

// lineOf returns the line of the program's file on which text first stands.
func lineOf(t *testing.T, file, text string) int {
	t.Helper()
	before, _, ok := strings.Cut(program[file], text)
	if !ok {
		t.Fatalf("%s does not contain %q", file, text)
	}
	return 1 + strings.Count(before, "\n")
}

func TestTake(t *testing.T) {
	n := mustTake(t, program)
	a := func(text string) model.Pos { return model.Pos{File: "a/a.go", Line: lineOf(t, "a/a.go", text)} }

	t.Run("chain", func(t *testing.T) {
		// The allocation of scratch where Keep inlines it, and scratch by itself.
		for _, chain := range [][]model.Pos{{a("new([8]byte)"), a("s := scratch")}, {a("new([8]byte)")}} {
			var got []string
			for _, note := range n.At(chain) {
				if note.Kind == model.NoteEscape {
					got = append(got, note.Message)
				}
			}
			if diff := cmp.Diff([]string{"new([8]byte) escapes to heap"}, got); diff != "" {
				t.Errorf("escapes at %v (-want +got):\n%s", chain, diff)
			}
		}
		if got := n.At([]model.Pos{a("new([8]byte)"), a("t.sink = s")}); len(got) > 0 {
			t.Errorf("notes on a chain that does not exist: %v", got)
		}
	})
	t.Run("inlined", func(t *testing.T) {
		if got := n.Inlined(a("s := scratch")); !slices.Equal(got, []string{"scratch"}) {
			t.Errorf("Inlined = %q; want scratch", got)
		}
	})
	t.Run("function", func(t *testing.T) {
		at := a("if !ok")
		fn := n.sources[at.File].funcAt(at.Line)
		var in []model.Note
		for line := fn.start; line <= fn.end; line++ {
			in = append(in, n.OnLine(at.File, line)...)
		}
		has := func(kind model.NoteKind) bool {
			return slices.ContainsFunc(in, func(n model.Note) bool { return n.Kind == kind })
		}
		if !has(model.NoteCannotInline) || !has(model.NoteLeak) || !has(model.NoteEscape) {
			t.Errorf("notes in check lack a kind: %v", in)
		}
	})
	t.Run("flow", func(t *testing.T) {
		// The slice is made by the benchmark; what makes it escape is two calls
		// further on.
		line := lineOf(t, "a/a_test.go", "Check(true")
		var last model.FlowStep
		for _, note := range n.At([]model.Pos{{File: "a/a_test.go", Line: line}}) {
			if note.Kind == model.NoteEscape && strings.HasPrefix(note.Message, "... argument") {
				for _, step := range note.Flow {
					if !filepath.IsAbs(step.At.File) {
						last = step
					}
				}
			}
		}
		if want := a("fmt.Errorf"); last.At.File != want.File || last.At.Line != want.Line {
			t.Errorf("the flow of the variadic slice ends at %v; want %v", last, want)
		}
	})
}

func TestTakeKeepsUserFlags(t *testing.T) {
	n := mustTake(t, program, "GOFLAGS='-gcflags=example.com/...=-N -l'")
	for _, note := range n.All() {
		if note.Kind == model.NoteInlined {
			t.Fatalf("a call was inlined under -l: %v", note)
		}
	}
	if len(n.All()) == 0 {
		t.Error("no notes with -gcflags in GOFLAGS")
	}
}

// With -trimpath the compiler names files by import path, which are none.
func TestTakeWithTrimpath(t *testing.T) {
	want, got := mustTake(t, program, "GOFLAGS="), mustTake(t, program, "GOFLAGS=-trimpath")
	line := lineOf(t, "a/a.go", "new([8]byte)")
	if a, b := len(want.OnLine("a/a.go", line)), len(got.OnLine("a/a.go", line)); a == 0 || a != b {
		t.Errorf("got %d notes with -trimpath, and %d without", b, a)
	}
}

func TestTakeError(t *testing.T) {
	_, err := take(t, edited(t, "t.add(n)", "t.add(undefined)"))
	var ge *gocmd.Error
	if !errors.As(err, &ge) || !strings.Contains(ge.Output, "undefined: undefined") {
		t.Fatalf("error %v; want the compiler's words", err)
	}
	if strings.Contains(ge.Output, "inlin") {
		t.Errorf("the error has notes in it:\n%s", ge.Output)
	}
}

func TestTakeByKey(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/k\n\ngo 1.24\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	write("package k\n\nfunc F() *int { return new(int) }\n")
	g, err := gocmd.New(ctx, gocmd.Config{Dir: root, Env: os.Environ(), GOWORK: "off", State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	count := func(key string) int {
		t.Helper()
		n, err := Take(ctx, g, Config{Dir: dir, Key: key, Root: root, Patterns: []string{"example.com/k"}, Pkgs: []string{"example.com/k"}})
		if err != nil {
			t.Fatal(err)
		}
		return len(n.OnLine("a.go", 3))
	}
	first := count("one")
	write("package k\n")
	kept, fresh := count("one"), count("two")
	if first == 0 || kept != first || fresh != 0 {
		t.Errorf("notes: %d at first, %d with the same key, %d with another; want the same number with the same key and none with another", first, kept, fresh)
	}
	write("package k\n\nfunc F() *int { return new(int) }\n")
	// The build cache knows this package; the notes must come all the same.
	if again := count(""); again != first {
		t.Errorf("%d notes from a package that was compiled before; want %d", again, first)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d directories are left, error %v; want those of the two keys", len(entries), err)
	}
}
