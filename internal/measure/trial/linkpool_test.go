package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
)

// A linker makes files, each once.
type linker struct {
	dir   string
	links int
}

func (l *linker) Pair(_ context.Context, seed uint64) (base, cand *bench.Binary, err error) {
	l.links++
	pair := [2]*bench.Binary{{Path: filepath.Join(l.dir, fmt.Sprintf("b%d", seed))}, {Path: filepath.Join(l.dir, fmt.Sprintf("c%d", seed))}}
	for _, b := range pair {
		f, err := os.OpenFile(b.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, err
		}
		if err := f.Close(); err != nil {
			return nil, nil, err
		}
	}
	return pair[0], pair[1], nil
}

func (*linker) Default(context.Context) (base, cand *bench.Binary, err error) { return nil, nil, nil }

// Two benchmarks have the first pairs in common, and no question has a pair twice.
func TestLinkPool(t *testing.T) {
	l := &linker{dir: t.TempDir()}
	p := NewLinkPool(l, 2)
	p.Ahead(t.Context(), 100)
	p.Ahead(t.Context(), 200)
	for question := range uint64(2) {
		links := p.Draw(0)
		for i := range uint64(3) {
			base, cand, err := links.Pair(t.Context(), 10*question+i)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []*bench.Binary{base, cand} {
				if err := os.Remove(b.Path); err != nil { // as its owner does
					t.Error(err)
				}
			}
		}
	}
	if _, _, err := p.Draw(2).Pair(t.Context(), 30); err != nil {
		t.Fatal(err)
	}
	if l.links != 2+2+1 {
		t.Errorf("%d pairs were linked for 2 questions of 3 pairs and one that goes on", l.links)
	}
	p.Close()
	left, err := os.ReadDir(l.dir)
	if err != nil || len(left) != 2 {
		t.Errorf("%v is left, and not only what was drawn last; %v", left, err)
	}
}
