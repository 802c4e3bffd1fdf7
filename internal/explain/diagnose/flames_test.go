package diagnose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/read/profile"
)

func TestFlames(t *testing.T) {
	t.Parallel()
	cpu := source(t, "cpu.pprof", raw(cpuTypes, cpuRow(30, "runtime.mallocgc example.com/m.F main.main"), cpuRow(10, "example.com/dep.G main.main")))
	more := source(t, "more.pprof", raw(cpuTypes, cpuRow(10, "example.com/dep.G main.main")))
	heap := source(t, "heap.pprof", raw(heapTypes, row{"example.com/m.F main.main", []int64{5, 500, 1, 100}}))
	block := source(t, "block.pprof", raw(delayTypes, row{"runtime.chanrecv1 example.com/m.F", []int64{5, 500}}))
	none := source(t, "none.pprof", raw(goroutineTypes))
	got, err := Flames([]profile.Source{cpu, heap, block, more, none}, []profile.Source{more}, Options{Own: "example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	type head struct {
		Title, Resource, Unit string
		Two                   bool
		Total                 [2]float64
	}
	heads := map[string][]head{}
	for kind, flames := range got {
		for _, f := range flames {
			heads[kind] = append(heads[kind], head{f.Title, f.Resource, f.Unit, f.Two, f.Total})
		}
	}
	want := map[string][]head{
		"cpu":   {{"more.pprof → cpu.pprof, more.pprof", "cpu", "ns", true, [2]float64{1e8, 5e8}}},
		"heap":  {{"heap.pprof", "bytes", "bytes", false, [2]float64{500, 0}}, {"heap.pprof", "allocs", "objects", false, [2]float64{5, 0}}, {"heap.pprof", "live", "bytes", false, [2]float64{100, 0}}},
		"block": {{"block.pprof", "block", "ns", false, [2]float64{500, 0}}},
	}
	if diff := cmp.Diff(want, heads); diff != "" {
		t.Errorf("graphs (-want +got):\n%s", diff)
	}
	for _, f := range got["cpu"][0].Funcs {
		if own := strings.HasPrefix(f.Name, "main.") || strings.HasPrefix(f.Name, "example.com/m."); f.Module != own {
			t.Errorf("%s is the program's own: %v", f.Name, f.Module)
		}
	}
	if _, err := Flames([]profile.Source{source(t, "diff.pprof", raw(cpuTypes, row{"main.main", []int64{-1, -1}})), cpu}, nil, Options{}); err == nil {
		t.Error("the graph of a difference was made")
	}
	if got := (Options{}).ofProgram("example.com/dep.G"); !got || (Options{}).ofProgram("runtime.main") || profile.Standard("example.com/dep.G") {
		t.Error("without Own, all modules are the program")
	}
}
