package score

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// workloadFile is where benchmarks are put that the fix changes.
const workloadFile = "pawl_workload_test.go"

// takeWorkload has benchmarks judge that are there on the parent and that the
// fix changes as the fix has them: what upstream claims is claimed for these.
// Both sides run the same code. Where they do not compile on the parent, its own
// stay.
func (c *checkout) takeWorkload(ctx context.Context, src origin, row Row, files []string) error {
	directory := path.Clean(row.BenchPackage)
	have, err := c.sources(directory)
	if err != nil {
		return err
	}
	tests := testsIn(ctx, src, files, directory)
	c.noteData(have, tests)
	changed := slices.DeleteFunc(slices.Clone(c.bench.functions()), func(b string) bool {
		old, now := function(have, b), function(tests, b)
		return old == "" || now == "" || slices.Equal(strings.Fields(old), strings.Fields(now))
	})
	if len(changed) == 0 {
		return nil
	}
	names := strings.Join(changed, ", ")
	err = c.replaceBenchmarks(ctx, directory, have, tests, changed)
	var failed *gocmd.Error
	switch {
	case err == nil:
		c.note("the fix changes the workload: it has another %s, which judges both sides", names)
		return nil
	case !errors.As(err, &failed):
		return err
	}
	c.note("the fix changes the workload: it has another %s, which does not compile on the parent; the parent's judges both sides", names)
	if err := os.Remove(filepath.Join(c.dir, filepath.FromSlash(path.Join(directory, workloadFile)))); err != nil {
		return err
	}
	for _, f := range have {
		if err := c.write(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

// noteData says which benchmarks the fix leaves as they are while it changes what
// they use of the test files, such as a table of sub-benchmarks: that stays as the
// parent has it, since other tests use it as well.
func (c *checkout) noteData(have, tests []source) {
	now := slices.DeleteFunc(slices.Clone(have), func(f source) bool {
		return slices.ContainsFunc(tests, func(t source) bool { return t.name == f.name })
	})
	now = append(now, tests...)
	for _, b := range c.bench.functions() {
		if f := function(now, b); f == "" || f != function(have, b) {
			continue
		}
		before, err := extract(testFiles(have), []string{b}, nil)
		after, aerr := extract(testFiles(now), []string{b}, nil)
		if err == nil && aerr == nil && !slices.Equal(strings.Fields(string(before)), strings.Fields(string(after))) {
			c.note("the fix changes test code that %s uses, which stays as the parent has it: sub-benchmarks that the fix adds there are not run", b)
		}
	}
}

// replaceBenchmarks puts the benchmarks of tests in the place of the parent's,
// which keep their code under another name. The error is a *gocmd.Error where
// the result does not compile.
func (c *checkout) replaceBenchmarks(ctx context.Context, directory string, have, tests []source, names []string) error {
	renamed := make([]source, len(have))
	for i, f := range have {
		renamed[i] = source{f.name, rename(f, names)}
	}
	text, err := extract(tests, names, renamed)
	if err != nil {
		return err
	}
	for i, f := range renamed {
		if len(f.data) == len(have[i].data) {
			continue
		}
		if err := c.write(f.name, f.data); err != nil {
			return err
		}
	}
	if err := c.write(path.Join(directory, workloadFile), text); err != nil {
		return err
	}
	return c.go_.BuildTest(ctx, c.pattern, os.DevNull, gocmd.BuildOpts{})
}

// rename puts "parents" before the names of functions of a file, so that they
// are no benchmarks any more and all else of the file is as it was.
func rename(f source, names []string) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.name, f.data, parser.SkipObjectResolution)
	if err != nil {
		return f.data
	}
	out, added := slices.Clone(f.data), 0
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !slices.Contains(names, fn.Name.Name) {
			continue
		}
		at := fset.PositionFor(fn.Name.Pos(), false).Offset + added
		out = slices.Insert(out, at, []byte("parents")...)
		added += len("parents")
	}
	return out
}
