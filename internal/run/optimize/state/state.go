package state

import (
	"context"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
)

// A State is one version of the module and what is known of it.
type State struct {
	*binaries
	stats map[model.Benchmark]model.Stats
	costs map[model.Benchmark]costs
	hot   map[model.Pos]bool // lines that costs show; nil until asked for

	retried bool // profiles that there was no time for once
	notes   *escape.Notes
	prog    *propose.Program
	rules   []model.Finding // what the rules report, wherever it stands

	reading *Begun // of prog and rules; nil before it began

	patterns []string // packages that notes are about
}

// baseName is the name of the state that a run begins with.
const baseName = "base"

// New returns a state of which nothing is known yet.
func (m *Module) New(name string) *State {
	return &State{binaries: newBinaries(m, name), stats: make(map[model.Benchmark]model.Stats), costs: make(map[model.Benchmark]costs)}
}

// Build builds the benchmarks of the tree as it is now. What is linked from
// the same code as in before, which may be nil, is not read again.
func (m *Module) Build(ctx context.Context, name string, before *State) (*State, error) {
	v := m.New(name)
	return v, v.Link(ctx, before)
}

// Drop removes the binaries of a state that is not built upon any more. Its
// figures and profiles stay.
func (v *State) Drop() {
	if v != nil {
		v.Shelve(nil)
	}
}

// Shelve is Drop for a state that another one stands on: what is measured of some packages
// stays, for pictures of it.
func (v *State) Shelve(pkgs map[string]bool) {
	v.reading.Stop()
	v.remove(pkgs)
	v.notes, v.prog, v.rules = nil, nil, nil
}
