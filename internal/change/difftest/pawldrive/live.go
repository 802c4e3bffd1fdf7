package pawldrive

import (
	"fmt"
	"runtime"
	"time"
)

const (
	liveCalls = 32
	liveLeast = 16 << 10 // bytes of one call's results over the base's that count
	liveTimes = 4        // and how many times the base's they are
)

// live compares how much memory the results of one call keep alive: an instance
// that is made, or a small part of something large.
func (d *drive) live(end time.Time) {
	f := d.f
	if f.Results == 0 {
		return
	}
	start := ownNow()
	heapInUse()
	if n := 8 * ownNow().Sub(start); n > ownUntil(end)/2 {
		f.notes["how much memory its results keep alive: the time did not suffice"] = true
		return
	}
	n := d.fit(f.inputs, liveCalls, end)
	if n == 0 {
		return
	}
	var base, cand [2]int64
	for round := range 2 {
		base[round], cand[round] = d.keeps(n, baseOf), d.keeps(n, candOf)
		if b, c := max(base[round], 0), cand[round]; d.over() || c-b < liveLeast || c < liveTimes*b {
			return
		}
	}
	text := func(n int64) string { return fmt.Sprintf("%d KiB", max(n, 0)>>10) }
	f.keep(diff{kind: diffHeap, part: liveResults, a: text(base[1]), b: text(cand[1])}, &script{steps: []*input{f.inputs[0]}})
}

// liveResults is the part that differs, as the model names it.
const liveResults = "memory that the results of one call keep alive"

// keeps returns how many bytes the results of a call keep alive, on average.
func (d *drive) keeps(n int, side func(*input) arm) int64 {
	kept := make([][]any, 0, n)
	before := heapInUse()
	for i := 0; i < n && !d.over(); i++ {
		in := d.f.inputs[i%len(d.f.inputs)]
		args, err := duplicate(in.args)
		if err != nil {
			continue
		}
		replaceFuncs(args, d.f.Receiver)
		o := call(side(in), args, 4*deadline)
		if o.hung {
			d.hang(false)
		}
		kept = append(kept, o.results)
	}
	after := heapInUse()
	runtime.KeepAlive(kept)
	return (after - before) / int64(max(len(kept), 1))
}

// heapInUse returns the bytes that are reachable. What pools hold is gone after
// two collections.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
