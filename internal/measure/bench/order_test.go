package bench

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// addresses returns where each function of a program begins. Names that several
// have are left out.
func addresses(t *testing.T, path string) map[string]uint64 {
	t.Helper()
	syms, err := funcSymbols(path)
	if err != nil {
		t.Fatal(err)
	}
	out, n := make(map[string]uint64), make(map[string]int)
	for _, s := range syms {
		out[s.Name] = s.Value
		n[s.Name]++
	}
	maps.DeleteFunc(out, func(name string, _ uint64) bool { return n[name] > 1 })
	return out
}

// Two builds that differ in some functions have all others at the same addresses, which
// each seed draws anew.
func TestOrder(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	needELF(t)
	s, pkg := module(t, nil)
	if !s.alignable() {
		t.Skip("functions are not aligned on", runtime.GOARCH)
	}
	_, bl, err := s.BuildLinkable(t.Context(), pkg, "base", gocmd.BuildOpts{Overlay: true})
	if err != nil {
		t.Fatal(err)
	}
	more := "\n//go:noinline\nfunc More(s []string) (n int) {\n\tfor _, x := range s {\n\t\tn += len(x) * len(stamp)\n\t}\n\treturn n\n}\n"
	files(t, pkg.Dir, map[string]string{"m.go": strings.Replace(linkedSource, "return 2 * x", "return x + More(os.Args[:0]) + x", 1) + more})
	_, cl, err := s.BuildLinkable(t.Context(), pkg, "candidate", gocmd.BuildOpts{Overlay: true})
	if err != nil {
		t.Fatal(err)
	}
	s.ordering.turn <- struct{}{} // as while the linker is built aside
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := NewOrder(short, bl, cl); err == nil || short.Err() != nil {
		t.Errorf("an order from a linker that is not built: %v, %v", err, short.Err())
	}
	<-s.ordering.turn
	if err := s.PrepareOrder(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := NewOrder(t.Context(), bl, cl)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.late)
	if err != nil {
		t.Fatal(err)
	}
	late := make(map[string]bool)
	for _, name := range strings.Split(string(data), "\n") {
		late[name] = true
	}
	if !late["example.com/m.More"] || len(late) > 20 {
		t.Errorf("what differs: %q", data)
	}
	var at [2]map[string]uint64
	for seed := range at {
		base, err := bl.Link(t.Context(), "base-o", uint64(seed), o)
		if err != nil {
			t.Fatal(err)
		}
		cand, err := cl.Link(t.Context(), "candidate-o", uint64(seed), o)
		if err != nil {
			t.Fatal(err)
		}
		ranBenchmark(t, s, cand)
		at[seed] = addresses(t, base.Path)
		for name, addr := range addresses(t, cand.Path) {
			if b, ok := at[seed][name]; !late[name] && (!ok || b != addr && b < at[seed]["go:textfipsstart"]) {
				t.Fatalf("seed %d: %s at %x, and %x in the base", seed, name, addr, b)
			}
		}
	}
	same := 0
	for name, addr := range at[0] {
		if at[1][name] == addr {
			same++
		}
	}
	if same > len(at[0])/20 {
		t.Errorf("%d of %d functions are at one place with both seeds", same, len(at[0]))
	}
}

// The linker of this toolchain is of the shape that patchLinker knows.
func TestPatchLinker(t *testing.T) {
	s, _ := module(t, nil)
	src, err := os.ReadFile(filepath.Join(s.g.Vars["GOROOT"], "src/cmd/link/internal/ld/data.go"))
	if err != nil {
		t.Skip(err)
	}
	out, err := patchLinker(src)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "\t\tpawlOrder(r.Int63(), textp, ldr.SymName)\n") {
		t.Error("the shuffle is still there")
	}
	if _, err := patchLinker([]byte("package ld\n")); err == nil {
		t.Error("no error without a shuffle")
	}
}
