package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// The hash of a binary stays when it is built again, and changes with its code
// and with all that it can read.
func TestHash(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds four times")
	}
	f := styles(t, true)
	name := filepath.Join(f.dir, "empty", "empty.go")
	test := filepath.Join(f.dir, "empty", "empty_test.go")
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = os.WriteFile(name, old, 0o666)
		_ = os.Remove(test)
	}()
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(test, "package empty\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {\n\tfor b.Loop() {\n\t\tSum()\n\t}\n}\n")
	const source = "package empty\n\nconst pattern = \"[a-z]+\"\n\n// Sum adds.\nfunc Sum() (s int) {\n\tfor _, x := range pattern {\n\t\ts += int(x)\n\t}\n\treturn s\n}\n"
	hashes := make(map[string]string)
	for key, text := range map[string]string{
		"base":  source,
		"again": source,
		"text":  strings.Replace(source, "a-z", "b-z", 1),
		"code":  strings.Replace(source, "s += int(x)", "s -= int(x)", 1),
	} {
		write(name, text)
		b, err := f.suite.Build(t.Context(), f.pkg("empty"), key, gocmd.BuildOpts{Overlay: true})
		if err != nil {
			t.Fatal(err)
		}
		hashes[key] = b.Hash
	}
	if hashes["again"] != hashes["base"] || hashes["text"] == hashes["base"] || hashes["code"] == hashes["base"] {
		t.Error(hashes)
	}
}

func TestBuildErrors(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	if _, err := f.suite.Build(t.Context(), f.pkg("nosuch"), "base", gocmd.BuildOpts{}); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Error(err)
	}
	if _, err := f.suite.Build(t.Context(), f.pkg("empty"), "notests", gocmd.BuildOpts{Overlay: true}); err == nil || !strings.Contains(err.Error(), "no test files") {
		t.Error(err)
	}
	if _, err := f.suite.Build(t.Context(), f.pkg("good"), "../x", gocmd.BuildOpts{}); err == nil {
		t.Error("a name with a directory was taken")
	}
	b := f.binary(t, "good")
	if _, err := f.suite.Copy(b, "base"); err == nil {
		t.Error("a copy replaced its original")
	}
}
