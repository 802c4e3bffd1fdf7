package profile

import (
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
)

func hasFunc(fn string) func([]model.Frame) bool {
	return func(stack []model.Frame) bool {
		for _, f := range stack {
			if f.Func == fn {
				return true
			}
		}
		return false
	}
}

// A stack counts once, however often a function is on it, inlined or not.
func TestPart(t *testing.T) {
	p := cpu().
		add([]int64{30, 300}, "~m.F f.go:1", "m.G f.go:2", "main.main m.go:1").
		add([]int64{10, 100}, "m.F f.go:3", "m.F f.go:3", "m.F f.go:3", "main.main m.go:1").
		add([]int64{60, 600}, "m.G f.go:2", "main.main m.go:1").
		read(t)
	part, err := p.Part("cpu", hasFunc("m.F"))
	if err != nil {
		t.Fatal(err)
	}
	if part.Share != 0.4 || part.In != 40 || part.Of != 100 {
		t.Errorf("got %+v", part)
	}
	// Wilson's interval for 40 of 100, as tables have it.
	if math.Abs(part.Lo-0.3094) > 0.0001 || math.Abs(part.Hi-0.4980) > 0.0001 {
		t.Errorf("interval [%.4f, %.4f]", part.Lo, part.Hi)
	}
	none, err := p.Part("cpu", hasFunc("m.H"))
	if err != nil || none.Share != 0 || none.Lo != 0 || math.Abs(none.Hi-0.0370) > 0.0001 {
		t.Errorf("none: %+v, %v", none, err)
	}
	all, err := p.Part("cpu", hasFunc("main.main"))
	if err != nil || all.Share != 1 || all.Hi != 1 || all.Lo > 0.97 {
		t.Errorf("all: %+v, %v", all, err)
	}
	if _, err := p.Part("alloc_space", hasFunc("m.F")); err == nil || !strings.Contains(err.Error(), "samples, cpu") {
		t.Errorf("of another type: %v", err)
	}
	if _, err := cpu().add([]int64{-1, -10}, "m.F f.go:1").read(t).Part("cpu", hasFunc("m.F")); err == nil || !strings.Contains(err.Error(), "difference") {
		t.Errorf("of a difference: %v", err)
	}
	if empty, err := cpu().read(t).Part("cpu", hasFunc("m.F")); err != nil || empty.Of != 0 || empty.Hi != 1 {
		t.Errorf("of nothing: %+v, %v", empty, err)
	}
}

// What is scaled up from few samples tells no more than they do.
func TestPartOfHeap(t *testing.T) {
	b := heap()
	b.p.PeriodType, b.p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, 512<<10
	p := b.
		add([]int64{1_000_000, 16_000_000, 0, 0}, "m.F f.go:1"). // some 30 samples of 16 bytes each
		add([]int64{100, 100 << 20, 0, 0}, "m.G f.go:1").        // some 86 of a megabyte
		read(t)
	part, err := p.Part("alloc_objects", hasFunc("m.F"))
	if err != nil {
		t.Fatal(err)
	}
	if part.In < 29 || part.In > 32 || part.Of-part.In < 85 || part.Of-part.In > 88 {
		t.Errorf("got %+v", part)
	}
	space, err := p.Part("alloc_space", hasFunc("m.F"))
	if err != nil || math.Abs(space.Share-16e6/(16e6+100<<20)) > 1e-9 || space.Hi-space.Lo < 0.05 {
		t.Errorf("got %+v, %v", space, err)
	}
}

func TestPartOf(t *testing.T) {
	p := cpu().
		add([]int64{1, 10}, "m.F f.go:1", body, runN, run1).                                          // the first run
		add([]int64{20, 200}, "m.F f.go:1", body, runN, launch).                                      // what counts
		add([]int64{60, 600}, body, runN, launch).                                                    //
		add([]int64{10, 100}, "m.F.func1 f.go:1").                                                    // a goroutine
		add([]int64{10, 100}, "runtime.gcBgMarkWorker /go/src/runtime/mgc.go:1").                     // its garbage
		add([]int64{99, 990}, "m.F f.go:1", "m.init f.go:9", "runtime.main /go/src/runtime/proc.go"). // not its own
		read(t)
	part, err := p.PartOf(bench, "cpu", hasFunc("m.F"))
	if err != nil || part.Share != 0.2 || part.In != 20 || part.Of != 100 {
		t.Errorf("got %+v, %v", part, err)
	}
}

func TestMerge(t *testing.T) {
	a := cpu().add([]int64{1, 10}, "m.F f.go:1").read(t)
	b := cpu().add([]int64{3, 30}, "m.G f.go:1").read(t)
	m, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if part, err := m.Part("cpu", hasFunc("m.G")); err != nil || part.Share != 0.75 {
		t.Errorf("got %+v, %v", part, err)
	}
	if len(m.Functions()) != 2 {
		t.Errorf("functions: %v", m.Functions())
	}
	if _, err := Merge(a, heap().add([]int64{1, 10, 0, 0}, "m.F f.go:1").read(t)); err == nil || !strings.Contains(err.Error(), "number 2 has samples of alloc_objects") {
		t.Errorf("of two kinds: %v", err)
	}
}

func TestTraits(t *testing.T) {
	deep := make([]string, 64)
	for i := range deep {
		deep[i] = "m.F f.go:1"
	}
	p := cpu().
		add([]int64{10, 100}, deep...).
		add([]int64{30, 300}, body, runN, launch).
		add([]int64{60, 600}).
		read(t)
	got, err := p.Traits("cpu")
	if want := (Traits{Nameless: 0.6, Cut: 0.1, Bench: 0.3}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}
