package difftest

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// With -corpus, TestCorpus drives the changes of a directory. Each subdirectory is
// one change:
//
//	tree/     the tree of the repository with the change in it
//	before/   the files that it changed, as they were
//	changed   the names of those files, relative to the tree, one per line
//	tests     directories, relative to the tree, whose tests and benchmarks call them
var (
	corpusDir    = flag.String("corpus", "", "a directory of real changes to drive")
	corpusOnly   = flag.String("corpus.only", "", "a part of the names of those that are driven")
	corpusBudget = flag.Duration("corpus.budget", time.Minute, "the time for each of them")
)

func TestCorpus(t *testing.T) {
	t.Parallel()
	if *corpusDir == "" {
		t.Skip("no -corpus")
	}
	dirs, err := filepath.Glob(filepath.Join(*corpusDir, "*", "changed"))
	if err != nil {
		t.Fatal(err)
	}
	total, driven := 0, 0
	for _, d := range dirs {
		d = filepath.Dir(d)
		if strings.Contains(d, *corpusOnly) {
			n, ok := driveReal(t, d)
			total, driven = total+n, driven+ok
		}
	}
	t.Logf("%d of %d changed functions were driven", driven, total)
}

// driveReal drives one change and prints what came of it.
func driveReal(t *testing.T, dir string) (total, driven int) {
	start := time.Now()
	cfg, change := realChange(t, dir)
	p, err := NewPlan(context.Background(), cfg, change)
	if err != nil {
		t.Errorf("%s: %v", dir, err)
		return 0, 0
	}
	found, states, err := p.Run(context.Background())
	if err != nil {
		t.Errorf("%s: %v", dir, err)
		return 0, 0
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range found {
		total++
		if f.Skipped == "" {
			driven++
		}
		fmt.Fprintf(w, "%s\tinputs %d\tpairs %d\tcalls %d\tdiffs %d\tconcurrent %v\t%s\n", f.Func[strings.LastIndex(f.Func, "/")+1:],
			f.Inputs, f.Pairs, f.Calls, len(f.Differences), f.Concurrent, cmp.Or(f.Skipped, strings.Join(f.Uncompared, "; "), f.NoConcurrent))
		for _, d := range f.Differences {
			fmt.Fprintf(w, "\t\t\t\t%s\n", fmt.Sprintf("%+v", d))
		}
	}
	_ = w.Flush()
	t.Logf("%s in %.0f s, notes %q\n%sstates %+v", filepath.Base(dir), time.Since(start).Seconds(), p.Notes(), b.String(), states)
	return total, driven
}

// realChange reads one change of the corpus.
func realChange(t *testing.T, dir string) (Config, Change) {
	t.Helper()
	root := filepath.Join(dir, "tree")
	lines := func(name string) []string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(data))
	}
	change := Change{Before: map[string][]byte{}, After: map[string][]byte{}}
	var directories []string
	for _, name := range lines("changed") {
		change.Before[name], _ = os.ReadFile(filepath.Join(dir, "before", name))
		change.After[name], _ = os.ReadFile(filepath.Join(root, name))
		directories = append(directories, path.Dir(name))
	}
	module := filepath.Join(root, directories[0])
	for module != root {
		if _, err := os.Stat(filepath.Join(module, "go.mod")); err == nil {
			break
		}
		module = filepath.Dir(module)
	}
	g, err := gocmd.New(context.Background(), gocmd.Config{
		Dir: module, Env: os.Environ(), GOWORK: "off", State: filepath.Join(t.TempDir(), "state"), Meter: gocmd.NewMeter(time.Now()),
	})
	if err != nil {
		t.Fatal(err)
	}
	list := func(directories []string) []gocmd.Package {
		var args []string
		for _, f := range directories {
			rel, err := filepath.Rel(module, filepath.Join(root, f))
			if err == nil && filepath.IsLocal(rel) && !slices.Contains(args, "./"+rel) {
				args = append(args, "./"+rel)
			}
		}
		pkgs, err := g.List(context.Background(), args...)
		if err != nil {
			t.Fatal(err)
		}
		return pkgs
	}
	return Config{
		Go: g, Root: root, Changed: list(directories), Tests: list(append(directories, lines("tests")...)),
		Scratch: filepath.Join(t.TempDir(), "scratch"), Budget: *corpusBudget,
	}, change
}
