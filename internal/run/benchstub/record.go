package benchstub

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
	"github.com/pawl-dev/pawl/internal/words"
)

// mostImporters is how many packages that import the function's are asked,
// when its own tests do not call it.
const mostImporters = 12

// A recording is what the tests of one package called the function with.
type recording struct {
	pkg     string // import path of the tests
	inputs  []pawlstub.Input
	refused []string // why others have no text, each reason once
	failed  string   // how the tests ended, if not well
}

// record runs the tests of the function's package with the hook and, when they
// do not call it, those of packages that import it. Notes say what went wrong
// on the way to an answer.
func (m *maker) record(ctx context.Context) (*recording, error) {
	replace, err := m.fn.overlay(filepath.Join(m.scratch, "overlay"), m.tree.Go.Vars["GOROOT"])
	if err != nil {
		return nil, err
	}
	undo, err := m.tree.Go.ExtendOverlay(filepath.Join(m.scratch, "overlay.json"), replace)
	if err != nil {
		return nil, err
	}
	defer undo()
	var refused *recording
	for i, pkg := range m.askable {
		if i == mostImporters+1 {
			m.note("the tests of %d further packages that import %s were not run", len(m.askable)-i, m.fn.pkg.ImportPath)
			break
		}
		r, err := m.recordIn(ctx, pkg)
		switch {
		case err != nil && i == 0:
			return nil, err
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			m.note("the tests of %s could not be run: %s", pkg.ImportPath, firstLine(err))
		case len(r.inputs) > 0:
			return r, nil
		case len(r.refused) > 0 && refused == nil:
			refused = r
		}
	}
	return refused, nil
}

// askables lists the packages whose tests may call the function: its own, and
// those of the module that import it, in this order.
// The second result has all that import it, which a file of its package must not.
func askables(ctx context.Context, g *gocmd.Go, own gocmd.Package) ([]gocmd.Package, map[string]bool, error) {
	all, err := g.List(ctx, "-test", "./...")
	if err != nil {
		return nil, nil, err
	}
	importers := make(map[string]bool)
	for _, p := range all {
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if slices.Contains(p.Imports, own.ImportPath) || slices.Contains(p.Deps, own.ImportPath) {
			importers[strings.TrimSuffix(strings.TrimSuffix(path, ".test"), "_test")] = true
		}
	}
	delete(importers, own.ImportPath) // its external tests do
	var direct, rest []gocmd.Package
	for _, p := range all {
		switch {
		case p.ForTest != "" || !importers[p.ImportPath] || p.ImportPath == own.ImportPath || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0:
		case slices.Contains(p.Imports, own.ImportPath):
			direct = append(direct, p)
		default:
			rest = append(rest, p)
		}
	}
	return slices.Concat([]gocmd.Package{own}, direct, rest), importers, nil
}

// recordIn runs the tests of one package. Tests that fail are no error: what
// was recorded before is as good.
func (m *maker) recordIn(ctx context.Context, pkg gocmd.Package) (*recording, error) {
	r := &recording{pkg: pkg.ImportPath}
	if len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) == 0 {
		return r, nil
	}
	m.opt.Watch.Stage("recording inputs", pkg.ImportPath)
	bin := filepath.Join(m.scratch, "record.test")
	if err := m.tree.Go.BuildTest(ctx, pkg.ImportPath, bin, gocmd.BuildOpts{Overlay: true}); err != nil {
		return nil, m.broken(ctx, pkg, err)
	}
	defer os.Remove(bin)
	for _, short := range []bool{true, false} { // -short may leave out the only test that calls it
		data, err := m.recorded(ctx, r, pkg, bin, short)
		if err != nil {
			return nil, err
		}
		r.take(data)
		if r.drop(m.importers); len(r.inputs) > 0 {
			break
		}
	}
	return r, nil
}

// recorded runs the tests once and returns what the hook has written.
func (m *maker) recorded(ctx context.Context, r *recording, pkg gocmd.Package, bin string, short bool) ([]byte, error) {
	box, err := m.tree.Go.Meter.Outbox()
	if err != nil {
		return nil, err
	}
	defer box.Remove()
	const name = "inputs.jsonl"
	if err := m.runTests(ctx, r, pkg, bin, box.Path(name), short); err != nil {
		return nil, err
	}
	data, err := box.Read(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("reading what was recorded: %w", err)
	}
	return data, nil
}

func (m *maker) runTests(ctx context.Context, r *recording, pkg gocmd.Package, bin, out string, short bool) error {
	args := []string{"-test.timeout=" + m.opt.Timeout.String()}
	if short {
		args = append(args, "-test.short")
	}
	tctx, cancel := context.WithTimeout(ctx, m.opt.Timeout+10*time.Second)
	defer cancel()
	e, err := m.tree.Go.Meter.Run(tctx, gocmd.Proc{
		Path: bin, Args: args, Dir: pkg.Dir, Env: m.tree.Go.Env("PAWL_STUB_OUT=" + out), CPU: gocmd.NoCPU, Kind: gocmd.Test, Limit: 1 << 20,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		r.failed = "did not end within " + m.opt.Timeout.String()
	case err != nil:
		return fmt.Errorf("running the tests of %s: %w", pkg.ImportPath, err)
	case e.Code != 0:
		r.failed = "failed: " + failure(append(e.Stdout, e.Stderr...))
	}
	return nil
}

// failure picks from the output of tests what says why they failed.
func failure(output []byte) string {
	for l := range strings.Lines(string(output)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "--- FAIL") || strings.HasPrefix(l, "panic:") || strings.HasPrefix(l, "fatal error:") {
			return l
		}
	}
	return "no reason given"
}

// take reads the lines of a recording. The last one may be cut off.
func (r *recording) take(data []byte) {
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var in pawlstub.Input
		if json.Unmarshal(sc.Bytes(), &in) != nil {
			continue
		}
		switch {
		case in.Refused == "":
			r.inputs = append(r.inputs, in)
		case !slices.Contains(r.refused, in.Refused):
			r.refused = append(r.refused, in.Refused)
		}
	}
}

// drop refuses inputs with names of packages that cannot be imported.
func (r *recording) drop(importers map[string]bool) {
	r.inputs = kept(r.inputs, func(in pawlstub.Input) bool {
		for _, p := range in.Params {
			for _, path := range slices.Concat(paths(p.Expr), paths(p.Type)) {
				if !importers[path] {
					continue
				}
				if why := p.Name + " has a type or a function of " + path + ", which imports the package"; !slices.Contains(r.refused, why) {
					r.refused = append(r.refused, why)
				}
				return false
			}
		}
		return true
	})
}

func firstLine(err error) string {
	text := err.Error()
	var ge *gocmd.Error
	if errors.As(err, &ge) {
		text = ge.Output
	}
	return words.FirstError(text)
}
