package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

const toyTest = `package toy

import "testing"

func BenchmarkToy(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Toy(i)
	}
}
`

const toySource = `package toy

func Toy(n int) int { return other(n) * 3 }

func other(n int) int { return n + 1 }
`

// toy is a module as prepare leaves it, without the download.
func toy(t *testing.T) (*settings, module) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	s := &settings{work: t.TempDir(), gotool: "go", stderr: os.Stderr}
	m := module{subject{name: "toy", module: "example.com/toy", pkg: ".", fn: "BenchmarkToy", bench: "BenchmarkToy"}, filepath.Join(s.work, "modules", "toy")}
	for name, src := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": toySource, "toy_test.go": toyTest} {
		if err := writeFile(filepath.Join(m.dir, name), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.instrument(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main", "."}, {"add", "-A", "."}, {"commit", "-q", "-m", "base"}, {"tag", "base"}} {
		if _, err := git(t.Context(), m.dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	return s, m
}

// Two arms of one source are the same program but for the six digits.
func TestArmsOfOneSourceAreOneProgram(t *testing.T) {
	s, m := toy(t)
	if err := s.tryBenchmark(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(s.work, "a.test")
	if err := s.testBinary(t.Context(), m, bin); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(s.work, "b.test")
	if err := stepBinary(other, bin, 987654); err != nil {
		t.Fatal(err)
	}
	a, b := read(t, bin), read(t, other)
	if len(a) != len(b) {
		t.Fatalf("%d and %d bytes", len(a), len(b))
	}
	differ := 0
	for i := range a {
		if a[i] != b[i] {
			differ++
		}
	}
	if differ != 6 {
		t.Errorf("%d bytes differ", differ)
	}
	if _, err := start(context.Background(), s.work, nil, nil, other, "-test.run=^$", "-test.bench=.", "-test.benchtime=2x"); err != nil {
		t.Error(err)
	}
}

// A variant holds the function that is never called: the linker left it in,
// and the code is another.
func TestVariantIsAnotherLayout(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF files")
	}
	s, m := toy(t)
	tag, err := s.variant(t.Context(), m, 42, 17)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.variant(t.Context(), m, 42, 17); err != nil || again != tag {
		t.Errorf("made again: %q, %v; want %q", again, err, tag)
	}
	base, cand, err := s.binaries(t.Context(), m, tag)
	if err != nil {
		t.Fatal(err)
	}
	if text(t, base) == text(t, cand) {
		t.Error("the code is the same")
	}
	if !symbol(t, cand, "example.com/toy.pawlNever") || symbol(t, base, "example.com/toy.pawlNever") {
		t.Error("the function that is never called is to be in the candidate, and there alone")
	}
	if !bytes.Contains(read(t, cand), []byte(mark+"000017")) {
		t.Error("the candidate makes no 17 steps")
	}
	if out, err := git(t.Context(), m.dir, "status", "--porcelain"); err != nil || out != "" {
		t.Errorf("the tree is left as %q, %v", out, err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func text(t *testing.T, name string) [32]byte {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := f.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(data)
}

func symbol(t *testing.T, file, name string) bool {
	t.Helper()
	f, err := elf.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range syms {
		if s.Name == name {
			return true
		}
	}
	return false
}
