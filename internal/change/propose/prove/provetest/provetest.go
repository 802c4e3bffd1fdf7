package provetest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
)

// Extract writes an archive's files but for the golden ones.
func Extract(t *testing.T, ar *txtar.Archive) string {
	dir := t.TempDir()
	Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
	for _, f := range ar.Files {
		if filepath.Base(f.Name) != "want" {
			Write(t, dir, f.Name, f.Data)
		}
	}
	return dir
}

func Write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func Load(t *testing.T, dir string) *prove.Program {
	t.Helper()
	p, err := prove.Load(context.Background(), prove.Config{Dir: dir, Root: dir, Env: Environ(), Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Environ is the environment of go commands in tests: with -trimpath, the build cache knows what was compiled in another directory.
func Environ() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath", "GOPROXY=off")
}

// Targets finds the marked lines of each package.
func Targets(ar *txtar.Archive) map[string]model.Target {
	all := map[string]model.Target{}
	for _, f := range ar.Files {
		dir := filepath.Dir(f.Name)
		if filepath.Base(f.Name) == "want" {
			continue
		}
		for i, line := range strings.Split(string(f.Data), "\n") {
			at := model.Frame{File: f.Name, Line: i + 1, Module: !strings.HasSuffix(f.Name, "_test.go")}
			t := all[dir]
			switch {
			case strings.HasSuffix(line, "// target"), strings.HasSuffix(line, "// hot"):
				t.At, t.PerOp, t.Resource = at.Pos(), 1, model.Allocs
				if strings.HasSuffix(line, "// hot") {
					t.Resource = model.CPU
				}
				t.Benchmark.Name = "BenchmarkOp"
				t.Stack = append([]model.Frame{at}, t.Stack...)
			case strings.HasSuffix(line, "// frame"):
				t.Stack = append(t.Stack, at)
			default:
				continue
			}
			all[dir] = t
		}
	}
	return all
}

func Command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, Environ()
	return cmd
}
