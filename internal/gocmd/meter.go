package gocmd

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
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

	sandbox *Sandbox
	ran     bool // a test or benchmark has ended since all was in order
}

type span struct {
	kind     Kind
	from, to time.Time
}

// NewMeter returns a Meter whose total begins at start.
func NewMeter(start time.Time) *Meter { return &Meter{start: start} }

// Confine makes m start the processes of the kinds Test and Measure in s, but
// for the go command, which runs no code of the module. It is called before the
// first of them is started; s is the caller's to close.
func (m *Meter) Confine(s *Sandbox) { m.sandbox = s }

func (m *Meter) confines() bool { return m != nil && m.sandbox.confines() }

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
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })

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
