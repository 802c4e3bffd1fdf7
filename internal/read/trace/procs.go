package trace

import xtrace "golang.org/x/exp/trace"

// maxProcs is how many processors are told apart.
const maxProcs = 4096

// processors is how the processors were used.
type processors struct {
	at       xtrace.Time
	begun    bool
	now, max uint64 // GOMAXPROCS
	capacity int64  // nanoseconds of all processors
	busy     map[xtrace.ProcID]int64
	total    int64

	running, runnable int
	longest           int   // queue of runnable goroutines
	queued            int64 // goroutines times nanoseconds
	saturated         int64
}

func newProcessors() processors { return processors{busy: make(map[xtrace.ProcID]int64)} }

func (p *processors) begin(at xtrace.Time) {
	if !p.begun {
		p.begun, p.at = true, at
	}
}

// limit is GOMAXPROCS from now on.
func (p *processors) limit(at xtrace.Time, n uint64) {
	n = min(n, maxProcs) // what is more is no processor, but a broken file
	if p.max == 0 {
		p.now = n // since the beginning: the trace says it soon, not first
	}
	p.advance(at)
	p.now, p.max = n, max(p.max, n)
}

// advance accounts for the time since the last change.
func (p *processors) advance(at xtrace.Time) {
	ns := int64(at - p.at)
	if ns <= 0 {
		return
	}
	p.at = at
	p.capacity += int64(p.now) * ns
	p.queued += int64(p.runnable) * ns
	if p.runnable > 0 && p.now > 0 && p.running >= int(p.now) {
		p.saturated += ns
	}
}

// change is a goroutine's change of state.
func (p *processors) change(from, to xtrace.GoState) {
	p.running += delta(from, to, xtrace.GoRunning)
	p.runnable += delta(from, to, xtrace.GoRunnable)
	p.longest = max(p.longest, p.runnable)
}

func delta(from, to, state xtrace.GoState) int {
	switch {
	case from == to:
		return 0
	case to == state:
		return 1
	case from == state:
		return -1
	}
	return 0
}

// share is the part of all processors' time that ns is. A change of GOMAXPROCS
// is told a little after it happens, so that more may have run than had a place.
func (p *processors) share(ns int64) float64 { return min(1, part(ns, p.capacity)) }

// ran adds the time that a goroutine ran on a processor.
func (p *processors) ran(id xtrace.ProcID, ns int64) {
	p.total += ns
	if _, ok := p.busy[id]; id != xtrace.NoProc && (ok || len(p.busy) < maxProcs) {
		p.busy[id] += ns
	}
}
