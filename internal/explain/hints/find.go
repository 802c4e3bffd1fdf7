package hints

import (
	"context"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/rank"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
)

// A Config is what findings are made from.
type Config struct {
	Go      *gocmd.Go // of the module; its overlay is set back after use
	Root    string    // absolute; names of files in costs and notes are relative to it
	Module  string    // absolute; a directory in Root, which findings name files from
	Scratch string    // absolute; a directory for notes and overlays, outside Root
	Pkgs    []string  // import paths of the packages to look at

	CPU    map[model.Benchmark][]model.Cost
	Allocs map[model.Benchmark][]model.Cost // may be missing: then nothing is said about escapes
	// GCShare and Stats are for the CPU share of allocations, as in rank.Input.
	GCShare map[model.Benchmark]float64
	Stats   map[model.Benchmark]model.Stats

	Notes *escape.Notes // of Pkgs at least; nil: they are taken

	// Cold says what coverage knows: that a line does not run where it counts.
	// Where it knows nothing, or is nil, what ends in a panic or an error and
	// has no samples counts as cold.
	Cold func(file string, line int) (cold, known bool)

	// MinShare is the share of a benchmark's resource below which a place is
	// not hot; 0 means 0.03.
	MinShare float64
}

const (
	minShare = 0.03
	// coldShare is the share of CPU time up to which a block is cold. A block
	// that ends in a panic or an error and has one sample of ten thousand is.
	coldShare = 0.001
)

// Find returns the findings, those worth most first. An error is one of the go
// command; a suggestion that does not compile is dropped, with the finding
// where that rests on it.
func Find(ctx context.Context, c Config) ([]model.Finding, error) {
	found, err := look(ctx, c)
	if err != nil {
		return nil, err
	}
	var out []model.Finding
	for _, f := range found {
		out = append(out, f.shown(c.Root, c.Module))
	}
	return out, nil
}

func look(ctx context.Context, c Config) ([]finding, error) {
	if c.MinShare <= 0 {
		c.MinShare = minShare
	}
	s, err := open(ctx, c)
	if err != nil {
		return nil, err
	}
	var drafts []*draft
	drafts = append(drafts, s.budgets()...)
	drafts = append(drafts, s.boundsChecks()...)
	drafts = append(drafts, s.coldEscapes()...)
	dynamic, err := s.dynamicCalls(ctx)
	if err != nil {
		return nil, err
	}
	drafts = append(drafts, dynamic...)
	if err := s.try(ctx, drafts); err != nil {
		return nil, err
	}
	out := findings(drafts)
	order(out)
	return out, nil
}

// findings returns what the drafts have come to. Where a function is inlined in
// many places, each copy of an allocation has notes of its own, with the same
// to say: that is one finding, which costs what all of them do.
func findings(drafts []*draft) []finding {
	type words struct {
		kind                      Kind
		at                        model.Pos
		resource                  model.Resource
		message, text, try, tried string
	}
	var out []finding
	said := make(map[words]int)
	all := make(map[words]ways)
	for _, d := range drafts {
		f, ok := d.finding()
		if !ok {
			continue
		}
		w := words{f.Kind, f.At, f.Resource, f.Message, f.Text, f.Try, f.Tried}
		i, again := said[w]
		if !again {
			said[w], all[w] = len(out), maps.Clone(d.ways)
			out = append(out, f)
			continue
		}
		if d.ways != nil {
			maps.Copy(all[w], d.ways)
			out[i].warm(all[w].heat())
		}
		out[i].Notes = append(slices.Clone(out[i].Notes), f.Notes...)
	}
	return out
}

// A search is one call of Find.
type search struct {
	Config
	notes *escape.Notes
	tree  *tree
	hot   *lines

	outlines int // functions that were made up, to name the next
}

func open(ctx context.Context, c Config) (*search, error) {
	s := &search{Config: c, notes: c.Notes, hot: newLines(c.CPU)}
	var err error
	if s.notes == nil {
		s.notes, err = escape.Take(ctx, c.Go, escape.Config{Dir: c.Scratch, Root: c.Root, Patterns: c.Pkgs, Pkgs: c.Pkgs})
		if err != nil {
			return nil, err
		}
	}
	s.tree, err = load(ctx, c.Go, c.Root, c.Pkgs)
	return s, err
}

// targets are the ways to allocations, as rank sees them.
func (s *search) targets() []model.Target {
	all, _ := rank.Targets(rank.Input{
		Allocs: s.Allocs, CPU: s.CPU, GCShare: s.GCShare, Stats: s.Stats, Notes: s.notes,
	})
	var out []model.Target
	for _, t := range all {
		if t.Resource == model.Allocs {
			out = append(out, t)
		}
	}
	return out
}
