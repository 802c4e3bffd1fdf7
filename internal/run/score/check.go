package score

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

type span struct{ from, to int }

func (c *checkout) bodies(name string) []span {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(c.dir, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var all []span
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, span{fset.Position(f.Pos()).Line, fset.Position(f.End()).Line})
		}
	}
	return all
}

// maxImporters is how many packages that import a changed one are tested, and
// importersTime how long that may take on each side.
const (
	maxImporters  = 30
	importersTime = 2 * time.Minute
)

// check runs tests that the loop has not: those that upstream's fix came with,
// and those of the packages that import what was changed, on the tree that pawl
// has made. Whatever fails on the parent as well says nothing.
func (s *session) check(ctx context.Context, row Row, c *checkout, run *model.Run, out *model.Scored) error {
	if run.Branch == "" {
		out.Checked = "nothing: the changes are patches"
		return nil
	}
	s.opt.Watch.Stage("checking what was kept", row.ID)
	m, err := tree.OpenMirror(ctx, c.dir)
	if err != nil {
		return err
	}
	final := filepath.Join(filepath.Dir(c.dir), "final")
	if _, err := m.Export(ctx, run.Branch, final); err != nil {
		return err
	}
	own, others, err := c.importers(ctx)
	if err != nil {
		return err
	}
	late := false
	rel, err := filepath.Rel(c.dir, c.module)
	if err != nil {
		return err
	}
	var failures [2][]string
	for i, dir := range []string{c.dir, final} {
		meter, err := s.meter(ctx, c.scratch, c.module)
		if err != nil {
			return err
		}
		g, err := gocmd.New(ctx, gocmd.Config{
			Dir: filepath.Join(dir, rel), Env: c.env, GOWORK: c.gowork(dir), State: filepath.Join(filepath.Dir(c.dir), "check"), Meter: meter,
		})
		if err != nil {
			return err
		}
		x := &checkout{dir: dir, module: filepath.Join(dir, rel), other: c.other, packages: c.packages, go_: g, sandbox: c.sandbox, env: c.env, scratch: c.scratch}
		if err := x.takeTests(ctx, c.fixTests, row.BenchPackage); err != nil {
			return err
		}
		if failures[i], err = x.failing(ctx, own); err != nil {
			return err
		}
		if len(others) == 0 || late {
			continue
		}
		bounded, cancel := context.WithTimeout(ctx, importersTime)
		more, err := x.failing(bounded, others)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case bounded.Err() != nil:
			late = true
		case err != nil:
			return err
		}
		failures[i] = append(failures[i], more...)
	}
	more := slices.DeleteFunc(failures[1], func(f string) bool { return slices.Contains(failures[0], f) })
	out.Broken = strings.Join(more, ", ")
	out.Checked = fmt.Sprintf("the tests of %d packages, those of the fix among them", len(own)+len(others))
	if late {
		out.Checked = fmt.Sprintf("the tests of %d packages, those of the fix among them; those of packages that import them take too long", len(own))
	}
	return nil
}

// importers returns the row's packages, and those of the module that import
// them.
func (c *checkout) importers(ctx context.Context) (own, others []string, err error) {
	all, err := c.go_.List(ctx, append([]string{"-deps=false", "./..."}, c.packages...)...)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		rel, err := filepath.Rel(c.module, p.Dir)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(c.packages, patternOf(rel)) {
			own = append(own, p.ImportPath)
		}
	}
	for _, p := range all {
		imports := slices.ContainsFunc(p.Imports, func(i string) bool { return slices.Contains(own, i) })
		if imports && !slices.Contains(own, p.ImportPath) && p.Error == nil && len(others) < maxImporters {
			others = append(others, p.ImportPath)
		}
	}
	return own, others, nil
}

// takeTests puts the fix's tests in place, as far as they compile: what they
// ask of the fix's own new code has no place here.
func (c *checkout) takeTests(ctx context.Context, tests []source, benchPackage string) error {
	saved := map[string][]byte{}
	for _, t := range tests {
		at := filepath.Join(c.dir, filepath.FromSlash(t.name))
		saved[at], _ = os.ReadFile(at) // none, where the fix has made it
		if t.data == nil {
			_ = os.Remove(at)
		} else if err := c.write(t.name, t.data); err != nil {
			return err
		}
	}
	for _, name := range []string{benchFile, workloadFile} { // the fix's own declare the same
		_ = os.Remove(filepath.Join(c.dir, filepath.FromSlash(benchPackage), name))
	}
	for _, p := range c.packages {
		if err := c.build(ctx, p); err == nil {
			continue
		} else if ctx.Err() != nil {
			return err
		}
		for at, data := range saved { // not to be made to compile: as it was
			if data == nil {
				_ = os.Remove(at)
			} else if err := os.WriteFile(at, data, 0o600); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

// failing runs the tests of packages and returns what fails, by name.
func (c *checkout) failing(ctx context.Context, pkgs []string) ([]string, error) {
	output, err := c.runTests(ctx, pkgs, "-short")
	if output == "" || err != nil {
		return nil, err
	}
	out := failedTests(output)
	for line := range strings.Lines(output) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "FAIL" {
			out = append(out, f[1])
		}
	}
	return out, nil
}
