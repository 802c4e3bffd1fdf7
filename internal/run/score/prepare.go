package score

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
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
	other    string // that of the module that the fix is in, where that is another; "" otherwise
	pattern  string // the benchmark's package, relative to the module
	packages []string
	bench    naming // what judges: what the row names, as far as it compiles
	made     string // the module path of a go.mod that was made; "" where the parent has one
	patch    string // a file; "" where the fix changes no code of the module
	replaced []tree.Span
	fixTests []source // the fix's test files, by name from the root; without text, what it deletes
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
	c.bench = row.named
	if c.bench.words != "" {
		c.note("the benchmark cell has words beside %s: %s", strings.Join(c.bench.names, ", "), c.bench.words)
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
		if err := c.build(ctx, p); err != nil {
			return nil, err
		}
	}
	if err := c.fit(ctx, src, files); err != nil {
		return nil, err
	}
	if row.Bench != "" {
		if err := c.standIn(row); err != nil {
			return nil, err
		}
		if err := c.takeWorkload(ctx, src, row, files); err != nil {
			return nil, err
		}
	}
	if err := c.tests(ctx, s.opt.Short); err != nil {
		return nil, err
	}
	return c, tree.NewRepository(ctx, c.dir, "the parent of "+row.ID)
}

// findModule finds the modules that the benchmark's package and the fix's are in,
// and names the packages by the first.
func (c *checkout) findModule(row Row) error {
	at := filepath.Join(c.dir, filepath.FromSlash(row.BenchPackage))
	if fi, err := os.Stat(at); err != nil || !fi.IsDir() {
		return fmt.Errorf("the parent has no directory %s", row.BenchPackage)
	}
	c.module = c.moduleOf(at)
	fix := filepath.Join(c.dir, filepath.FromSlash(row.Package))
	if other := c.moduleOf(fix); other != c.module {
		c.other = other
	}
	for _, dir := range []string{at, fix} {
		rel, err := filepath.Rel(c.module, dir)
		if err != nil {
			return err
		}
		pattern := patternOf(rel)
		c.pattern = cmp.Or(c.pattern, pattern)
		if _, err := os.Stat(dir); err == nil && !slices.Contains(c.packages, pattern) { // the fix may have made the package
			c.packages = append(c.packages, pattern)
		}
	}
	return nil
}

// patternOf returns the pattern for a package, by its path from the module.
func patternOf(rel string) string {
	if rel == "." || strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return "./" + filepath.ToSlash(rel)
}

// moduleOf returns the directory of the module that a directory of the checkout is
// in: the root where there is no go.mod.
func (c *checkout) moduleOf(dir string) string {
	for ; dir != c.dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	return c.dir
}

// takes reports whether a file, by name from the root, is in one of the modules.
func (c *checkout) takes(name string) bool {
	at := c.moduleOf(filepath.Dir(filepath.Join(c.dir, filepath.FromSlash(name))))
	return at == c.module || at == c.other
}

// takeFix keeps the fix as a patch of the code of the checkout's modules: its
// tests, its documents and what it changes elsewhere judge nothing.
func (c *checkout) takeFix(ctx context.Context, src origin, files []string, scratch string) error {
	var code, gone []string
	deleted, err := src.deleted(ctx)
	if err != nil {
		return err
	}
	for _, name := range slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !c.takes(name) }) {
		switch lost := slices.Contains(deleted, name); {
		case tree.IsCode(name) && lost:
			gone = append(gone, name)
		case tree.IsCode(name):
			code = append(code, name)
		case strings.HasSuffix(name, "_test.go") && lost:
			c.fixTests = append(c.fixTests, source{name: name})
		case strings.HasSuffix(name, "_test.go"):
			if data, ok := src.file(ctx, name); ok {
				c.fixTests = append(c.fixTests, source{name, data})
			}
		case path.Base(name) == "go.mod":
			c.note("the fix changes %s too, which is left as it is", name)
		}
	}
	if len(code)+len(gone) == 0 {
		return nil
	}
	var patch, bare []byte
	if len(code) > 0 { // no file at all would mean all of them
		if patch, err = src.diff(ctx, code, 3); err != nil {
			return err
		}
		if bare, err = src.diff(ctx, code, 0); err != nil {
			return err
		}
	}
	if c.replaced, err = tree.Replaced(bare); err != nil {
		return fmt.Errorf("reading the fix: %w", err)
	}
	for _, name := range gone {
		diff, span, err := c.emptied(name)
		if err != nil {
			return err
		}
		patch, c.replaced = append(patch, diff...), append(c.replaced, span)
	}
	c.patch = filepath.Join(scratch, "fix.patch")
	return os.WriteFile(c.patch, patch, 0o600)
}

// emptied is the patch for a file that the fix deletes: a change can only edit
// files and add them, so it keeps what stands up to its package clause.
func (c *checkout) emptied(name string) (diff string, gone tree.Span, err error) {
	data, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		return "", gone, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, parser.PackageClauseOnly)
	if err != nil {
		return "", gone, fmt.Errorf("reading a file that the fix deletes: %w", err)
	}
	left := append(slices.Clone(data[:fset.PositionFor(file.Name.End(), false).Offset]), '\n')
	first := bytes.Count(left, []byte("\n")) + 1
	return tree.FileDiff(name, data, left), tree.Span{File: name, From: first, To: max(first, bytes.Count(data, []byte("\n")))}, nil
}

// goCommand finds the go command of the module, which is given a go.mod where it
// has none.
func (s *session) goCommand(ctx context.Context, c *checkout, row Row, scratch string) error {
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
		c.made = row.Module
	}
	c.sandbox, c.env, c.scratch = s.opt.Sandbox, s.opt.Env, scratch
	if err := c.workspace(); err != nil {
		return err
	}
	meter, err := s.meter(ctx, scratch, c.module)
	if err != nil {
		return err
	}
	c.go_, err = gocmd.New(ctx, gocmd.Config{
		Dir: c.module, Env: c.env, GOWORK: c.gowork(c.dir), State: filepath.Join(scratch, "state"), Meter: meter,
	})
	if err != nil {
		return err
	}
	if c.made != "" {
		if _, err := c.require(ctx); err != nil {
			return fmt.Errorf("finding the modules that the parent needs: %w", err)
		}
		c.note("the parent has no go.mod: one was made for %s, with today's versions of what it imports", c.made)
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
	tests := testsIn(ctx, src, files, directory)
	missing, err := c.missing(have, tests, directory)
	if err != nil || len(missing) == 0 {
		return err
	}
	text, err := extract(tests, missing, have)
	if err != nil {
		return err
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

// missing returns the functions of benchmarks that the parent lacks and the fix
// has. What neither has is left out, as long as there is another.
func (c *checkout) missing(have, tests []source, directory string) (funcs []string, err error) {
	var lost []string
	for _, b := range c.bench.functions() {
		switch {
		case function(have, b) != "":
		case function(tests, b) != "":
			funcs = append(funcs, b)
		default:
			lost = append(lost, b)
		}
	}
	for _, b := range lost {
		c.note("%s is neither in the parent's %s nor in what the fix changes there: it may have been renamed", b, directory)
	}
	c.bench.names = slices.DeleteFunc(slices.Clone(c.bench.names), func(b string) bool { return slices.Contains(lost, functionOf(b)) })
	if len(c.bench.names) == 0 {
		return nil, fmt.Errorf("%s is not in the parent's %s, and no test file of the fix declares it; it may have been renamed", strings.Join(lost, ", "), directory)
	}
	return funcs, nil
}

// standIn has the other benchmarks of the package judge where none of those that
// the row names compiles on the parent: they ask for what only the fix has.
func (c *checkout) standIn(row Row) error {
	if len(c.bench.names) > 0 {
		return nil
	}
	have, err := c.sources(path.Clean(row.BenchPackage))
	if err != nil {
		return err
	}
	for _, names := range declares(testFiles(have)) {
		c.bench.names = append(c.bench.names, slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(n string) bool { return benchName.FindString(n) != n })...)
	}
	lost := strings.Join(row.named.names, ", ")
	if len(c.bench.names) == 0 {
		return fmt.Errorf("%s does not compile on the parent, which has no other benchmark there", lost)
	}
	c.note("%s does not compile on the parent: its own benchmarks judge instead: %s", lost, strings.Join(c.bench.names, ", "))
	return nil
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
