package compare

import (
	"errors"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/store"
)

// A recorder writes what was measured into the folder of the run. Without one
// it writes nothing.
type recorder struct {
	run   *store.Run
	files []string
}

// samples appends the duets of a benchmark to one file a side, which benchstat
// and pawl compare read.
func (r *recorder) samples(bm model.Benchmark, pairs [][2]model.Sample, env model.Environment) error {
	if r.run == nil || len(pairs) == 0 {
		return nil
	}
	for i, arm := range []model.Arm{model.Base, model.Candidate} {
		out, err := r.run.Samples("all", arm, env)
		if err != nil {
			return err
		}
		for _, p := range pairs {
			sample := p[i]
			sample.Arm = arm
			err = errors.Join(err, out.Write(sample))
		}
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
		if file := out.Path(); len(r.files) <= i {
			r.files = append(r.files, filepath.Clean(file))
		}
	}
	return nil
}

// save writes the comparison as it is now.
func (r *recorder) save(c *model.Comparison) error {
	if r.run == nil {
		return nil
	}
	return r.run.SaveComparison(*c)
}
