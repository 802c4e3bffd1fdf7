package optimize

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// A page collects what the HTML page of a run shows beside the run itself:
// source around what was aimed at, and the profiles on the way.
type page struct {
	run    *model.Run
	m      *state.Module
	scrub  *scrub.Scrubber
	budget time.Duration // of the run

	quotes map[string][]code.Excerpt // source around what a change aims at, by its ID
	steps  []progress                // the changes that have profiles, in order
	// refuting is how long the profiles of what was rolled back have taken.
	refuting time.Duration
}

// write writes the page of a run that has come from base to now; minEffect is the
// smallest gain that was looked for.
func (p *page) write(base, now *state.State, minEffect float64) error {
	p.run.Report = filepath.Join(p.m.Run.Dir, "report.html")
	clean, n := scrub.Value(p.scrub, *p.run)
	if n > 0 {
		clean.Warnings = append(clean.Warnings, scrub.Note("the report", n))
	}
	raw, err := p.raw(&clean)
	if err != nil {
		return err
	}
	whole, steps, err := p.flames(base, now)
	if err != nil { // a page without them is better than none
		clean.Warnings = append(clean.Warnings, model.Warning{Seen: "the page has no flame graphs", Cause: err.Error(), Try: "go tool pprof, with the profiles in the directory of the run"})
	}
	_, err = p.m.Run.Report(func(w io.Writer) error {
		return runs.HTML(w, &clean, runs.Extra{
			Excerpts: p.excerpts(base), Tried: p.quotes, MinEffect: minEffect, Flames: whole, Steps: steps, Raw: raw,
		})
	})
	return err
}

// raw returns what the page offers to take along: the run as the page knows it,
// and the samples.
func (p *page) raw(clean *model.Run) ([]data.Raw, error) {
	run, err := data.RawJSON("run.json", "All that this page says, and more, for programs.", filepath.Join(p.m.Run.Dir, "run.json"), clean)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(p.m.Run.Dir, "samples")
	files, err := rawFiles(dir)
	if err != nil || len(files) == 0 {
		return []data.Raw{run}, err
	}
	samples, err := data.Archive("samples.zip", "Every sample, as benchmark results that benchstat reads: a file for each side of each comparison.", dir, files, p.run.Started)
	return []data.Raw{run, samples}, err
}

// mostRaw is how much of the samples is packed: a page with more is too large
// in any case.
const mostRaw = 16 << 20

// rawFiles reads the files of a directory; none where it is not there, or where
// they are too large for any page.
func rawFiles(dir string) ([]data.Raw, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the samples: %w", err)
	}
	var out []data.Raw
	total := 0
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading the samples: %w", err)
		}
		if total += len(text); total > mostRaw {
			return nil, nil
		}
		out = append(out, data.Raw{Name: e.Name(), Data: text})
	}
	return out, nil
}
