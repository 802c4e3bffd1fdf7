package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Suite builds and runs the benchmarks of one module. Its methods may be
// called from several goroutines, though two that measure at the same time
// disturb each other.
type Suite struct {
	g        *gocmd.Go
	dir      string // scratch directory
	clock    model.Clock
	warnings []model.Warning
	ordering struct { // of orderingLinker
		turn chan struct{} // full while somebody asks
		path string
		err  error
	}
}

func newSuite(g *gocmd.Go, dir string, clock model.Clock) *Suite {
	s := &Suite{g: g, dir: dir, clock: clock}
	s.ordering.turn = make(chan struct{}, 1)
	return s
}

// Prepare finds the testing package of the toolchain that g's module selects,
// patches a copy of its benchmark.go, and makes g use it for builds with
// BuildOpts.Overlay. dir is a scratch directory outside the tree for that copy
// and for the binaries.
//
// Where the file has an unknown shape, or the patched package does not
// compile, or the system has no such clock, the Suite works with rusage
// instead: Clock says so, and a warning says why. An error means that not even
// that is possible.
func Prepare(ctx context.Context, g *gocmd.Go, dir string) (*Suite, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the scratch directory %q is not absolute", dir)
	}
	for _, sub := range []string{"overlay", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("making a scratch directory for benchmarks: %w", err)
		}
	}
	s := newSuite(g, dir, model.ClockProcess)
	if err := s.overlay(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := g.UseOverlay(filepath.Join(dir, "overlay", "none.json"), nil); err != nil {
			return nil, err
		}
		s.clock = model.ClockRusage
		s.warnings = append(s.warnings, rusageWarning(err))
	}
	return s, nil
}

func rusageWarning(err error) model.Warning {
	return model.Warning{
		Seen:  "CPU time is that of whole processes less their start and set-up: " + err.Error(),
		Cause: "the clock could not be put into the testing package of this toolchain",
		Try:   "use a released Go toolchain on Linux; until then intervals are wider, and allocations whole numbers per op",
	}
}

// overlay writes the patched package, hands it to the go command, and builds
// the testing package once to see that it compiles.
func (s *Suite) overlay(ctx context.Context) error {
	if goos := s.g.Vars["GOOS"]; goos != "linux" {
		return fmt.Errorf("the process CPU clock is read on linux only, and this is %s", goos)
	}
	e, err := s.g.Run(ctx, gocmd.Build, "list", "-f", "{{.Dir}}", "testing")
	if err != nil {
		return fmt.Errorf("finding the testing package: %w", err)
	}
	dir := strings.TrimSpace(string(e.Stdout))
	target := filepath.Join(dir, "benchmark.go")
	src, err := os.ReadFile(target)
	if err != nil {
		return fmt.Errorf("reading the testing package: %w", err)
	}
	patched, err := patch(src)
	if err != nil {
		return fmt.Errorf("testing/benchmark.go of %s has an unknown shape: %w", s.g.Version, err)
	}
	replace := map[string]string{
		target:                       filepath.Join(s.dir, "overlay", "benchmark.go"),
		filepath.Join(dir, hookName): filepath.Join(s.dir, "overlay", hookName),
	}
	for name, data := range map[string][]byte{replace[target]: patched, filepath.Join(s.dir, "overlay", hookName): hookSource} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("writing the patched testing package: %w", err)
		}
	}
	if err := s.g.UseOverlay(filepath.Join(s.dir, "overlay", "overlay.json"), replace); err != nil {
		return err
	}
	if _, err := s.g.Run(ctx, gocmd.Build, "build", "-overlay="+s.g.Overlay(), "testing"); err != nil {
		return fmt.Errorf("the patched testing package of %s does not compile: %w", s.g.Version, firstLines(err))
	}
	return nil
}

// firstLines shortens the output of a failed go command, which ends up in a
// warning.
func firstLines(err error) error {
	var e *gocmd.Error
	if !errors.As(err, &e) {
		return err
	}
	lines := strings.SplitN(strings.TrimSpace(e.Output), "\n", 4)
	return errors.New(strings.Join(lines[:min(3, len(lines))], "; "))
}

// Clock says which clock the CPU time of samples is read from.
func (s *Suite) Clock() model.Clock { return s.clock }

// Warnings returns what Prepare saw.
func (s *Suite) Warnings() []model.Warning { return s.warnings }
