package store

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	type line struct {
		N int
		X float64
	}
	path := filepath.Join(t.TempDir(), "new", "x.jsonl")
	if all, err := ReadLines[line](path); err != nil || len(all) > 0 {
		t.Errorf("%v, %v", all, err)
	}
	add := func(l line) {
		t.Helper()
		if err := AppendLine(t.Context(), path, &l); err != nil {
			t.Fatal(err)
		}
	}
	add(line{1, math.Inf(1)})
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"N": 2, "X`); err != nil { // a kill
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	add(line{3, 0.5})
	all, err := ReadLines[line](path)
	if d := cmp.Diff([]line{{1, math.MaxFloat64}, {3, 0.5}}, all); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}
