package score

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// buildRounds is how often a build is tried again after test code that does not
// compile was taken out: the compiler names ten errors at a time.
const buildRounds = 20

func (c *checkout) build(ctx context.Context, pattern string) error {
	tidied := false
	return c.pruned(ctx, pattern, "what does not compile with this Go is left out", gocmd.BuildOpts{}, func(output string) (done bool, err error) {
		if !slices.ContainsFunc(untidy, func(words string) bool { return strings.Contains(output, words) }) {
			return false, nil
		}
		how := ""
		if !tidied {
			how, err = c.require(ctx)
		}
		if tidied || err != nil {
			return false, c.lacking(output)
		}
		tidied = true
		c.note("the parent's go.mod is not tidy: %s was run", how)
		return true, nil
	})
}

// untidy are words of the go command's errors about a go.mod that lacks something.
var untidy = []string{"go mod tidy", "to add it:", "missing go.sum entry", "inconsistent vendoring"}

// pruned builds the tests of a package, and takes out of them what the compiler complains of. Before that, repair may do
// something about it.
func (c *checkout) pruned(ctx context.Context, pattern, why string, opts gocmd.BuildOpts, repair func(output string) (bool, error)) error {
	gone := map[string][]string{}
	defer func() { c.noteGone(why, gone) }()
	for range buildRounds {
		err := c.go_.BuildTest(ctx, pattern, os.DevNull, opts)
		var failed *gocmd.Error
		if err == nil || !errors.As(err, &failed) {
			return err
		}
		done, err := repair(failed.Output)
		if err == nil && !done {
			done, err = c.pruneFiles(failed.Output, gone)
		}
		if err != nil {
			return err
		}
		if !done {
			return brokenParent(failed.Output)
		}
	}
	return fmt.Errorf("the tests of %s do not compile after %d rounds of leaving out what does not", pattern, buildRounds)
}

// fit leaves out the tests that do not compile with the fix: they call what it gives another signature, or takes away.
// Both sides have to run the same tests. What does not compile beside tests is for the trial to say.
func (c *checkout) fit(ctx context.Context, src origin, files []string) error {
	replace := map[string]string{}
	for _, name := range files {
		if !c.takes(name) || !tree.IsCode(name) {
			continue
		}
		now := "" // deleted
		if data, ok := src.file(ctx, name); ok {
			now = filepath.Join(c.scratch, "fix", filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(now), 0o700), os.WriteFile(now, data, 0o600)); err != nil {
				return err
			}
		}
		replace[filepath.Join(c.dir, filepath.FromSlash(name))] = now
	}
	undo, err := c.go_.ExtendOverlay(filepath.Join(c.scratch, "fix.json"), replace)
	if err != nil {
		return err
	}
	defer undo()
	for _, p := range c.packages {
		err := c.pruned(ctx, p, "what does not compile with the fix is left out on both sides", gocmd.BuildOpts{Overlay: true},
			func(string) (bool, error) { return false, nil })
		if broken := new(unbuilt); err != nil && !errors.As(err, &broken) {
			return err
		}
	}
	return nil
}

// An unbuilt is that a package does not build, for something beside lines of its tests.
type unbuilt struct{ says string }

func (e *unbuilt) Error() string { return "the parent does not build with this Go: " + e.says }

func brokenParent(output string) error {
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(output), "\n"), func(l string) bool { return strings.HasPrefix(l, "go: downloading ") })
	return &unbuilt{strings.Join(lines[:min(3, len(lines))], " / ")}
}

// lacking is that the go.mod names no module for an import: of one that was made, the path may be wrong.
func (c *checkout) lacking(output string) error {
	err := brokenParent(output)
	if c.made == "" {
		return err
	}
	return fmt.Errorf("%w; the parent has no go.mod, and one was made for %s: name the path that its imports begin with in module_path, if that is another", err, c.made)
}

// pruneFiles takes out of test files what a build complains of. It is false
// where the complaint is of something else.
func (c *checkout) pruneFiles(output string, gone map[string][]string) (bool, error) {
	lines := map[string][]int{}
	for _, x := range complaints(output) {
		if strings.HasSuffix(x.file, "_test.go") && c.has(x.file) {
			lines[x.file] = append(lines[x.file], x.line)
		}
	}
	return len(lines) > 0, c.cut(lines, gone)
}

// has reports whether a file, named from the module, is in the checkout.
func (c *checkout) has(name string) bool {
	rel, err := filepath.Rel(c.dir, filepath.Join(c.module, filepath.FromSlash(name)))
	return err == nil && filepath.IsLocal(rel) && !filepath.IsAbs(name)
}

// cut takes the declarations on some lines out of files, named from the module.
func (c *checkout) cut(lines map[string][]int, gone map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		at := filepath.Join(c.module, filepath.FromSlash(name))
		src, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		out, names, err := prune(src, lines[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.bench.names = slices.DeleteFunc(slices.Clone(c.bench.names), func(b string) bool { return slices.Contains(names, functionOf(b)) })
		gone[name] = append(gone[name], names...)
		if out == nil {
			err = os.Remove(at)
		} else {
			err = os.WriteFile(at, out, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// testRounds is how often the tests are run to find those that fail on the
// parent already.
const testRounds = 3

// tests leaves out the tests that fail on the parent as it is: for want of a
// network, or because this Go is newer than they are.
func (c *checkout) tests(ctx context.Context, short bool) error {
	var flags []string
	if short {
		flags = append(flags, "-short")
	}
	gone := map[string][]string{}
	defer func() {
		c.noteGone("tests that fail on the parent already are left out", gone)
	}()
	for range testRounds {
		output, err := c.runTests(ctx, c.packages, flags...)
		if output == "" || err != nil {
			return err
		}
		names := failedTests(output)
		if len(names) == 0 {
			return fmt.Errorf("the parent's tests do not end well: %s", last(output))
		}
		lines := map[string][]int{}
		for _, p := range c.packages {
			directory, err := filepath.Rel(c.dir, filepath.Join(c.module, filepath.FromSlash(p)))
			if err != nil {
				return err
			}
			files, err := c.sources(filepath.ToSlash(directory))
			if err != nil {
				return err
			}
			for _, f := range files {
				if found := linesOf(f.data, names); len(found) > 0 && strings.HasSuffix(f.name, "_test.go") {
					lines[path.Join(p, path.Base(f.name))] = found
				}
			}
		}
		if err := c.cut(lines, gone); err != nil {
			return err
		}
		for _, p := range c.packages {
			if err := c.build(ctx, p); err != nil { // imports that only they used
				return err
			}
		}
	}
	return nil
}

// runTests runs the tests of packages, and returns what was said when some
// failed.
func (c *checkout) runTests(ctx context.Context, pkgs []string, flags ...string) (output string, err error) {
	args := append([]string{"test", "-vet=off", "-count=1", "-timeout=5m"}, flags...)
	e, err := c.goTest(ctx, append(args, pkgs...))
	var failed *gocmd.Error
	if err == nil || !errors.As(err, &failed) {
		return "", err
	}
	return string(e.Stdout) + "\n" + string(e.Stderr), nil
}

func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " / ")
}

// noteGone notes what is left out of each test file, in one line of a few of each.
func (c *checkout) noteGone(why string, gone map[string][]string) {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		files = append(files, fmt.Sprintf("%s (%s)", name, words.Some(gone[name], mostNamed)))
	}
	if len(files) > 0 {
		c.note("%s: %s", why, words.Some(files, mostNamed))
	}
}

// mostNamed is how many files are named, and of each how many of its parts.
const mostNamed = 3
