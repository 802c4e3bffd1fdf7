package specimen

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
)

// Flame is of two profiles per op: encode got cheaper, grow is gone, and
// new code came.
func Flame() model.Flame {
	return model.Flame{
		Title: "BenchmarkWrite", Resource: "cpu", Unit: "ns", Two: true, PerOp: true, Total: [2]float64{1000, 800}, Samples: [2]int64{500, 480},
		Folded: 3, Cut: 0.004,
		Funcs: []model.FlameFunc{
			{Name: "example.com/m/wire.BenchmarkWrite", File: "/src/m/wire/bench_test.go", Line: 9, Module: true},
			{Name: "example.com/m/wire.(*Enc[go.shape.int]).encode", File: "/src/m/wire/enc.go", Line: 42, Module: true},
			{Name: "bytes.growSlice", File: "/go/src/bytes/buffer.go", Line: 249, Std: true},
			{Name: "golang.org/x/fast.Put", File: "/mod/fast.go", Line: 3},
			{Name: "runtime.mallocgc", File: "/go/src/runtime/malloc.go", Line: 1, Std: true},
		},
		Nodes: []model.FlameNode{
			{Func: -1, Parent: -1, Value: [2]float64{1000, 800}},
			{Func: 0, Parent: 0, Value: [2]float64{1000, 800}, Self: [2]float64{100, 90}},
			{Func: 1, Parent: 1, Value: [2]float64{600, 400}, Self: [2]float64{100, 400}, Clear: true},
			{Func: 2, Parent: 2, Value: [2]float64{500, 0}, Clear: true},
			{Func: 4, Parent: 3, Value: [2]float64{500, 0}, Self: [2]float64{500, 0}, Clear: true},
			{Func: 3, Parent: 1, Value: [2]float64{0, 150}, Self: [2]float64{0, 150}, Clear: true},
			{Func: 4, Parent: 1, Value: [2]float64{300, 160}, Self: [2]float64{300, 160}},
		},
	}
}

// WideFlame has n functions below one, each a little smaller than the last.
func WideFlame(n int) model.Flame {
	f := model.Flame{Title: "wide", Unit: "ns", Two: true, Nodes: []model.FlameNode{{Func: -1, Parent: -1}}}
	for i := range n {
		v := float64(2*n - i)
		f.Funcs = append(f.Funcs, model.FlameFunc{Name: fmt.Sprintf("example.com/some/module/with/a/path%d.(*Type).Method%d", i%100, i), File: fmt.Sprintf("/home/someone/src/module/path%d/file%d.go", i%100, i%700), Line: i})
		f.Nodes = append(f.Nodes, model.FlameNode{Func: i, Parent: i / 4, Value: [2]float64{v, v / 2}, Self: [2]float64{v, v / 2}, Clear: true})
		f.Total[0], f.Total[1] = f.Total[0]+v, f.Total[1]+v/2
	}
	f.Nodes[0].Value = f.Total
	return f
}
