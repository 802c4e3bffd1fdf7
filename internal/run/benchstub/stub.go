package benchstub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
	"github.com/pawl-dev/pawl/internal/words"
)

// Options say what is wanted.
type Options struct {
	Func     string        // as the user names it: "Parse", "./pkg.Parse", "(*T).Method"
	Line     string        // FILE.go:N that has to run in the timed part; "" for none
	Dir      string        // the user's directory, in the module
	Timeout  time.Duration // for the tests of one package
	Env      []string
	CacheDir string               // os.UserCacheDir
	Sandbox  *gocmd.SandboxConfig // for tests and the benchmark; nil for none
	Now      func() time.Time
	Watch    testbed.Watcher // may be nil
}

// A Stub is a benchmark that was written and that runs.
type Stub struct {
	model.Stub

	dir  string        // where the file goes: the package's directory in the user's tree
	free bool          // a file of that name is not there
	at   []reach.Reach // how far each input got to the line that was asked for
}

// A maker makes one stub.
type maker struct {
	opt     Options
	tree    *testbed.Checkout
	fn      *function
	askable []gocmd.Package
	// importers are the packages that import the function's, by import path.
	importers map[string]bool
	scratch   string
	scrub     *scrub.Scrubber
	notes     []string
}

// Make writes a benchmark of a function and proves that it runs it. Nothing is
// written into the user's tree: see Stub.Save. An unknown or ambiguous name is
// a testbed.UsageError.
func Make(ctx context.Context, opt Options) (*Stub, error) {
	opt.Watch = testbed.Watched(opt.Watch)
	var late []model.Warning
	s, err := testbed.Open(ctx, testbed.Options{
		Verb: "bench-stub", Dir: opt.Dir, Env: opt.Env, CacheDir: opt.CacheDir, Start: opt.Now(), Sandbox: opt.Sandbox,
		Stage: func(name string) { opt.Watch.Stage(name, "") }, Warn: func(w model.Warning) { late = append(late, w) },
	})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m := &maker{opt: opt, scratch: filepath.Join(s.Scratch, "stub"), scrub: scrub.New(opt.Env)}
	if m.tree, err = s.Commit(ctx, ""); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(m.scratch, 0o700); err != nil {
		return nil, fmt.Errorf("making room for the recording: %w", err)
	}
	out, err := m.make(ctx, s)
	if err != nil {
		return nil, err
	}
	out.Warnings = slices.Concat(s.Warnings, m.tree.Warnings, late, out.Warnings)
	return out, nil
}

func (m *maker) make(ctx context.Context, s *testbed.Testbed) (*Stub, error) {
	here, err := m.here(s)
	if err != nil {
		return nil, err
	}
	m.opt.Watch.Stage("looking for "+m.opt.Func, "")
	if m.fn, err = find(ctx, m.tree.Go, here, m.opt.Func); err != nil {
		return nil, err
	}
	if why := m.fn.whyNot(); why != "" {
		return nil, fmt.Errorf("no benchmark for %s: %s", m.fn.full(), why)
	}
	line, err := m.line(ctx, here)
	if err != nil {
		return nil, err
	}
	if m.askable, m.importers, err = askables(ctx, m.tree.Go, m.fn.pkg); err != nil {
		return nil, err
	}
	r, err := m.record(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.enough(r); err != nil {
		return nil, err
	}
	return m.prove(ctx, r, line, filepath.Join(s.Place.Module, m.rel()))
}

// here is the user's directory as it is in the copy.
func (m *maker) here(s *testbed.Testbed) (string, error) {
	dir, err := filepath.EvalSymlinks(m.opt.Dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(s.Place.Module, dir)
	if err != nil || !filepath.IsLocal(rel) {
		rel = "."
	}
	return filepath.Join(m.tree.Snap.ModuleDir, rel), nil
}

func (m *maker) rel() string {
	rel, err := filepath.Rel(m.tree.Snap.ModuleDir, m.fn.pkg.Dir)
	if err != nil {
		return "."
	}
	return rel
}

// enough says why there is nothing to make a benchmark of.
func (m *maker) enough(r *recording) error {
	if r != nil && len(r.inputs) > 0 {
		if n := len(r.refused); n > 0 {
			m.note("inputs that cannot be written as Go were passed over: %s", words.Some(r.refused, 3))
		}
		if r.failed != "" {
			m.note("the tests of %s %s: what was recorded until then was used", r.pkg, r.failed)
		}
		return nil
	}
	if r == nil {
		return fmt.Errorf("no test calls %s, so there is no input to take%s\nwrite a test that calls it with an input like those of production, or the benchmark by hand", m.fn.full(), m.tried())
	}
	return fmt.Errorf("no benchmark for %s: no input of the tests of %s can be written as Go:\n  %s\nwrite the benchmark by hand, with a function that makes these values before the loop",
		m.fn.full(), r.pkg, strings.Join(r.refused[:min(5, len(r.refused))], "\n  "))
}

// tried says which tests were run in vain.
func (m *maker) tried() string {
	var names []string
	for _, p := range m.askable {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			names = append(names, p.ImportPath)
		}
	}
	text := ""
	if len(names) > 0 {
		text = "; the tests of " + words.Some(names, 3) + " were run"
	}
	for _, n := range m.notes {
		text += "\n" + n
	}
	return text
}

// write makes the stub of some inputs.
func (m *maker) write(ctx context.Context, r *recording, inputs []chosen) (*Stub, error) {
	var need []string
	for _, in := range inputs {
		for _, p := range in.Params {
			need = append(need, slices.Concat(paths(p.Expr), paths(p.Type))...)
		}
		for _, t := range in.Results {
			need = append(need, paths(t)...)
		}
	}
	known := map[string]string{}
	if slices.Sort(need); len(need) > 0 {
		list, err := m.tree.Go.List(ctx, append([]string{"-find"}, slices.Compact(need)...)...)
		if err != nil {
			return nil, err
		}
		known = packageNames(list)
	}
	w := newWriter(m.fn, newScope(m.fn, known), r.pkg)
	text, err := w.file(inputs)
	if err != nil {
		return nil, err
	}
	out := &Stub{Stub: model.Stub{
		Schema: model.StubSchema, Func: m.fn.full(), Package: m.fn.pkg.ImportPath, Benchmark: w.name, Source: string(text), Notes: m.notes,
		Recorded: model.StubRecorded{Tests: r.pkg, Inputs: len(r.inputs)},
	}}
	for _, in := range r.inputs {
		if in.Failed != "" {
			out.Recorded.Failed++
		}
	}
	for name, data := range w.data {
		if out.Data == nil {
			out.Data = make(map[string][]byte)
		}
		out.Data[dataDir+"/"+name] = data
	}
	for _, in := range inputs {
		copied := slices.ContainsFunc(in.Params, func(p pawlstub.Param) bool { return p.Written })
		out.Inputs = append(out.Inputs, model.StubInput{Name: in.name, Bytes: in.Size, Copied: copied, Failed: in.Failed})
	}
	return out, nil
}

func (m *maker) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// broken turns a build with the hook that failed into what the user can act
// on: most likely the tree does not build without it either.
func (m *maker) broken(ctx context.Context, pkg gocmd.Package, err error) error {
	var ge *gocmd.Error
	if !errors.As(err, &ge) {
		return err
	}
	plain := m.tree.Go.BuildTest(ctx, pkg.ImportPath, filepath.Join(m.scratch, "plain.test"), gocmd.BuildOpts{})
	if errors.As(plain, &ge) {
		return &testbed.BrokenTree{Name: "the tests of " + pkg.ImportPath, What: "do not build", Detail: strings.TrimSpace(ge.Output), Next: m.tree.LeftHint("fix them, and try again")}
	}
	return fmt.Errorf("%s does not build with a hook that records: %s", m.fn.full(), firstLine(err))
}

// names lists the data files, sorted.
func (s *Stub) names() []string { return slices.Sorted(maps.Keys(s.Data)) }
