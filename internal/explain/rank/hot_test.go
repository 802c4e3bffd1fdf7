package rank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

const hotSource = `package a

func f(dst []byte, s string, n []int) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, s[i])
		g(n, i)
		n = append(n, i)
	}
	for _, r := range s {
		h(func() {
			g(n, int(r))
		})
	}
	dst = append(dst, s[0])
	return dst
}

func g(n []int, i int) { n[i] = 0 }

func (b *B[T]) put(c byte) {
	b.to = append(b.to, c)
}
`

func hotFile(name string) ([]byte, error) {
	if name != "a/a.go" {
		return nil, fmt.Errorf("no file %s", name)
	}
	return []byte(hotSource), nil
}

// on returns a frame of the module.
func on(fn string, line int) model.Frame {
	return model.Frame{Func: "example.com/m/a." + fn, File: "a/a.go", Line: line, Module: true}
}

func std(fn string) model.Frame { return model.Frame{Func: fn, File: "/go/x.go", Line: 1} }

func TestHotReason(t *testing.T) {
	check := model.Note{Kind: model.NoteBounds, Chain: []model.Pos{{File: "a/a.go", Line: 18}}}
	put := on("(*B[...]).put", 21)
	put.Inline = true
	for _, c := range []struct {
		stack []model.Frame
		kind  model.ReasonKind
		text  string
	}{
		{[]model.Frame{std("regexp.(*machine).step"), std("regexp.(*Regexp).Find"), on("f", 15)}, model.ReasonLibrary, "10.0 % in package regexp, called here as regexp.(*Regexp).Find"},
		{[]model.Frame{std("runtime.mallocgc"), std("gopkg.in/yaml%2ev3.New[go.shape.int]"), on("f", 15)}, model.ReasonLibrary, "package gopkg.in/yaml%2ev3, called here as yaml%2ev3.New[…]"},
		{[]model.Frame{std("internal/sync.(*Mutex).lockSlow"), std("log.(*Logger).output"), on("f", 15)}, model.ReasonLock, "waiting for a mutex (sync.(*Mutex).lockSlow)"},
		{[]model.Frame{std("sync.(*Mutex).Lock"), on("f", 15)}, model.ReasonLock, "without waiting (sync.(*Mutex).Lock)"},
		{[]model.Frame{std("runtime.lock2"), std("runtime.chansend1"), on("f", 15)}, model.ReasonChannel, "sending to a channel (runtime.chansend1)"},
		{[]model.Frame{std("runtime.mallocgc"), std("runtime.newproc"), on("f", 15)}, model.ReasonGo, "starting a goroutine (runtime.newproc)"},
		{[]model.Frame{std("runtime.mallocgc"), std("runtime.convT64"), on("f", 15)}, model.ReasonBoxing, "putting a value into an interface (runtime.convT64)"},
		{[]model.Frame{std("runtime.decoderune"), on("f", 9)}, model.ReasonRune, "decoding UTF-8 (runtime.decoderune)"},
		{[]model.Frame{std("internal/runtime/maps.(*Iter).Next"), on("f", 15)}, model.ReasonMap, "going through a map (maps.(*Iter).Next)"},
		{[]model.Frame{std("internal/runtime/maps.(*table).rehash"), std("runtime.mapassign_faststr"), std("maps.Copy[go.shape.map[string]int]"), on("f", 15)}, model.ReasonMap, "10.0 % in storing in a map (maps.Copy[…]), 10.0 % while it grows"},
		{[]model.Frame{std("slices.insertionSort[go.shape.int]"), std("slices.Sort[go.shape.int]"), on("f", 15)}, model.ReasonLibrary, "package slices, called here as slices.Sort[…]"},
		{[]model.Frame{std("runtime.pcvalue"), std("runtime.Callers"), on("f", 15)}, model.ReasonLibrary, "package runtime, called here as runtime.Callers"},
		{[]model.Frame{std("runtime.pcvalue"), std("runtime.(*Frames).Next"), on("f", 15)}, model.ReasonLibrary, "called here as runtime.(*Frames).Next"},
		{[]model.Frame{std("runtime.asyncPreempt"), on("f", 15)}, model.ReasonHot, "10.0 % of the CPU time"},
		{[]model.Frame{std("runtime.memmove"), on("f", 15)}, model.ReasonHot, "10.0 % of the CPU time, 10.0 % in runtime.memmove"},
		{[]model.Frame{on("f", 5)}, model.ReasonBytewise, "appended one at a time, in the loop at a/a.go:4"},
		{[]model.Frame{on("f", 7)}, model.ReasonHot, "10.0 % of the CPU time, in the loop at a/a.go:4"},
		{[]model.Frame{on("f", 14)}, model.ReasonHot, "10.0 % of the CPU time"},
		{[]model.Frame{put, on("f", 6)}, model.ReasonBytewise, "in the loop at a/a.go:4"},
		{[]model.Frame{on("g", 18), on("f", 6)}, model.ReasonBounds, "10.0 % on the line itself, where the compiler checks an index each time round, in the loop at a/a.go:4"},
		{[]model.Frame{on("g", 18), on("f", 14)}, model.ReasonHot, "10.0 % of the CPU time"},
		{[]model.Frame{on("g", 18), on("f.func1", 11)}, model.ReasonHot, "10.0 % of the CPU time"},
	} {
		targets, _ := Targets(Input{
			CPU:    map[model.Benchmark][]model.Cost{bm: {cost(model.CPU, 10, 0.1, 0, c.stack...)}},
			Notes:  notes{fmt.Sprint(check.Chain): {check}},
			Source: hotFile,
		})
		r := targets[0].Reason
		if r.Kind != c.kind || !strings.HasSuffix(r.Text, c.text) {
			t.Errorf("%v: %s: %s;\nwant %s: …%s", c.stack, r.Kind, r.Text, c.kind, c.text)
		}
	}
}

// Whether a line is in a loop is a matter of all ways to it, not of the one
// that costs most.
func TestHotLoop(t *testing.T) {
	put := on("(*B[...]).put", 21)
	for _, c := range []struct {
		inLoop float64
		want   model.ReasonKind
	}{{0.05, model.ReasonHot}, {0.08, model.ReasonBytewise}} {
		targets, _ := Targets(Input{Source: hotFile, CPU: map[model.Benchmark][]model.Cost{bm: {
			cost(model.CPU, 6, 0.06, 0, put, on("f", 14)),
			cost(model.CPU, 1, c.inLoop/2, 0, put, on("f", 6)),
			cost(model.CPU, 1, c.inLoop/2, 0, put, on("f", 7)),
		}}})
		if r := targets[0].Reason; r.Kind != c.want {
			t.Errorf("%v in a loop: %+v; want %s", c.inLoop, r, c.want)
		}
	}
}

// A line's time in two packages is that of neither, and a second package is
// not counted for the first.
func TestHotMixed(t *testing.T) {
	at := on("f", 15)
	targets, _ := Targets(Input{CPU: map[model.Benchmark][]model.Cost{bm: {
		cost(model.CPU, 4, 0.4, 0, std("fmt.Sprint"), at),
		cost(model.CPU, 3, 0.3, 0, std("strconv.Itoa"), at),
		cost(model.CPU, 3, 0.3, 0, at),
	}}})
	if r := targets[0].Reason; r.Kind != model.ReasonHot || r.Text != "100.0 % of the CPU time, 40.0 % in fmt.Sprint" {
		t.Errorf("%+v", r)
	}
}

// Many allocations of one line do not hide the next line, and a line of a test
// file comes last, however much it costs.
func TestOrder(t *testing.T) {
	many, few, test := on("f", 5), on("f", 14), body1
	in := Input{
		Allocs: map[model.Benchmark][]model.Cost{bm: {
			cost(model.Allocs, 1, 0.1, 100, std("p.A"), many),
			cost(model.Allocs, 1, 0.1, 100, std("p.B"), many),
			cost(model.Allocs, 1, 0.1, 100, std("p.C"), many),
			cost(model.Allocs, 5, 0.5, 500, test),
			cost(model.Allocs, 1, 0.1, 200, few),
		}},
		CPU: map[model.Benchmark][]model.Cost{bm: {
			cost(model.CPU, 50, 0.5, 0, std("p.A"), many),
			cost(model.CPU, 10, 0.1, 0, few),
		}},
		GCShare: map[model.Benchmark]float64{bm: 0.3},
	}
	targets, _ := Targets(in)
	var got []string
	for _, x := range targets {
		got = append(got, fmt.Sprintf("%s %s rank %d %s", x.ID, x.Resource, x.Rank, x.At))
	}
	want := []string{
		"T1 cpu rank 1 a/a.go:5", "T2 cpu rank 2 a/a.go:14",
		"T3 allocs rank 2 a/a.go:14", "T4 allocs rank 1 a/a.go:5", "T5 allocs rank 1 a/a.go:5", "T6 allocs rank 1 a/a.go:5",
		"T7 allocs rank 3 a/a_test.go:7",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

// The lines of one statement have one place; those of a function literal in it
// have their own.
func TestStatement(t *testing.T) {
	src := "package a\n\nfunc f() any {\n\tx := &T{\n\t\ta: g(),\n\t}\n\treturn h(func() int {\n\t\treturn 1\n\t}, x,\n\t\tg())\n}\n\nvar p = Pool{\n\tn: g(),\n}\n"
	r := &reader{source: func(string) ([]byte, error) { return []byte(src), nil }, files: make(map[string]*syntax)}
	want := map[int]int{4: 4, 5: 4, 6: 4, 7: 7, 8: 8, 10: 7, 13: 13, 14: 13, 99: 99}
	for line, begin := range want {
		if got := r.statement(model.Pos{File: "a/a.go", Line: line, Col: 3}); got != (model.Pos{File: "a/a.go", Line: begin}) {
			t.Errorf("line %d: %v; want %d", line, got, begin)
		}
	}
}

// What a test file makes and the module causes to escape is the module's.
func TestMoved(t *testing.T) {
	note := escape("... argument escapes to heap", "a/a_test.go:7|from f(... argument...) (call parameter)",
		"a/a.go:6|from g(n) (call parameter)", "/go/fmt.go:3|from x (assign)")
	in := Input{
		Allocs: map[model.Benchmark][]model.Cost{bm: {cost(model.Allocs, 1, 1, 48, body1, runN)}},
		Notes:  notes{fmt.Sprint([]model.Pos{body1.Pos()}): {note}},
		Source: hotFile,
	}
	targets, _ := Targets(in)
	if x := targets[0]; x.At != (model.Pos{File: "a/a.go", Line: 6}) || x.Func != "a.f" || x.Leaf != body1 || x.Rank != 1 {
		t.Errorf("target %+v", x)
	}
}

// A note on an inlined call explains a line that has no other.
func TestInlinedNote(t *testing.T) {
	chain := fmt.Sprint([]model.Pos{write.Pos()})
	for _, c := range []struct {
		notes notes
		want  string
	}{
		{notes{"inside " + chain: {escape("p.v escapes to heap")}}, "p.v escapes to heap"},
		{notes{chain: {escape("x escapes to heap")}, "inside " + chain: {escape("p.v escapes to heap")}}, "x escapes to heap"},
	} {
		targets, _ := Targets(Input{Allocs: map[model.Benchmark][]model.Cost{bm: {cost(model.Allocs, 1, 1, 8, write)}}, Notes: c.notes})
		if r := targets[0].Reason; r.Kind != model.ReasonEscape || r.Text != c.want {
			t.Errorf("%+v; want %s", r, c.want)
		}
	}
}

func TestAlso(t *testing.T) {
	in := Input{
		Allocs: map[model.Benchmark][]model.Cost{bm: {
			cost(model.Allocs, 8, 0.8, 64, std("strconv.Itoa"), on("g", 18), on("f", 6)),
			cost(model.Allocs, 1, 0.1, 8, on("f", 7)),
			cost(model.Allocs, 1, 0.1, 8, on("f", 15)),
		}},
		CPU:    map[model.Benchmark][]model.Cost{bm: {cost(model.CPU, 1, 0.01, 0, malloc, std("runtime.convT"), on("f", 15))}},
		Source: hotFile,
	}
	targets, _ := Targets(in)
	got := map[int]string{}
	for _, x := range targets {
		got[x.At.Line] = fmt.Sprintf("%s %v: %s", x.Reason.Kind, x.Reason.Also, x.Reason.Text)
	}
	want := map[int]string{
		18: "outside [library loop]: allocated in strconv.Itoa, below the call of strconv.Itoa; 8 per op, in the loop at a/a.go:4",
		7:  "append []: append has to grow its slice",
		15: "boxing []: a value is put into an interface",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestCallTarget(t *testing.T) {
	spread := func(from int) []model.Cost {
		return []model.Cost{
			cost(model.CPU, 2, 0.2, 0, on("g", 18), on("f", from), on("top", 3)),
			cost(model.CPU, 2, 0.2, 0, on("g", 22), on("f", from), on("top", 3)),
			cost(model.CPU, 1, 0.1, 0, on("g", 23), on("f", from), on("top", 3)),
		}
	}
	for _, c := range []struct {
		name  string
		costs []model.Cost
		want  string
	}{
		{"in a loop", spread(6), "50.0 % of the CPU time, in calls of a.g from the loop at a/a.go:4, spread over 3 lines"},
		{"in no loop", spread(14), ""},
		{"one line has most", append(spread(6), cost(model.CPU, 9, 0.9, 0, on("g", 18), on("f", 6))), ""},
		{"little", spread(6)[2:], ""},
	} {
		in := Input{CPU: map[model.Benchmark][]model.Cost{bm: c.costs}, Source: hotFile}
		targets, _ := Targets(in)
		got := ""
		for _, x := range targets {
			if x.Reason.Kind == model.ReasonLoop {
				got = x.Reason.Text
			}
		}
		if got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// The lines below a call that are targets themselves come before it.
func TestCallTargetIsBehind(t *testing.T) {
	in := Input{CPU: map[model.Benchmark][]model.Cost{bm: {
		cost(model.CPU, 2, 0.2, 0, on("g", 18), on("f", 6), on("top", 3)),
		cost(model.CPU, 2, 0.2, 0, on("g", 22), on("f", 6), on("top", 3)),
		cost(model.CPU, 1, 0.1, 0, on("g", 23), on("f", 6), on("top", 3)),
		cost(model.CPU, 1, 0.04, 0, on("f", 15), on("top", 3)),
	}}, Source: hotFile}
	targets, _ := Targets(in)
	var got []int
	for _, x := range targets {
		got = append(got, x.At.Line)
	}
	if diff := cmp.Diff([]int{18, 22, 6, 23, 15}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestLockTargets(t *testing.T) {
	in := Input{
		Locks: map[model.Benchmark][]model.Cost{bm: {
			cost(model.Mutex, 20, 0.25, 0, std("sync.(*Mutex).Unlock"), on("f", 14)),
			cost(model.Mutex, 10, 0.0625, 0, std("sync.(*Mutex).Unlock"), on("(*M).Unlock", 18), on("f", 14)),
			cost(model.Mutex, 20, 0.02, 0, std("sync.(*Mutex).Unlock"), on("f", 15)),
			cost(model.Mutex, 90, 0.9, 0, std("sync.(*Mutex).Unlock"), body1),
		}},
		Scaling: map[model.Benchmark]model.Scaling{bm: {Procs: 2, Ratio: 1.1, Lo: 0.9, Hi: 1.25, Pairs: 6}},
	}
	targets, _ := Targets(in)
	if len(targets) != 1 {
		t.Fatalf("targets %+v", targets)
	}
	want := "goroutines wait 31 % of their time for a lock that is held up to here (sync.(*Mutex).Unlock); with 2 processors an op takes 1.10 times as long as with one (0.90 to 1.25 in 6 pairs; 0.50 would be perfect)"
	if x := targets[0]; x.Resource != model.Mutex || x.Reason.Kind != model.ReasonLock || x.Reason.Text != want || x.Ceiling != 0.3125 {
		t.Errorf("target %+v", x)
	}
	if !Waits(in.Locks[bm]) || Waits(in.Locks[bm][2:]) {
		t.Error("a wait of 30 % is not enough, or one of 2 % is")
	}
}
