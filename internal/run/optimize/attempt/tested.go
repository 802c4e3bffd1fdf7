package attempt

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// written returns the lines that edits leave behind in one file, as they are
// numbered after the edits; before is the file's content without them.
func written(edits []model.Edit, before []byte) []span {
	edits = slices.Clone(edits)
	sorted.By(edits, func(a, b model.Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []span
	line, at := 1, 0
	for _, e := range edits {
		line += bytes.Count(before[at:e.Start], []byte("\n"))
		at = e.End
		n := strings.Count(strings.TrimSuffix(e.New, "\n"), "\n")
		out = append(out, span{line, line + n})
		line += strings.Count(e.New, "\n")
	}
	return out
}

// The part of what is left of the budget that looking which lines the tests run may take, and how long it may take at least. It
// refuses nothing: what does is first.
const (
	linesShare = 0.1
	linesLeast = 2 * time.Second
)

// lines names the changed lines that no test of the changed and of the
// benchmarked packages executes, with what gather has built. What the tests
// never run they cannot speak for.
func (t *showing) lines(ctx context.Context) (*refusal, error) {
	covers, late := t.coverage(ctx)
	t.Uncompared = append(t.Uncompared, t.proof.unrun(covers, late, nil)...)
	return nil, nil
}

// coverage is that of the tests; late says why it is not known, where not all ended with it in their time.
func (t *showing) coverage(ctx context.Context) (covers []*reach.Coverage, late string) {
	t.proof.detail("which changed lines the tests run")
	most := max(linesLeast, time.Duration(linesShare*float64(t.p.ToProve())))
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	covers, err := t.proof.coverage(ctx)
	if err != nil {
		return nil, fmt.Sprintf("which of the changed lines tests run: with coverage not all ended in %s, the part of the budget that is for it", words.Seconds(most.Seconds()))
	}
	return covers, ""
}

// noCoverage is what is said where there is none.
const noCoverage = "no test covers the changed packages: they have none, or they do not build with coverage"

// unrun names the lines that the edits leave behind and no coverage shows as executed, as they
// are once the changes above have been made. late is why there is no coverage, if it would take too long.
func (x *exhibit) unrun(covers []*reach.Coverage, late string, above []*edited) (out []string) {
	if len(covers) == 0 {
		return []string{cmp.Or(late, noCoverage)}
	}
	for _, file := range slices.Sorted(maps.Keys(x.of.before)) {
		pkg := importPathOf(x.of.pkgs, x.of.m.Snap.Dir, file)
		lines := moved(written(editsOf(x.of.edits, file), x.of.before[file]), file, above)
		for _, missed := range missed(covers, pkg, file, lines) {
			out = append(out, fmt.Sprintf("no test runs %s of %s", missed, file))
		}
	}
	return out
}

// missed returns the runs of lines in spans on which statements stand that no
// coverage shows as executed.
func missed(covers []*reach.Coverage, pkg, file string, spans []span) []span {
	var out []span
	for _, sp := range spans {
		for line := sp.from; line <= sp.to; line++ {
			far := reach.NoCode
			for _, c := range covers {
				far = max(far, c.Lines(pkg, file, line, line))
			}
			switch last := len(out) - 1; {
			case far != reach.Never:
			case last >= 0 && out[last].to == line-1:
				out[last].to = line
			default:
				out = append(out, span{line, line})
			}
		}
	}
	return out
}

// coverage runs the tests of the changed and of the benchmarked packages
// with coverage of the changed ones. A package that cannot be built that way,
// or whose tests fail under it, covers nothing.
func (x *exhibit) coverage(ctx context.Context) ([]*reach.Coverage, error) {
	var out []*reach.Coverage
	for _, bin := range x.cover {
		bin.Among = x.among
		cov, err := bin.Tests(ctx, x.of.m.Go, x.of.m.TestFlags()...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			out = append(out, cov)
		}
	}
	return out, nil
}
