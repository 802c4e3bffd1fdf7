package attempt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// Reached is what the benchmarks execute of a change.
type Reached struct {
	Plans    []model.Plan // of the benchmarks that can judge it
	Others   []model.Plan // of those that run other parts of the files it touches
	Warnings []model.Warning

	covers []covered
}

// A covered is what one benchmark executes, by the package that a file is in.
type covered func(file string, from, to int) (setUp, timed bool)

// setUp reports whether some lines run in the set-up of a benchmark and in no
// timed loop.
func (p Policy) setUp(file string, from, to int) bool {
	ran := false
	for _, c := range p.covers {
		setUp, timed := c(file, from, to)
		if timed {
			return false
		}
		ran = ran || setUp
	}
	return ran
}

// timed reports whether some lines run in the timed loop of a benchmark.
func (p Policy) timed(file string, from, to int) bool {
	return slices.ContainsFunc(p.covers, func(c covered) bool {
		_, timed := c(file, from, to)
		return timed
	})
}

// timed reports whether some lines of the base run in the timed loop of a benchmark: by
// coverage for a change that somebody brings, by profiles, which show set-up too, for one
// of pawl's own. The former is read before coverage is known, and again behind it: until
// then nothing is said against it for that.
func (t *subject) timed(file string, from, to int) bool {
	if !t.policy.profiled {
		return t.policy.covers == nil || t.policy.timed(file, from, to)
	}
	for line := from; line <= to; line++ {
		if t.Base.Hot(model.Pos{File: file, Line: line}) {
			return true
		}
	}
	return false
}

// reachIterations is how many iterations tell the timed loop from set-up.
const reachIterations = 33

// sources are the files that a change edits, but for tests.
func sources(c model.Change) []string {
	return slices.DeleteFunc(EditedFiles(c.Edits), func(name string) bool {
		return !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go")
	})
}

// covering builds the benchmarks with coverage of the packages of files. It returns these, and the
// binaries by import path.
func (p *Prover) covering(ctx context.Context, files []string) (changed []gocmd.Package, bins map[string]reach.Binary, err error) {
	if changed, err = p.M.PackagesOf(ctx, files); err != nil {
		return nil, nil, err
	}
	bins = make(map[string]reach.Binary)
	for _, q := range p.Plans {
		if _, ok := bins[q.Benchmark.Pkg]; ok {
			continue
		}
		out := filepath.Join(p.M.Scratch, fmt.Sprintf("cover%d.test", len(bins)))
		if bins[q.Benchmark.Pkg], err = reach.Build(ctx, p.M.Go, p.M.Pkgs[q.Benchmark.Pkg], ImportPaths(changed), out); err != nil {
			return nil, nil, err
		}
	}
	return changed, bins, nil
}

// Reach finds the benchmarks that run a changed line in their timed loop, or,
// where none does, those that run the function around one. It reports of the others
// how far they come.
func (p *Prover) Reach(ctx context.Context, c model.Change) (r Reached, err error) {
	names := sources(c)
	if len(names) == 0 {
		return Reached{Plans: p.Plans}, nil // the guard refuses it with a better reason
	}
	changed, bins, err := p.covering(ctx, names)
	if err != nil {
		return r, err
	}
	files := make(map[string][]byte) // read now, since the go command first has back what tests have changed
	for _, name := range names {
		files[name] = p.M.Read(name)
	}
	pkgOf := func(file string) string { return importPathOf(changed, p.M.Snap.Dir, file) }
	var beside []model.Plan
	short := make(map[reach.Reach][]string) // benchmarks that do not come far enough
	for _, q := range p.Plans {
		bin := bins[q.Benchmark.Pkg]
		var cov *reach.Coverage
		err := state.Patiently(ctx, func() (err error) {
			cov, err = bin.Benchmark(ctx, p.M.Go, q.Benchmark, min(reachIterations, max(3, q.N)), func(cov *reach.Coverage) bool {
				return furthest(cov, c.Edits, files, pkgOf) == reach.Timed
			})
			return err
		})
		if err != nil {
			return r, errors.Join(fmt.Errorf("coverage of %s", q.Benchmark.Name), err)
		}
		r.covers = append(r.covers, func(file string, from, to int) (setUp, timed bool) {
			far := cov.Lines(pkgOf(file), file, from, to)
			return far == reach.Untimed, far == reach.Timed
		})
		far := furthest(cov, c.Edits, files, pkgOf)
		switch {
		case far == reach.Timed:
			r.Plans = append(r.Plans, q)
			continue
		case runsAround(cov, c.Edits, files, pkgOf):
			beside = append(beside, q)
		}
		short[far] = append(short[far], q.Benchmark.String())
		if runsFile(cov, files, pkgOf) {
			r.Others = append(r.Others, q)
		}
	}
	if len(r.Plans) == 0 && len(beside) > 0 {
		r.Plans, r.Others, r.Warnings = beside, nil, []model.Warning{besideText(beside)}
		return r, nil
	}
	for _, far := range slices.Sorted(maps.Keys(short)) {
		r.Warnings = append(r.Warnings, model.Warning{
			Seen:  fmt.Sprintf("%s: %s", strings.Join(short[far], ", "), farText[far]),
			Cause: "what a benchmark does not run while its timer runs does not show in its figures, so it cannot judge this change",
			Try:   "a benchmark that calls the changed function in its loop: pawl bench-stub " + offered(c.Edits, files, pkgOf) + " writes one from inputs of the tests",
		})
	}
	return r, nil
}

var farText = map[reach.Reach]string{
	reach.NoCode:  "there is no statement on the changed lines",
	reach.Never:   "the changed lines never run",
	reach.Untimed: "the changed lines run in the set-up only",
}

// runsAround reports whether another line of a function that the edits touch
// runs in the timed loop.
func runsAround(cov *reach.Coverage, edits []model.Edit, files map[string][]byte, pkg func(file string) string) bool {
	return slices.ContainsFunc(edits, func(e model.Edit) bool {
		_, lines, ok := around(e, files[e.File])
		return ok && cov.Lines(pkg(e.File), e.File, lines.from, lines.to) == reach.Timed
	})
}

// runsFile reports whether any line of the files runs in the timed loop.
func runsFile(cov *reach.Coverage, files map[string][]byte, pkg func(file string) string) bool {
	for file, src := range files {
		if cov.Lines(pkg(file), file, 1, 1+bytes.Count(src, []byte("\n"))) == reach.Timed {
			return true
		}
	}
	return false
}

// besideText reports that benchmarks run the functions that change, but
// none of the lines.
func besideText(plans []model.Plan) model.Warning {
	var names []string
	for _, p := range plans {
		names = append(names, p.Benchmark.String())
	}
	return model.Warning{
		Seen: strings.Join(names, ", ") + ": the changed lines do not run in the timed loop, only others of their function",
		Cause: "a function is compiled as a whole: a line that never runs can decide whether a variable is on the heap, or whether the function is inlined; " +
			"what the line itself costs does not show here",
		Try: "trust the counts and the compiler's notes first",
	}
}

// furthest returns how far execution came on any line that the edits touch.
func furthest(cov *reach.Coverage, edits []model.Edit, files map[string][]byte, pkg func(file string) string) reach.Reach {
	far := reach.NoCode
	for _, e := range edits {
		src, ok := files[e.File]
		if !ok || src == nil {
			continue
		}
		from := 1 + bytes.Count(src[:e.Start], []byte("\n"))
		// An edit of whole lines ends after the last line's newline.
		to := from + bytes.Count(bytes.TrimSuffix(src[e.Start:e.End], []byte("\n")), []byte("\n"))
		far = max(far, cov.Lines(pkg(e.File), e.File, from, to))
	}
	return far
}
