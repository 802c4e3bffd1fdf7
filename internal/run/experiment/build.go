package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// A built is the test binary of a package as it is now, and one of each setting of
// the build.
type built struct {
	base       variant
	variants   []variant
	benchmarks []model.Benchmark
	suite      *bench.Suite
}

// A variant is one build.
type variant struct {
	set    setting
	bin    *bench.Binary
	linker *bench.Linker
	size   float64
	build  *model.BuildTime
}

func (s *session) build(ctx context.Context, pkg gocmd.Package) (*built, error) {
	b := &built{suite: s.tree.Suite}
	var err error
	if b.base, err = s.compile(ctx, pkg, "base", s.now); err != nil {
		return nil, err
	}
	sets, not := s.present(s.tree.Go.Vars["GOAMD64"]).build(s.opt.Try)
	s.leave(not)
	for i, set := range sets {
		v, err := s.compile(ctx, pkg, fmt.Sprintf("set%d", i), set)
		var ge *gocmd.Error
		if errors.As(err, &ge) {
			s.leave([]string{set.String() + ": " + err.Error()})
			continue
		}
		if err != nil {
			b.close()
			return nil, err
		}
		if v.build, err = s.buildTime(ctx, s.tree.Go.BuildTest, pkg, set); err != nil {
			b.close()
			return nil, err
		}
		b.variants = append(b.variants, v)
	}
	s.opt.Watch.Stage("listing benchmarks", pkg.ImportPath)
	found, failed, err := s.tree.Suite.Benchmarks(ctx, b.base.bin, s.pattern(), s.opt.Timeout)
	if err != nil {
		b.close()
		return nil, err
	}
	for _, f := range failed {
		s.out.Subjects = append(s.out.Subjects, model.TuningSubject{Benchmark: &f.Benchmark, Choice: -1, Trials: []model.Tried{}, Failed: f.Error()})
	}
	b.benchmarks = found
	return b, nil
}

// leave warns once of each setting that is left out.
func (s *session) leave(not []string) {
	for _, text := range not {
		w := model.Warning{Seen: notTried + text}
		if !slices.Contains(s.out.Warnings, w) {
			s.out.Warnings = append(s.out.Warnings, w)
		}
	}
}

// compile makes one build.
func (s *session) compile(ctx context.Context, pkg gocmd.Package, name string, set setting) (variant, error) {
	s.opt.Watch.Stage("building", strings.TrimSpace(pkg.ImportPath+" "+set.String()))
	v := variant{set: set}
	var err error
	v.bin, v.linker, err = s.tree.Suite.BuildLinkable(ctx, pkg, name, gocmd.BuildOpts{Overlay: true, Env: set.env, Flags: set.flags})
	if err != nil {
		return v, err
	}
	if fi, err := os.Stat(v.bin.Path); err == nil {
		v.size = float64(fi.Size())
	}
	return v, nil
}

func (b *built) close() {
	for _, v := range append(b.variants, b.base) {
		if v.linker != nil {
			_ = v.linker.Close() // in the scratch directory, which goes as a whole
		}
	}
}

func (s *session) pattern() string {
	return cmp.Or(s.opt.Bench, ".")
}
