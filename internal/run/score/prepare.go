package score

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/run/optimize"
	"github.com/pawl-dev/pawl/internal/tree"
)

// A checkout is the parent of a row as a repository of its own, in which the
// benchmark runs, and the fix as a patch for it.
type checkout struct {
	dir      string // the repository's root
	module   string // the directory of the module that the benchmark is in
	pattern  string // the benchmark's package, relative to the module
	packages []string
	patch    string // a file; "" where the fix changes no code of the module
	replaced []tree.Span
	fixTests []source // the fix's test files of its package, by name from the root
	notes    []string
	go_      *gocmd.Go
	sandbox  *gocmd.SandboxConfig // for its tests; nil for none
	env      []string
	scratch  string
	base     *optimize.BaseCheck // nil until the parent's tests were run
}

func (c *checkout) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// benchFile is the file that a benchmark of the fix is put into.
const benchFile = "pawl_score_test.go"

// prepare makes the checkout of a row below scratch.
func (s *session) prepare(ctx context.Context, row Row, scratch string) (*checkout, error) {
	src, err := s.open(ctx, row, scratch)
	if err != nil {
		return nil, err
	}
	c := &checkout{dir: filepath.Join(scratch, "parent")}
	missing, err := src.export(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	if missing != "" {
		c.note("the mirror does not hold all files of the parent: %s", missing)
	}
	if err := c.findModule(row); err != nil {
		return nil, err
	}
	files, err := src.changed(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.takeFix(ctx, src, files, scratch); err != nil {
		return nil, err
	}
	if err := s.goCommand(ctx, c, row, scratch); err != nil {
		return nil, err
	}
	if row.Bench != "" {
		if err := c.placeBenchmark(ctx, src, row, files); err != nil {
			return nil, err
		}
	}
	for _, p := range c.packages {
		if err := c.build(ctx, p, row); err != nil {
			return nil, err
		}
	}
	if row.Bench != "" {
		if err := c.takeWorkload(ctx, src, row, files); err != nil {
			return nil, err
		}
	}
	if err := c.tests(ctx, row, s.opt.Short); err != nil {
		return nil, err
	}
	return c, tree.NewRepository(ctx, c.dir, "the parent of "+row.ID)
}

// findModule finds the module that the benchmark's package is in, and names its
// packages by it.
func (c *checkout) findModule(row Row) error {
	at := filepath.Join(c.dir, filepath.FromSlash(row.BenchPackage))
	if fi, err := os.Stat(at); err != nil || !fi.IsDir() {
		return fmt.Errorf("the parent has no directory %s", row.BenchPackage)
	}
	c.module = c.dir
	for dir := at; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			c.module = dir
			break
		}
		if dir == c.dir {
			break
		}
	}
	for _, p := range []string{row.BenchPackage, row.Package} {
		rel, err := filepath.Rel(c.module, filepath.Join(c.dir, filepath.FromSlash(p)))
		if err != nil || strings.HasPrefix(rel, "..") {
			continue // the fix is in another module
		}
		pattern := "./" + filepath.ToSlash(rel)
		if rel == "." {
			pattern = "."
		}
		if c.pattern == "" {
			c.pattern = pattern
		}
		if !slices.Contains(c.packages, pattern) {
			c.packages = append(c.packages, pattern)
		}
	}
	return nil
}

// takeFix keeps the fix as a patch of the code of the checkout's module: its
// tests, its documents and what it changes elsewhere judge nothing.
func (c *checkout) takeFix(ctx context.Context, src origin, files []string, scratch string) error {
	rel, err := filepath.Rel(c.dir, c.module)
	if err != nil {
		return err
	}
	inModule := func(name string) bool { return rel == "." || strings.HasPrefix(name, filepath.ToSlash(rel)+"/") }
	var code []string
	for _, name := range files {
		switch {
		case tree.IsCode(name) && inModule(name):
			code = append(code, name)
		case strings.HasSuffix(name, "_test.go") && inModule(name):
			if data, ok := src.file(ctx, name); ok {
				c.fixTests = append(c.fixTests, source{name, data})
			}
		case path.Base(name) == "go.mod" && inModule(name):
			c.note("the fix changes %s too, which is left as it is", name)
		}
	}
	if len(code) == 0 {
		return nil
	}
	patch, err := src.diff(ctx, code, 3)
	if err != nil {
		return err
	}
	bare, err := src.diff(ctx, code, 0)
	if err != nil {
		return err
	}
	if c.replaced, err = tree.Replaced(bare); err != nil {
		return fmt.Errorf("reading the fix: %w", err)
	}
	c.patch = filepath.Join(scratch, "fix.patch")
	return os.WriteFile(c.patch, patch, 0o600)
}

// goCommand finds the go command of the module, which is given a go.mod where it
// has none.
func (s *session) goCommand(ctx context.Context, c *checkout, row Row, scratch string) error {
	synthesized := false
	mod := filepath.Join(c.module, "go.mod")
	if _, err := os.Stat(mod); err != nil {
		if row.Module == "" {
			return errors.New("the parent has no go.mod, and the row names no module_path to make one")
		}
		// The language of the time: without a go line it would be that of Go 1.16.
		if err := os.WriteFile(mod, []byte("module "+row.Module+"\n\ngo 1.21\n"), 0o600); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(c.module, "vendor")); err != nil {
			return err
		}
		synthesized = true
	}
	c.sandbox, c.env, c.scratch = s.opt.Sandbox, s.opt.Env, scratch
	meter, err := s.meter(ctx, scratch, c.module)
	if err != nil {
		return err
	}
	c.go_, err = gocmd.New(ctx, gocmd.Config{
		Dir: c.module, Env: s.opt.Env, GOWORK: "off", State: filepath.Join(scratch, "state"), Meter: meter,
	})
	if err != nil {
		return err
	}
	if synthesized {
		if _, err := c.go_.Run(ctx, gocmd.Build, "mod", "tidy", "-e"); err != nil {
			return fmt.Errorf("finding the modules that the parent needs: %w", err)
		}
		c.note("the parent has no go.mod: one was made for %s, with today's versions of what it imports", row.Module)
	}
	return nil
}

// placeBenchmark puts the fix's benchmark in place where the parent lacks it.
func (c *checkout) placeBenchmark(ctx context.Context, src origin, row Row, files []string) error {
	directory := path.Clean(row.BenchPackage)
	have, err := c.sources(directory)
	if err != nil {
		return err
	}
	declared := map[string]bool{}
	for _, names := range declares(have) {
		for n := range names {
			declared[n] = true
		}
	}
	tests := testsIn(ctx, src, files, directory)
	missing := slices.DeleteFunc(slices.Clone(row.Benchmarks), func(b string) bool { return declared[b] })
	if len(missing) == 0 {
		return nil
	}
	text, err := extract(tests, missing, have)
	if err != nil {
		return fmt.Errorf("%s is not in the parent's %s, and %w; it may have been renamed", strings.Join(missing, ", "), directory, err)
	}
	c.note("%s comes from the fix: the parent has no such benchmark", strings.Join(missing, ", "))
	for _, name := range files { // data that the benchmark may read
		if !strings.HasPrefix(name, directory+"/testdata/") && !(directory == "." && strings.HasPrefix(name, "testdata/")) {
			continue
		}
		if data, ok := src.file(ctx, name); ok {
			if err := c.write(name, data); err != nil {
				return err
			}
		}
	}
	return c.write(path.Join(directory, benchFile), text)
}

// testsIn reads the test files of a directory as the fix has them, of those that it
// changes.
func testsIn(ctx context.Context, src origin, files []string, directory string) []source {
	var tests []source
	for _, name := range files {
		if path.Dir(name) == directory && strings.HasSuffix(name, "_test.go") {
			if data, ok := src.file(ctx, name); ok {
				tests = append(tests, source{name, data})
			}
		}
	}
	return tests
}

func (c *checkout) write(name string, data []byte) error {
	at := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o600)
}

// sources reads the Go files of a directory of the checkout.
func (c *checkout) sources(directory string) ([]source, error) {
	dir := filepath.Join(c.dir, filepath.FromSlash(directory))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []source
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, source{path.Join(directory, e.Name()), data})
	}
	return all, nil
}
