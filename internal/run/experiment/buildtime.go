package experiment

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// buildPairs is how many pairs of builds say what a setting costs there, and
// buildShare the part of the budget after which no other pair is begun.
const (
	buildPairs = 3
	buildShare = 0.1
)

// A builder makes one build into a file.
type builder func(ctx context.Context, pkg, out string, o gocmd.BuildOpts) error

// buildTime builds a package by turns as it is and under a setting, each time with the
// packages of its module compiled anew: the cache has those of before, and all others.
// What counts is the CPU time of the go command and of what it starts.
func (s *session) buildTime(ctx context.Context, build builder, pkg gocmd.Package, set setting) (*model.BuildTime, error) {
	if pkg.Module == nil {
		return nil, nil
	}
	begun, times, ratios := s.opt.Now(), [2][]float64{}, []float64(nil)
	for n := range buildPairs {
		if n > 0 && s.opt.Now().Sub(begun) > time.Duration(buildShare*float64(s.opt.Budget)) {
			break
		}
		var spent [2]time.Duration
		for _, side := range []int{n % 2, 1 - n%2} {
			with := []setting{s.now, set}[side]
			s.opt.Watch.Stage("timing builds", pkg.ImportPath+" "+with.String())
			// The compiler makes nothing of -D, and the cache takes each value for another build.
			anew := fmt.Sprintf("-gcflags=%s/...=-D=%d", pkg.Module.Path, s.opt.Now().UnixNano())
			o := gocmd.BuildOpts{Env: with.env, Flags: append(slices.Clone(with.flags), anew), Spent: &spent[side]}
			if err := build(ctx, pkg.ImportPath, os.DevNull, o); err != nil {
				return nil, err
			}
			times[side] = append(times[side], float64(spent[side]))
		}
		if spent[0] > 0 {
			ratios = append(ratios, float64(spent[1])/float64(spent[0]))
		}
	}
	if len(ratios) == 0 {
		return nil, nil
	}
	return &model.BuildTime{
		Ratio: verdict.Median(ratios), Least: slices.Min(ratios), Most: slices.Max(ratios), Pairs: len(ratios),
		Before: verdict.Median(times[0]), After: verdict.Median(times[1]),
	}, nil
}
