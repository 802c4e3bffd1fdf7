package profile

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
)

// outline is a flame graph as text: a line for each node, indented.
func outline(fl *model.Flame) []string {
	depth := make([]int, len(fl.Nodes))
	var out []string
	for i, n := range fl.Nodes {
		name := "-"
		if n.Func >= 0 {
			name = fl.Funcs[n.Func].Name
		}
		if n.Parent >= 0 {
			depth[i] = depth[n.Parent] + 1
		}
		out = append(out, fmt.Sprintf("%s%s %v self %v rest %v", strings.Repeat(". ", depth[i]), name, n.Value, n.Self, n.Rest))
	}
	return out
}

// sums checks what holds of every flame graph.
func sums(t *testing.T, fl *model.Flame) {
	t.Helper()
	below := make([][2]float64, len(fl.Nodes))
	for i, n := range slices.Backward(fl.Nodes) {
		if n.Parent >= i || (n.Parent < 0) != (i == 0) || (n.Func < 0) != (i == 0) || n.Func >= len(fl.Funcs) {
			t.Fatalf("node %d: %+v", i, n)
		}
		for side := range n.Value {
			if got := n.Self[side] + n.Rest[side] + below[i][side]; math.Abs(got-n.Value[side]) > 1e-9*fl.Total[side] {
				t.Errorf("node %d: self, rest and children are %v of %v", i, got, n.Value[side])
			}
			if i > 0 {
				below[n.Parent][side] += n.Value[side]
			}
		}
	}
	if len(fl.Nodes) == 0 || fl.Nodes[0].Value != fl.Total {
		t.Errorf("the root does not have the total, %v", fl.Total)
	}
}

func TestFlame(t *testing.T) {
	base := cpu().
		add([]int64{3, 30}, "~m.leaf f.go:3", "m.walk f.go:10", "m.walk f.go:11", "main.main m.go:1").
		add([]int64{1, 10}, "m.walk f.go:10", "m.walk f.go:12", "main.main m.go:1").
		add([]int64{4, 40}, "runtime.mallocgc malloc.go:1", "m.walk f.go:12", "main.main m.go:1").
		add([]int64{2, 20}).
		read(t)
	after := cpu().
		add([]int64{3, 30}, "m.leaf f.go:3", "m.walk f.go:10", "m.walk f.go:11", "main.main m.go:1").
		add([]int64{5, 50}, "m.fresh f.go:9", "main.main m.go:2").
		read(t)
	fl, err := NewFlame(base, after, FlameOptions{Title: "x", Type: "cpu", Module: InModule("m")})
	if err != nil {
		t.Fatal(err)
	}
	sums(t, fl)
	want := []string{
		"- [100 80] self [20 0] rest [0 0]",
		". main.main [80 80] self [0 0] rest [0 0]",
		". . m.walk [80 30] self [0 0] rest [0 0]",
		". . . m.walk [40 30] self [10 0] rest [0 0]",
		". . . . m.leaf [30 30] self [30 30] rest [0 0]",
		". . . runtime.mallocgc [40 0] self [40 0] rest [0 0]",
		". . m.fresh [0 50] self [0 50] rest [0 0]",
	}
	if diff := cmp.Diff(want, outline(fl)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	if fl.Resource != "cpu" || fl.Unit != "ns" || !fl.Two || fl.PerOp || fl.Samples != [2]int64{10, 8} || fl.Folded != 0 || fl.Cut != 0 {
		t.Errorf("head %+v", fl)
	}
	wantFuncs := []model.FlameFunc{
		{Name: "main.main", File: "m.go", Line: 1, Module: true}, {Name: "m.walk", File: "f.go", Line: 10, Module: true},
		{Name: "m.leaf", File: "f.go", Line: 3, Module: true}, {Name: "runtime.mallocgc", File: "malloc.go", Line: 1, Std: true},
		{Name: "m.fresh", File: "f.go", Line: 9, Module: true},
	}
	if diff := cmp.Diff(wantFuncs, fl.Funcs); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
}

func TestFlamePerOp(t *testing.T) {
	p := cpu().
		add([]int64{1, 10}, encode, body, runN, run1).
		add([]int64{20, 200}, encode, body, runN, launch).
		add([]int64{10, 100}, "runtime.gcBgMarkWorker /go/src/runtime/mgc.go:1").
		add([]int64{99, 990}, "m.init f.go:9", "runtime.main /go/src/runtime/proc.go").
		read(t)
	once := cpu().add([]int64{6, 60}, encode, body, runN, run1).read(t)
	for name, tt := range map[string]struct {
		o    FlameOptions
		want [2]float64
	}{
		"ops":      {FlameOptions{Ops: [2]float64{100, 10}}, [2]float64{3, 6}},
		"measured": {FlameOptions{PerOp: [2]float64{4, 9}}, [2]float64{4, 9}},
		"one only": {FlameOptions{Ops: [2]float64{100, 0}}, [2]float64{300, 60}},
	} {
		tt.o.Type, tt.o.Benchmark = "cpu", &bench
		fl, err := NewFlame(p, once, tt.o)
		if err != nil {
			t.Fatal(err)
		}
		sums(t, fl)
		if !cmp.Equal(tt.want, fl.Total, cmpopts.EquateApprox(1e-12, 0)) || fl.Samples != [2]int64{30, 6} || fl.PerOp != (name != "one only") {
			t.Errorf("%s: total %v, samples %v, per op %v; want %v", name, fl.Total, fl.Samples, fl.PerOp, tt.want)
		}
	}
}

// Of a difference, only what samples show beyond chance is clear: as shares,
// for one of the profiles may have been taken for longer.
func TestFlameClear(t *testing.T) {
	side := func(f, g, h int64) *Profile {
		return cpu().add([]int64{f, f * 10}, "m.F f.go:1").add([]int64{g, g * 10}, "m.G f.go:2").add([]int64{h, h * 10}, "m.H f.go:3").read(t)
	}
	clear := func(base, candidate *Profile, o FlameOptions) []string {
		t.Helper()
		o.Type = base.Types()[len(base.Types())-1]
		fl, err := NewFlame(base, candidate, o)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, n := range fl.Nodes {
			if n.Clear && n.Func >= 0 {
				names = append(names, fl.Funcs[n.Func].Name)
			}
		}
		slices.Sort(names)
		return names
	}
	base, candidate := side(5000, 300, 1), side(10_000, 200, 4)
	if got := clear(base, candidate, FlameOptions{}); !slices.Equal(got, []string{"m.F", "m.G"}) {
		t.Errorf("shares: %v", got)
	}
	if got := clear(base, candidate, FlameOptions{Ops: [2]float64{5, 10}}); !slices.Equal(got, []string{"m.G"}) {
		t.Errorf("per op: %v", got)
	}
	if got := clear(base, nil, FlameOptions{}); got != nil {
		t.Errorf("of one profile: %v", got)
	}
	goroutines := func(n int64) *Profile { return newBuilder("goroutine").add([]int64{n}, "m.F f.go:1").read(t) }
	if got := clear(goroutines(100), goroutines(101), FlameOptions{Ops: [2]float64{1, 1}}); !slices.Equal(got, []string{"m.F"}) {
		t.Errorf("goroutines, which are counted: %v", got)
	}
}

func TestFlameErrors(t *testing.T) {
	good := cpu().add([]int64{1, 10}, "m.F f.go:1").read(t)
	for name, tt := range map[string]struct {
		base, candidate *Profile
		want            string
	}{
		"another type": {good, heap().add([]int64{1, 1}, "m.F f.go:1").read(t), `flame graph of x: the profile has no samples of type "cpu"`},
		"a difference": {cpu().add([]int64{-1, -1}, "m.F f.go:1").read(t), nil, "negative values"},
	} {
		if _, err := NewFlame(tt.base, tt.candidate, FlameOptions{Title: "x", Type: "cpu"}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	fl, err := NewFlame(cpu().read(t), nil, FlameOptions{Type: "cpu"})
	if err != nil || len(fl.Nodes) != 1 || fl.Funcs == nil {
		t.Errorf("of nothing: %+v, %v", fl, err)
	}
}

// A stack that no profiler records is cut, and nothing of its value lost.
func TestFlameDepth(t *testing.T) {
	deep := slices.Repeat([]string{"m.F f.go:1"}, 100_000)
	fl, err := NewFlame(cpu().add([]int64{1, 10}, deep...).read(t), nil, FlameOptions{Type: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	sums(t, fl)
	if len(fl.Nodes) != flameDepth+1 || fl.Folded != 1 || fl.Nodes[flameDepth].Rest[0] != 10 {
		t.Errorf("%d nodes, %d folded", len(fl.Nodes), fl.Folded)
	}
}

// randomProfile has stacks of a few functions that call each other at random.
func randomProfile(t *testing.T, r *rand.Rand, stacks int) *Profile {
	b := cpu()
	for range stacks {
		frames := make([]string, r.IntN(12))
		for i := range frames {
			frames[i] = fmt.Sprintf("m.F%d f.go:%d", r.IntN(12), 1+r.IntN(3))
			if i < len(frames)-1 && r.IntN(4) == 0 {
				frames[i] = "~" + frames[i]
			}
		}
		n := r.Int64N(50)
		b.add([]int64{n, n * 1e7}, frames...)
	}
	return b.read(t)
}

func TestFlameSums(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		base, candidate := randomProfile(t, r, r.IntN(60)), randomProfile(t, r, r.IntN(60))
		if r.IntN(3) == 0 {
			candidate = nil
		}
		o := FlameOptions{Type: "cpu", Nodes: r.IntN(40), Cut: r.Float64() * 0.05 * float64(r.IntN(2))}
		if r.IntN(2) == 0 {
			o.Ops = [2]float64{r.Float64() * 100, r.Float64() * 100}
		}
		fl, err := NewFlame(base, candidate, o)
		if err != nil {
			t.Fatal(err)
		}
		sums(t, fl)
		if o.Nodes > 0 && len(fl.Nodes) > o.Nodes {
			t.Errorf("seed %d: %d nodes; at most %d were asked for", seed, len(fl.Nodes), o.Nodes)
		}
		whole, err := NewFlame(base, candidate, FlameOptions{Type: "cpu", Ops: o.Ops})
		if err != nil {
			t.Fatal(err)
		}
		if len(fl.Nodes)+fl.Folded != len(whole.Nodes) || whole.Total != fl.Total {
			t.Errorf("seed %d: %d nodes and %d folded of %d", seed, len(fl.Nodes), fl.Folded, len(whole.Nodes))
		}
		again, err := NewFlame(base, candidate, o)
		if err != nil || !cmp.Equal(fl, again) {
			t.Errorf("seed %d: it differs from time to time (%v)", seed, err)
		}
	}
}

func BenchmarkNewFlame(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu"}}}
	for i := range 2000 {
		f := &profile.Function{ID: uint64(i + 1), Name: fmt.Sprintf("example.com/m/pkg%d.(*Type).Method%d", i%50, i), Filename: fmt.Sprintf("/src/m/pkg%d/file.go", i%50)}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Address: uint64(i + 1), Line: []profile.Line{{Function: f, Line: int64(i)}}})
	}
	for range 20_000 {
		s := &profile.Sample{Value: []int64{1, 1e7}}
		at := 0
		for range 40 {
			s.Location = append(s.Location, p.Location[at])
			at = (at*3 + r.IntN(3)) % len(p.Location)
		}
		p.Sample = append(p.Sample, s)
	}
	own, err := convert(p)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewFlame(own, nil, FlameOptions{Type: "cpu"}); err != nil {
			b.Fatal(err)
		}
	}
}

// What can be read as a profile has a flame graph, or an error that says why
// not.
func FuzzFlame(f *testing.F) {
	for _, b := range []*builder{
		cpu().add([]int64{1, 10}, "~m.F f.go:1", "m.G g.go:2").add([]int64{2, math.MaxInt64}, "m.F f.go:1"),
		heap().add([]int64{1, 10, 1, 10}, "m.F f.go:1").add([]int64{-1, 0, 0, 0}),
		newBuilder("goroutine").add([]int64{3}),
	} {
		var buf bytes.Buffer
		if err := b.p.WriteUncompressed(&buf); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes(), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, nodes uint8) {
		p, err := ReadLimited(bytes.NewReader(data), 1<<16)
		if err != nil {
			t.Skip()
		}
		for _, typ := range p.Types()[:min(4, len(p.Types()))] {
			fl, err := NewFlame(p, p, FlameOptions{Type: typ, Nodes: int(nodes), Ops: [2]float64{1, 2}})
			if err != nil {
				continue
			}
			sums(t, fl)
		}
	})
}
