package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/model"
)

// A recorder writes what was measured: into the directory of the run, or where
// there is no module and so no run, into a directory that the user named. Without
// either it writes nothing.
type recorder struct {
	run     *store.Run
	dir     string
	name    string // of the comparison, in the files there
	scratch string // where profiles go without a run: they are read, and not kept
	files   []string
}

func (r *recorder) profile(bm model.Benchmark, arm model.Arm, kind string) (string, error) {
	name := fmt.Sprintf("%s.%s.pprof", arm, kind)
	if r.run == nil {
		return filepath.Join(r.scratch, name), nil
	}
	return r.run.Profile(store.SetName(bm) + "." + name)
}

// samples appends the duets of a benchmark to one file a side, which benchstat
// and pawl compare read.
func (r *recorder) samples(pairs [][2]model.Sample, env model.Environment) error {
	return r.append("", pairs, env)
}

// metrics appends the pairs that metrics of a benchmark were judged by to files of
// their own: they are of another clock.
func (r *recorder) metrics(pairs [][2]model.Sample, env model.Environment) error {
	return r.append("metrics", pairs, env)
}

// cpu appends the pairs that the CPU time of a benchmark that waits was judged by.
func (r *recorder) cpu(pairs [][2]model.Sample, env model.Environment) error {
	return r.append("cpu", pairs, env)
}

func (r *recorder) append(set string, pairs [][2]model.Sample, env model.Environment) error {
	if r.run == nil && r.dir == "" || len(pairs) == 0 {
		return nil
	}
	return store.AppendPairs(pairs, func(arm model.Arm) (*store.Samples, error) { return r.open(set, arm, env) })
}

// open opens one side's file for appending; the first time in a directory of the
// user's it begins anew.
func (r *recorder) open(set string, arm model.Arm, env model.Environment) (*store.Samples, error) {
	if r.run != nil {
		out, err := r.run.Samples(cmp.Or(set, "all"), arm, env)
		if err == nil {
			r.wrote(out.Path())
		}
		return out, err
	}
	file := filepath.Join(r.dir, strings.TrimPrefix(set+"."+string(arm)+".txt", "."))
	if !slices.Contains(r.files, file) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keeping the samples: %w", err)
		}
	}
	out, err := store.OpenSamples(file, env, r.name, arm)
	if err != nil {
		return nil, fmt.Errorf("keeping the samples: %w", err)
	}
	r.wrote(file)
	return out, nil
}

func (r *recorder) wrote(file string) {
	if !slices.Contains(r.files, file) {
		r.files = append(r.files, file)
	}
}

func (r *recorder) save(c *model.Comparison) error {
	if r.run == nil {
		return nil
	}
	return r.run.SaveComparison(*c)
}
