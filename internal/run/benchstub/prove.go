package benchstub

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
)

// mostTried is how many further inputs are tried for a line.
const mostTried = 32

// iterations is how often the benchmark runs for its coverage: a block whose
// count grows between two iterations and these is timed.
const iterations = 5

// A place is the line that has to run.
type place struct {
	pkg  gocmd.Package
	file string // base name
	line int
	text string // as the user wrote it
}

// line finds the package of the line that was asked for. The file may be named
// as from the user's directory, or alone if it is the function's package's.
func (m *maker) line(ctx context.Context, here string) (*place, error) {
	if m.opt.Line == "" {
		return nil, nil
	}
	file, number, ok := cutLast(m.opt.Line, ":")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || !strings.HasSuffix(file, ".go") {
		return nil, testbed.Usage(fmt.Sprintf("-line %q is not FILE.go:N", m.opt.Line))
	}
	p := &place{pkg: m.fn.pkg, file: filepath.Base(file), line: n, text: m.opt.Line}
	own := slices.Concat(m.fn.pkg.GoFiles, m.fn.pkg.CgoFiles)
	if filepath.Base(file) == file && slices.Contains(own, file) {
		return p, nil
	}
	for _, from := range []string{here, m.tree.Snap.ModuleDir} {
		at := filepath.Join(from, filepath.FromSlash(file))
		list, err := m.tree.Go.List(ctx, filepath.Dir(at))
		if err != nil {
			continue
		}
		for _, pkg := range list {
			if slices.Contains(slices.Concat(pkg.GoFiles, pkg.CgoFiles), p.file) {
				p.pkg = pkg
				return p, nil
			}
		}
	}
	return nil, testbed.Usage(fmt.Sprintf("-line: there is no file %s in this module", file))
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// prove chooses inputs and runs their benchmark, and adds another input where
// the line that was asked for needs one.
func (m *maker) prove(ctx context.Context, r *recording, at *place, dir string) (*Stub, error) {
	picked, rest, err := m.choose(r)
	if err != nil {
		return nil, err
	}
	t, err := m.try(ctx, r, picked, at)
	if err != nil {
		return nil, err
	}
	if at != nil && t.Proof.By == "" {
		if t, err = m.search(ctx, r, picked, rest, at, t); err != nil {
			return nil, err
		}
	}
	if t.Proof.Timed == 0 && t.Proof.Lines > 0 {
		return nil, fmt.Errorf("not covered: the benchmark of %s runs, and no line of the function runs in its timed part", m.fn.full())
	}
	name, free := freeName(dir, m.fn)
	t.dir, t.free, t.File = dir, free, filepath.ToSlash(filepath.Join(m.rel(), name))
	return t, nil
}

// search looks for an input that gets to a line which the chosen ones miss.
func (m *maker) search(ctx context.Context, r *recording, picked []chosen, rest []pawlstub.Input, at *place, t *Stub) (*Stub, error) {
	if t.at[0] == reach.NoCode {
		return nil, fmt.Errorf("not covered: no statement stands on %s", at.text)
	}
	m.opt.Watch.Stage("looking for an input that gets to "+at.text, "")
	var more []chosen
	for i, in := range spread(rest, mostTried) {
		more = append(more, chosen{in, fmt.Sprintf("input%d", i)})
	}
	if len(more) > 0 {
		found, err := m.try(ctx, r, more, at)
		if err != nil {
			return nil, err
		}
		if i := slices.Index(found.at, reach.Timed); i >= 0 {
			return m.try(ctx, r, append(slices.Clone(picked), chosen{more[i].Input, "line"}), at)
		}
		t.at = append(t.at, found.at...)
	}
	why := "no recorded input gets to it"
	if slices.Contains(t.at, reach.Untimed) {
		why = "it runs once and not in each iteration: behind a sync.Once or a cache"
	}
	return nil, fmt.Errorf("not covered: %s does not run in the timed part of a benchmark of %s: %s (%d of %d inputs were tried); a test with such an input would give one",
		at.text, m.fn.full(), why, len(picked)+len(more), len(r.inputs))
}

// try puts the benchmark of some inputs into the copy, compiles it and runs it
// with coverage.
func (m *maker) try(ctx context.Context, r *recording, inputs []chosen, at *place) (out *Stub, err error) {
	t, err := m.write(ctx, r, inputs)
	if err != nil {
		return nil, err
	}
	m.opt.Watch.Stage("running the benchmark", t.Benchmark)
	undo, err := m.put(t)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, undo()) }()
	cover := []string{m.fn.pkg.ImportPath}
	if at != nil && at.pkg.ImportPath != m.fn.pkg.ImportPath {
		cover = append(cover, at.pkg.ImportPath)
	}
	bin, err := reach.Build(ctx, m.tree.Go, m.fn.pkg, cover, filepath.Join(m.scratch, "proof.test"))
	if err != nil {
		return nil, m.unbuilt(err)
	}
	var all []*reach.Coverage
	for _, in := range inputs {
		tctx, cancel := context.WithTimeout(ctx, m.opt.Timeout)
		c, err := bin.Benchmark(tctx, m.tree.Go, model.Benchmark{Pkg: m.fn.pkg.ImportPath, Name: t.Benchmark + "/" + in.name}, iterations, nil)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("the benchmark of %s does not run with the %s input: %w", m.fn.full(), in.name, err)
		}
		all = append(all, c)
		if at != nil {
			far := c.Lines(at.pkg.ImportPath, at.file, at.line, at.line)
			t.at = append(t.at, far)
			if far == reach.Timed && t.Proof.By == "" {
				t.Proof.Line, t.Proof.By = at.text, in.name
			}
		}
	}
	t.Proof.Lines, t.Proof.Timed = m.fn.covered(all)
	return t, nil
}

func (m *maker) put(t *Stub) (undo func() error, err error) {
	rel, err := filepath.Rel(m.tree.Snap.Dir, m.fn.pkg.Dir)
	if err != nil {
		return nil, err
	}
	name, free := freeName(m.fn.pkg.Dir, m.fn)
	if !free {
		name = "zz_pawl_" + name
	}
	edit := func(name, text string) model.Edit {
		return model.Edit{File: filepath.ToSlash(filepath.Join(rel, name)), New: text}
	}
	edits := []model.Edit{edit(name, t.Source)}
	for _, data := range t.names() {
		edits = append(edits, edit(data, string(t.Data[data])))
	}
	return m.tree.Snap.Apply(edits)
}

// unbuilt says why a benchmark does not compile.
func (m *maker) unbuilt(err error) error {
	var ge *gocmd.Error
	if !errors.As(err, &ge) {
		return err
	}
	why := strings.TrimSpace(ge.Output)
	if strings.Contains(why, "import cycle") {
		why = "an input has a type of a package that imports " + m.fn.pkg.ImportPath + "\n" + why
	}
	return fmt.Errorf("no benchmark for %s: its inputs do not compile as Go in that package: %s\nwrite the benchmark by hand", m.fn.full(), why)
}

// covered counts the lines of the function on which a statement begins, and
// those that ran in the timed part of any benchmark.
func (f *function) covered(all []*reach.Coverage) (lines, timed int) {
	seen := make(map[int]bool)
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
			return true
		case ast.Stmt:
			seen[f.Line(n.Pos())] = true
		}
		return true
	})
	for line := range seen {
		far := reach.NoCode
		for _, c := range all {
			far = max(far, c.Lines(f.pkg.ImportPath, filepath.Base(f.Path), line, line))
		}
		if far > reach.NoCode {
			lines++
		}
		if far == reach.Timed {
			timed++
		}
	}
	return lines, timed
}
