package state

import (
	"context"

	"github.com/pawl-dev/pawl/internal/model"
)

// A State is one version of the module and what is known of it.
type State struct {
	*binaries
	figures
	source
}

// Figures are what was measured and profiled of one version.
type figures struct {
	stats   map[model.Benchmark]model.Stats
	costs   map[model.Benchmark]costs
	hot     map[model.Pos]bool // lines that costs show; nil until asked for
	retried bool               // profiles that there was no time for once
}

// baseName is the name of the state that a run begins with.
const baseName = "base"

// New returns a state in which nothing has been measured yet.
func (m *Module) New(name string) *State {
	return &State{
		binaries: newBinaries(m, name), source: source{mod: m},
		figures: figures{stats: make(map[model.Benchmark]model.Stats), costs: make(map[model.Benchmark]costs)},
	}
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
