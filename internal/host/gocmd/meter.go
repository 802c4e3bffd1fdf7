package gocmd

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A Kind is what a process is run for.
type Kind int

// The kinds, in the order of their claim on time that two of them share.
const (
	Build   Kind = iota // the go command listing, compiling, linking
	Test                // the user's tests, and vet
	Measure             // benchmark processes
	kinds
)

// A Meter adds up how long processes of each kind ran. Time in which two of
// them overlap counts once, for the higher kind.
type Meter struct {
	mu    sync.Mutex
	start time.Time
	spans []span

	sandbox *Sandbox // for tests and benchmarks
	builds  *Sandbox // for the go command and what it starts, where it compiles
	ran     bool     // a test or benchmark has ended since all was in order
}

type span struct {
	kind     Kind
	from, to time.Time
}

// NewMeter returns a Meter whose total begins at start.
func NewMeter(start time.Time) *Meter { return &Meter{start: start} }

// Confine makes m start the processes of the kinds Test and Measure in tests,
// and those that compile in builds. It is called before the first of them is
// started; both are the caller's to close.
func (m *Meter) Confine(tests, builds *Sandbox) { m.sandbox, m.builds = tests, builds }

// show makes the files that flags of the go command name readable in builds,
// and further ones.
func (m *Meter) show(flags, files []string) {
	if m == nil || m.builds == nil {
		return
	}
	for _, f := range flags {
		if _, value, ok := strings.Cut(f, "="); ok && filepath.IsAbs(value) && IsFile(value) {
			files = append(files, value)
		}
	}
	m.builds.Show(slices.DeleteFunc(files, func(f string) bool { return !filepath.IsAbs(f) })...)
}

// box returns the sandbox that p is to run in; nil for none.
func (m *Meter) box(p Proc) *Sandbox {
	if m == nil {
		return nil
	}
	box := m.sandbox
	if p.trusted || p.Kind == Build || box == nil {
		box = m.builds
	}
	if p.online || !box.confines() {
		return nil
	}
	return box
}

func (m *Meter) add(k Kind, from, to time.Time) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spans = append(m.spans, span{k, from, to})
	m.ran = m.ran || k != Build
}

// swapRan reports whether a test or benchmark has ended since all was in order,
// and sets whether that is so from now on.
func (m *Meter) swapRan(ran bool) (was bool) {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	was, m.ran = m.ran, ran
	return was
}

// Split returns where the time until now went.
func (m *Meter) Split(now time.Time) model.Split {
	m.mu.Lock()
	spans := slices.Clone(m.spans)
	m.mu.Unlock()

	busy := sweep(spans)
	s := model.Split{
		Build:   busy[Build].Seconds(),
		Test:    busy[Test].Seconds(),
		Measure: busy[Measure].Seconds(),
		Total:   now.Sub(m.start).Seconds(),
	}
	s.Other = max(0, s.Total-s.Build-s.Test-s.Measure)
	return s
}

// sweep walks over the edges of all spans and gives each stretch to the
// highest kind that is running in it.
func sweep(spans []span) [kinds]time.Duration {
	type edge struct {
		at   time.Time
		kind Kind
		step int
	}
	var edges []edge
	for _, s := range spans {
		edges = append(edges, edge{s.from, s.kind, 1}, edge{s.to, s.kind, -1})
	}
	sorted.By(edges, func(a, b edge) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })

	var busy [kinds]time.Duration
	var running [kinds]int
	for i, e := range edges {
		if i > 0 {
			for k := kinds - 1; k >= 0; k-- {
				if running[k] > 0 {
					busy[k] += e.at.Sub(edges[i-1].at)
					break
				}
			}
		}
		running[e.kind] += e.step
	}
	return busy
}
