package metrics

import (
	"math"
	"time"
)

// A Reading is what a page said at one moment, by the keys of names.
type Reading struct {
	At     time.Time
	Form   string // prometheus, expvar, runtime/metrics, heap or process
	Values map[string]float64
	Hists  map[string]Histogram
	// Pauses are those of the last 256 cycles, in seconds, cycle n at (n+255)%256;
	// nil where the page does not have them.
	Pauses  []float64
	Go      string // the release, as in go1.26.1
	Command string // the program's own command line, its words apart by NUL; "" where it is not told
	Odd     []string
}

func newReading(form string) *Reading {
	return &Reading{Form: form, Values: map[string]float64{}, Hists: map[string]Histogram{}}
}

// put keeps a figure if it can be one: neither negative nor infinite. Others
// are noted.
func (r *Reading) put(key string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		r.odd(key)
		return
	}
	r.Values[key] = v
}

func (r *Reading) odd(key string) {
	if len(r.Odd) < 10 {
		r.Odd = append(r.Odd, key)
	}
}

func (r *Reading) derive() {
	v := r.Values
	if _, ok := v[heapFree]; !ok {
		if idle, ok := v[heapIdle]; ok {
			if released, ok := v[heapReleased]; ok {
				v[heapFree] = max(0, idle-released)
			}
		}
	}
	if _, ok := v[heapUnused]; !ok {
		if inuse, ok := v[heapInuse]; ok {
			if objects, ok := v[heapObjects]; ok {
				v[heapUnused] = max(0, inuse-objects)
			}
		}
	}
	if h, ok := r.Hists[oldPauses]; ok {
		if _, newer := r.Hists[gcPauses]; !newer {
			r.Hists[gcPauses] = h
		}
		delete(r.Hists, oldPauses)
	}
	// Without a limit and with the collector off, the runtime gives the largest numbers.
	if v[gogc] > 1<<31 {
		v[gogc] = off
	}
	if v[memoryLimit] >= 1<<62 {
		v[memoryLimit] = off
	}
}

// off stands for GOGC=off and for no memory limit.
const off = -1

// useful reports whether anything of Go's runtime was there.
func (r *Reading) useful() bool {
	for key := range r.Values {
		switch key {
		case residentSet, processCPU, started:
		default:
			return true
		}
	}
	return len(r.Hists) > 0
}
