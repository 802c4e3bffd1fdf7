package record

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/tree"
)

// Load reads the records of the module that dir is in, all of them or those
// that are named, and returns the directory of the module. A name that is not there
// and a file with a mistake are mistakes of usage.
func Load(ctx context.Context, dir string, names []string) (module string, rep *hotpath.Report, records []hotpath.Record, err error) {
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return "", nil, nil, fmt.Errorf("%w: %w", testbed.ErrNothing, err)
	}
	all, warnings, err := hotpath.Load(filepath.Join(place.Module, filepath.FromSlash(hotpath.Dir)))
	var bad *hotpath.FileError
	if errors.As(err, &bad) {
		return "", nil, nil, testbed.Usage(err.Error())
	}
	if err != nil {
		return "", nil, nil, err
	}
	records, err = pick(all, names)
	return place.Module, &hotpath.Report{Schema: hotpath.ReportSchema, Records: []hotpath.Checked{}, Warnings: warnings}, records, err
}

// pick returns the records of these names; all of them for none.
func pick(all []hotpath.Record, names []string) ([]hotpath.Record, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []hotpath.Record
	for _, name := range names {
		i := slices.IndexFunc(all, func(r hotpath.Record) bool { return r.Name == name })
		if i < 0 {
			var have []string
			for _, r := range all {
				have = append(have, r.Name)
			}
			hint := "there are none yet"
			if len(have) > 0 {
				hint = "there are " + strings.Join(have, ", ")
			}
			return nil, testbed.Usage(fmt.Sprintf("there is no record %q; %s", name, hint))
		}
		if !slices.ContainsFunc(out, func(r hotpath.Record) bool { return r.Name == name }) {
			out = append(out, all[i])
		}
	}
	return out, nil
}

// Check checks the records of a module, all of them or those that are named. A
// report comes also with the error of a ctx that ended.
func Check(ctx context.Context, set Settings, names []string) (*hotpath.Report, error) {
	_, rep, records, err := Load(ctx, set.Dir, names)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return rep, nil
	}
	s, err := open(ctx, set)
	if err != nil {
		return nil, err
	}
	defer s.close()
	warnings := rep.Warnings
	rep, err = hotpath.Check(ctx, hotpath.CheckOptions{
		Records: records, Dir: s.tree.Snap.ModuleDir, Env: s.tree.Go.Env(), Meter: s.bed.Meter, Measure: s, Stage: s.set.Watch.Stage,
	})
	rep.Tool = set.Tool
	rep.Warnings = slices.Concat(warnings, s.run.Warnings, rep.Warnings)
	return rep, errors.Join(err, s.end(rep.Stopped))
}

// Measure implements hotpath.Measurer on the copy of the user's tree. A package
// or a benchmark that is gone is no error: it gives no figures. One that does
// not build is.
func (s *session) Measure(ctx context.Context, r hotpath.Record) ([]hotpath.Now, error) {
	found, err := s.tree.Benchmarked(ctx, []string{r.Pkg}, "")
	if errors.Is(err, testbed.ErrNothing) || err == nil && len(found.Packages) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	pkg, ok := found.Packages[r.Pkg]
	if !ok {
		return nil, nil
	}
	list, failed, err := s.list(ctx, pkg, r.Bench)
	if err != nil {
		return nil, err
	}
	var out []hotpath.Now
	for _, f := range failed {
		out = append(out, failure(f))
	}
	for _, bm := range list {
		b, err := s.binary(ctx, pkg, false)
		if err != nil {
			return out, err
		}
		n := hotpath.Now{Benchmark: bm.Name}
		if slices.ContainsFunc(r.Better, func(d hotpath.Direction) bool { return !hotpath.IsTime(d.Metric) }) {
			t, plan, err := s.counts(ctx, b, bm)
			if err == nil && r.Wants(hotpath.Retained) {
				err = s.retained(ctx, b, plan, &t)
			}
			var f *bench.Failure
			if errors.As(err, &f) {
				out = append(out, failure(*f))
				continue
			}
			if err != nil {
				return out, err
			}
			n.Counts = t.counts
			s.run.Plans = append(s.run.Plans, plan)
		}
		out = append(out, n)
	}
	return out, nil
}

func failure(f bench.Failure) hotpath.Now {
	return hotpath.Now{Benchmark: f.Benchmark.Name, Failed: "gives no figures: it " + f.Why}
}
