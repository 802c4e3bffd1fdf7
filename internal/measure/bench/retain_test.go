package bench

import (
	"errors"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// What a benchmark keeps, what it holds for a while, what grows and what is
// garbage are told apart.
func TestHeap(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := styles(t, true)
	b := f.binary(t, "good")
	const kib = 1 << 10
	// All are differences to the heap at the start. Up to 2 KiB of that may go
	// meanwhile.
	type row struct {
		name           string
		n              int64
		slice          float64 // ns
		retained, peak [2]float64
	}
	for _, c := range sample.Part([]row{
		{"BenchmarkKeepsNothing", 100_000, 50e6, [2]float64{0, 2 * kib}, [2]float64{0, 16 * kib}},
		{"BenchmarkKeepsBuffer", 100_000, 50e6, [2]float64{62 * kib, 66 * kib}, [2]float64{62 * kib, 96 * kib}},
		// Each iteration makes 64 KiB, or a byte more, which takes 72.
		{"BenchmarkKeepsGarbage", 10_000, 60e6, [2]float64{0, 2 * kib}, [2]float64{0, 152 * kib}},
		{"BenchmarkHoldsForAWhile", 400, 100e6, [2]float64{0, 2 * kib}, [2]float64{1022 * kib, 1088 * kib}},
		// 4 MiB, and a map of 4096 slices.
		{"BenchmarkGrows", 100_000, 80e6, [2]float64{4094 * kib, 4800 * kib}, [2]float64{4094 * kib, 4800 * kib}},
	}, 3) {
		p := plan(b.benchmark(c.name), c.n)
		p.SliceNs = c.slice
		h, err := f.suite.Heap(t.Context(), b, p)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%s: %+v", c.name, h)
		if c.name == "BenchmarkKeepsGarbage" && h.Marks < heapMarks {
			// On a starved machine too few collections look to meet the point between
			// two iterations; Heap says what it then counts: one iteration's object.
			c.retained[1] = 74 * kib
		}
		if h.Retained < c.retained[0] || h.Retained > c.retained[1] {
			t.Errorf("%s retains %.0f bytes, want %.0f to %.0f", c.name, h.Retained, c.retained[0], c.retained[1])
		}
		if h.Peak < c.peak[0] || h.Peak > c.peak[1] || h.Peak < h.Retained {
			t.Errorf("%s: the peak is %.0f bytes, want %.0f to %.0f", c.name, h.Peak, c.peak[0], c.peak[1])
		}
		if h.Marks < heapLeast || h.N < c.n {
			t.Errorf("%s: %+v", c.name, h)
		}
	}
}

// A loop that is over before anything can be seen is an error of its own, and so
// is a binary that does not tell.
func TestHeapFails(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	if _, err := f.suite.HeapOf(t.Context(), b, plan(b.benchmark("BenchmarkN"), 2), 2); !errors.Is(err, ErrFewMarks) {
		t.Error(err)
	}
	stock := *b
	stock.Stock = true
	if _, err := f.suite.Heap(t.Context(), &stock, plan(b.benchmark("BenchmarkN"), 2)); !errors.Is(err, ErrNoHooks) {
		t.Error(err)
	}
	var failure *Failure
	if _, err := f.suite.Heap(t.Context(), b, plan(b.benchmark("BenchmarkSkips"), 2)); !errors.As(err, &failure) {
		t.Error(err)
	}
}

// Two arms of one plan run the same number of iterations.
func TestHeapIterations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		p    model.Plan
		want int64
	}{
		{"usual", model.Plan{N: 1000, SliceNs: 120e6, SetupNs: 30e6}, 2000},
		{"no set-up", model.Plan{N: 1000, SliceNs: 120e6}, 2500},
		{"long operation", model.Plan{N: 2, SliceNs: 800e6}, 2},
		{"much set-up", model.Plan{N: 1000, SliceNs: 120e6, SetupNs: 1880e6}, 500},
		{"no end of set-up", model.Plan{N: 1000, SliceNs: 120e6, SetupNs: 60e9}, 250},
	} {
		if got := heapIterations(c.p); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// The collector's share is in the samples of what makes it work, and nothing is
// in those of what does not.
func TestCollectorInSamples(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	p := plan(b.benchmark("BenchmarkCollects"), 50_000)
	s, err := f.suite.Slice(t.Context(), b, p, SliceOpts{CPU: gocmd.NoCPU})
	if err != nil {
		t.Fatal(err)
	}
	if s.GCs == 0 || s.GCCPUNs <= 0 || s.GCCPUNs >= s.CPUNs {
		t.Errorf("%+v", s)
	}
	pair, err := f.suite.Duet(t.Context(), b, b, p, DuetOpts{CPU: gocmd.NoCPU})
	if err != nil {
		t.Fatal(err)
	}
	if pair[0].GCCPUNs <= 0 || pair[1].GCCPUNs <= 0 || pair[0].ThrottledNs != pair[1].ThrottledNs {
		t.Errorf("%+v", pair)
	}
	// What the readings allocate is not counted: 16 nodes in each iteration.
	for _, s := range []model.Sample{s, pair[0], pair[1]} {
		if extra := int64(s.Allocs) - 16*s.N; extra < 0 || extra > 4 {
			t.Errorf("%d allocations too many", extra)
		}
	}
	s, err = f.suite.Slice(t.Context(), b, plan(b.benchmark("BenchmarkN"), 50_000), SliceOpts{CPU: gocmd.NoCPU})
	if err != nil {
		t.Fatal(err)
	}
	if s.GCs != 0 || s.GCCPUNs != 0 || s.Allocs != 0 {
		t.Errorf("%+v", s)
	}
}
