package testbed

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// confine opens the two sandboxes of a run.
//
// Tests and benchmarks write into the copy of the root and into the directory
// for their output; both are mount points, which can be neither renamed nor
// replaced. They see the binaries and overlays of the run, and cannot write
// there: the go command reads them. The go command writes all of the work
// directory and the build cache. Neither sees the user's own tree, pawl's
// results, or anything in a home that is not named here.
func (s *Testbed) confine(ctx context.Context, vars map[string]string) error {
	copied, err := tree.CopyDir(s.Place, s.work)
	if err != nil || s.opt.Sandbox == nil {
		return err
	}
	c := *s.opt.Sandbox
	c.Env = s.opt.Env
	c.Hidden = append(slices.Clone(c.Hidden), s.Place.Root, s.Place.GitDir, s.Place.CommonDir, s.Store.Dir(), filepath.Dir(filepath.Dir(s.work)))
	c.Readable = append(slices.Clone(c.Readable), vars["GOROOT"], vars["GOMODCACHE"])
	tests, builds := c, c
	tests.Readable = append(slices.Clone(c.Readable), s.Scratch, filepath.Join(s.work, "fs"))
	tests.Writable, tests.Output = append(slices.Clone(c.Writable), copied), s.output
	if s.sandbox, err = gocmd.OpenSandbox(ctx, tests); err != nil {
		return err
	}
	s.Warnings = append(s.Warnings, s.sandbox.Warnings()...)
	if s.Place.Root == string(filepath.Separator) {
		s.Warnings = append(s.Warnings, model.Warning{
			Seen: "in the sandbox, the tree can be read at its own place", Cause: "it is all of the file system", Try: "put the module into a directory of its own",
		})
	}
	builds.Writable = append(slices.Clone(c.Writable), s.work)
	if builds.Cache, err = buildCache(vars["GOCACHE"], s.work); err != nil {
		return err
	}
	if s.builds, err = gocmd.OpenSandbox(ctx, builds); err != nil {
		return err
	}
	s.Meter.Confine(s.sandbox, s.builds)
	return nil
}

// buildCache returns the build cache that the go command has in a sandbox: the
// user's, which only the go command writes, or one of pawl's where that is off or
// belongs to somebody else, which in a user namespace even root cannot write.
func buildCache(dir, work string) (string, error) {
	if filepath.IsAbs(dir) {
		if err := os.MkdirAll(dir, 0o777); err == nil && gocmd.Owned(dir) {
			return dir, nil
		}
	}
	dir = filepath.Join(work, "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a build cache: %w", err)
	}
	return dir, nil
}

// unconfine closes the sandboxes.
func (s *Testbed) unconfine() {
	for _, box := range []**gocmd.Sandbox{&s.sandbox, &s.builds} {
		if *box != nil {
			_ = (*box).Close()
			*box = nil
		}
	}
}

// show lets the sandboxes see the modules outside the root that the copy is
// built from. What else a link may lead to, a tree that nobody vouches for could
// choose.
func (s *Testbed) show(snap *tree.Snapshot) {
	if s.sandbox == nil {
		return
	}
	var modules []string
	for _, dir := range snap.Modules() {
		modules = append(modules, dir)
		dots := dotFiles(dir)
		s.sandbox.Hide(dots...)
		s.builds.Hide(dots...)
	}
	s.sandbox.Show(modules...)
	s.builds.Show(modules...)
}

// dotFiles lists the files and directories below dir whose names begin with a dot.
func dotFiles(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == dir || !strings.HasPrefix(d.Name(), ".") {
			return nil // what cannot be read from here cannot be read from inside
		}
		out = append(out, at)
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return out
}

// emptied makes an empty directory.
func emptied(dir string) error {
	err := gocmd.RemoveAll(dir)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("making a directory for temporary files: %w", err)
	}
	return nil
}
