package observe

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Config says where packages are built, and how what is built is run.
type Config struct {
	Dir     string        // a directory of the module, in which patterns are read
	From    string        // where programs and commands run
	Env     []string      // the caller's environment
	Scratch string        // an empty directory for binaries and profiles, the caller's to remove
	For     time.Duration // how long is observed
	Stdin   *os.File      // of programs and commands; nil is nothing
	Output  io.Writer     // gets what they print
	Say     func(string)  // is told what is being done
}

// A Site builds packages in the user's own directory and runs what it has built.
type Site struct {
	c Config
	g *gocmd.Go
	n int // directories made so far
}

// A Result is what a run has left.
type Result struct {
	model.Observed
	Profiles []string // files, of different kinds
	More     []string // files besides: the heap in the middle of the run
	Trace    string   // a file; "" for none
}

// A PackageError is a package that cannot be loaded.
type PackageError struct{ msg string }

func (p *PackageError) Error() string { return p.msg }

// Open asks the go command of the module. Errors are those of gocmd.New.
func Open(ctx context.Context, c Config) (*Site, error) {
	work, err := gocmd.Query(ctx, c.Dir, c.Env, "GOWORK")
	if err != nil {
		return nil, err
	}
	work = cmp.Or(work, "off")
	g, err := gocmd.New(ctx, gocmd.Config{Dir: c.Dir, Env: c.Env, GOWORK: work, State: filepath.Join(c.Scratch, "go"), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		return nil, err
	}
	return &Site{c: c, g: g}, nil
}

// Packages lists what patterns match. The error is a *PackageError where a
// pattern matches nothing, or something that does not load.
func (s *Site) Packages(ctx context.Context, patterns ...string) ([]gocmd.Package, error) {
	pkgs, err := s.g.List(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		if p.Error != nil && len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return nil, &PackageError{strings.TrimSpace(p.Error.Err)}
		}
	}
	if len(pkgs) == 0 {
		return nil, &PackageError{strings.Join(patterns, " ") + " matches no package"}
	}
	return pkgs, nil
}

func (s *Site) directory() (string, error) {
	s.n++
	dir := filepath.Join(s.c.Scratch, fmt.Sprintf("run%d", s.n))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a directory for profiles: %w", err)
	}
	return dir, nil
}

func (c Config) say(format string, args ...any) {
	if c.Say != nil {
		c.Say(fmt.Sprintf(format, args...))
	}
}

// environment returns the caller's, with the directory it is in and more.
func (c Config) environment(more ...string) []string {
	env := slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool { return strings.HasPrefix(kv, "PWD=") })
	return append(append(env, "PWD="+c.From), more...)
}
