package pawldrive

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

const (
	leakCalls = 200
	heapCalls = 1000 // in half a run, at most
	// What the inputs of one measurement may take.
	inputsBytes = 32 << 20
	heapLeast   = 64 << 10 // bytes over the base that count
	heapMore    = 6        // further halves, to see whether growth ends
)

// leaks calls each side many times, and counts what is left behind.
func (d *drive) leaks(end time.Time) {
	f := d.f
	if !d.begin("leaks", 0) {
		return
	}
	list := append(slices.Clone(f.inputs), d.made...)
	n := d.fit(list, leakCalls, end)
	if n == 0 {
		f.notes["goroutines, descriptors and memory left behind: its calls take too long, or its inputs are too large"] = true
		return
	}
	var g, fd [2][2]int // round, side
	for round := range 2 {
		for side, arm := range []func(*input) arm{baseOf, candOf} {
			g[round][side], fd[round][side] = d.left(list, n, arm)
		}
	}
	over := func(x [2][2]int) bool { return x[0][1]-x[0][0] >= 2 && x[1][1]-x[1][0] >= 2 }
	sc := &script{steps: []*input{list[0]}}
	if over(g) {
		f.keep(diff{kind: diffGoroutines, part: "goroutines left", a: count(g[1][0], n), b: count(g[1][1], n)}, sc)
	}
	if over(fd) {
		f.keep(diff{kind: diffDescriptors, part: "descriptors left open", a: count(fd[1][0], n), b: count(fd[1][1], n)}, sc)
	}
	d.live(end)
	d.heap(end)
}

func count(n, calls int) string { return fmt.Sprintf("%d after %d calls", max(n, 0), calls) }

// fit returns for how many calls, up to n, there is the memory to hold inputs,
// and the time to run them in an eighth of what is left; 0 when not for 20.
func (d *drive) fit(list []*input, n int, end time.Time) int {
	if d.largest == 0 {
		for _, in := range list {
			d.largest = max(d.largest, inputBytes(in)+1)
		}
	}
	n = min(n, inputsBytes/d.largest)
	start := ownNow()
	for i := range 5 {
		d.one(list[i%len(list)], baseOf, nil)
	}
	each := ownNow().Sub(start)/5 + time.Microsecond
	fits := int(ownUntil(end) / (8 * each))
	if n = min(n, fits); n < 20 {
		return 0
	}
	return n
}

// one calls one side once, on recv where there is one, and returns the
// receiver.
func (d *drive) one(in *input, side func(*input) arm, recv any) any {
	args, err := duplicate(in.args)
	if err != nil {
		return recv
	}
	replaceFuncs(args, d.f.Receiver)
	if d.f.Receiver {
		if recv != nil {
			args[0] = recv
		}
		recv = args[0]
	}
	if o := call(side(in), args, 4*deadline); o.hung {
		d.hang(false)
	}
	return recv
}

// left calls one side n times and returns the goroutines and descriptors that
// there are more afterwards. The collector rests: it would close files.
func (d *drive) left(list []*input, n int, side func(*input) arm) (goroutines, files int) {
	runtime.GC()
	defer restCollector()()
	g, fd := settle(0), descriptors()
	for i := 0; i < n && !d.over(); i++ {
		d.one(list[i%len(list)], side, nil)
	}
	return settle(g) - g, descriptors() - fd
}

// restCollector keeps the collector from running before the heap has grown by
// half a gigabyte, and returns how to go on.
func restCollector() func() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(int64(m.Sys)+512<<20)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// descriptors counts the open files of the process, 0 where the system does not
// say.
func descriptors() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}

// heap calls each side with inputs that are all new, in two halves: memory that
// grows in the second as in the first is kept.
func (d *drive) heap(end time.Time) {
	f := d.f
	n := d.fit(f.inputs, min(heapCalls, d.o.pairs), end)
	first, second := d.distinct(n), d.distinct(n)
	if len(first) < 20 || len(second) < 20 {
		f.notes["memory kept after calls with new inputs: too few can be generated"] = true
		d.measureStates(nil, nil, nil)
		return
	}
	for _, dropped := range []bool{true, false} {
		if dropped && !f.Receiver || d.over() {
			continue
		}
		br, cr := keptReceiver{dropped: dropped}, keptReceiver{dropped: dropped}
		b := d.growth(baseOf, &br, false, first, second)
		c := d.growth(candOf, &cr, !dropped, first, second)
		for i := 0; i < heapMore && c.over(b) && ownNow().Before(end); i++ {
			next := d.distinct(n) // a cache may have a bound further out
			b = b.then(d.growth(baseOf, &br, false, next))
			c = c.then(d.growth(candOf, &cr, false, next))
		}
		if c.over(b) {
			sc := &script{steps: []*input{first[0]}}
			f.keep(diff{kind: diffHeap, part: "memory kept", a: b.String(), b: c.String()}, sc)
			return
		}
	}
}

// A growth is by how much the live heap grew over calls with new inputs: at
// first, in the last part, and in all.
type growth struct {
	first, last   float64 // bytes per call
	all, allCalls int64
}

func (g growth) over(base growth) bool {
	return g.last > 0 && g.last >= g.first/2 && g.all-base.all > heapLeast
}

func (g growth) then(more growth) growth {
	return growth{first: g.first, last: more.last, all: g.all + more.all, allCalls: g.allCalls + more.allCalls}
}

func (g growth) String() string {
	return fmt.Sprintf("%d bytes more after %d calls, %.0f per call at the end", max(g.all, 0), g.allCalls, max(g.last, 0))
}

// A keptReceiver is the receiver of many calls, or says that each has its own.
type keptReceiver struct {
	dropped bool
	v       any
}

// growth calls one side with lists of inputs; states asks to measure those too.
func (d *drive) growth(side func(*input) arm, recv *keptReceiver, states bool, parts ...[]*input) (out growth) {
	if !recv.dropped && recv.v == nil && len(parts[0]) > 0 {
		recv.v = d.one(parts[0][0], side, nil)
	}
	var sizes [][]int64
	if states {
		sizes = append(sizes, d.stateSizes(recv.v))
	}
	last := heapInUse()
	for i, part := range parts {
		for _, in := range part {
			if d.over() {
				break
			}
			if recv.v == nil || sameReceiver(recv.v, in) {
				d.one(in, side, recv.v)
			}
		}
		now := heapInUse()
		out.last = float64(now-last) / float64(len(part)+1)
		if i == 0 {
			out.first = out.last
		}
		out.all += now - last
		out.allCalls += int64(len(part))
		last = now
		if states {
			sizes = append(sizes, d.stateSizes(recv.v))
		}
	}
	if len(sizes) == 3 {
		d.measureStates(sizes[0], sizes[1], sizes[2])
	}
	runtime.KeepAlive(recv)
	return out
}

// settle lets goroutines that are about to end do so: until there are no more
// than want, or until their number has not changed for a while.
func settle(want int) int {
	n := runtime.NumGoroutine()
	for same, i := 0, 0; n > want && same < 10 && i < 200; i++ {
		time.Sleep(time.Millisecond)
		if now := runtime.NumGoroutine(); now != n {
			n, same = now, 0
		} else {
			same++
		}
	}
	return n
}
