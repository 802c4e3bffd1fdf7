package rank

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pawl-dev/pawl/internal/model"
)

var bm = model.Benchmark{Pkg: "example.com/m/a", Name: "BenchmarkA"}

// notes are looked up by the text of a chain.
type notes map[string][]model.Note

func (n notes) At(chain []model.Pos) []model.Note { return n[fmt.Sprint(chain)] }

func (n notes) Inside(chain []model.Pos) []model.Note { return n["inside "+fmt.Sprint(chain)] }

func escape(message string, steps ...string) model.Note {
	n := model.Note{Kind: model.NoteEscape, Message: message, Chain: []model.Pos{{File: "a/a.go", Line: 5}}}
	for _, s := range steps {
		at, text, _ := strings.Cut(s, "|")
		file, line, _ := strings.Cut(at, ":")
		p := model.Pos{File: file}
		fmt.Sscan(line, &p.Line)
		n.Flow = append(n.Flow, model.FlowStep{At: p, Text: text})
	}
	return n
}

// Frames, from the leaf outwards.
var (
	leafDep = model.Frame{Func: "example.com/dep.make", File: "/cache/dep.go", Line: 3, Inline: true}
	inDep   = model.Frame{Func: "example.com/dep.Seal", File: "/cache/dep.go", Line: 9}
	encrypt = model.Frame{Func: "example.com/m/a.(*C).Encrypt", File: "a/a.go", Line: 19, Module: true}
	write1  = model.Frame{Func: "example.com/m/a.Write", File: "a/a.go", Line: 47, Module: true}
	write2  = model.Frame{Func: "example.com/m/a.Write", File: "a/a.go", Line: 50, Module: true}
	body1   = model.Frame{Func: "example.com/m/a.BenchmarkA", File: "a/a_test.go", Line: 7}
	body2   = model.Frame{Func: "example.com/m/a.BenchmarkA", File: "a/a_test.go", Line: 8}
	runN    = model.Frame{Func: "testing.(*B).runN", File: "/go/testing.go", Line: 1}
	malloc  = model.Frame{Func: "runtime.mallocgc", File: "/go/malloc.go", Line: 1}
	slice   = model.Frame{Func: "runtime.makeslice", File: "/go/slice.go", Line: 1}
	write   = model.Frame{Func: "a.Write", File: "a/a.go", Line: 5, Module: true}
)

func cost(res model.Resource, perOp, share, bytes float64, stack ...model.Frame) model.Cost {
	c := model.Cost{Benchmark: bm, Resource: res, Stack: stack, Home: -1, PerOp: perOp, Share: share, Bytes: bytes}
	for i, f := range stack {
		if f.Module || c.Home < 0 && isTest(f.File) {
			c.Home = i
			if f.Module {
				break
			}
		}
	}
	return c
}

func TestTargets(t *testing.T) {
	chain := fmt.Sprint([]model.Pos{leafDep.Pos(), inDep.Pos()})
	in := Input{
		Allocs: map[model.Benchmark][]model.Cost{bm: {
			// One make in a dependency, by two ways of the module; that the
			// benchmark has two lines does not make more.
			cost(model.Allocs, 1, 0.25, 7000, leafDep, inDep, encrypt, write2, body1, runN),
			cost(model.Allocs, 1, 0.25, 1000, leafDep, inDep, encrypt, write1, body1, runN),
			cost(model.Allocs, 0.5, 0.125, 500, leafDep, inDep, encrypt, write1, body2, runN),
			// At home in the benchmark itself.
			cost(model.Allocs, 1, 0.25, 1500, body1, runN),
		}},
		CPU: map[model.Benchmark][]model.Cost{bm: {
			cost(model.CPU, 300, 0.3, 0, malloc, slice, leafDep, inDep, encrypt, write2, body1, runN),
			cost(model.CPU, 50, 0.05, 0, slice, leafDep, inDep, encrypt, write2, body1, runN),
			cost(model.CPU, 400, 0.4, 0, inDep, encrypt, write2, body1, runN),
			cost(model.CPU, 10, 0.01, 0, write1, body1, runN),
		}},
		GCShare: map[model.Benchmark]float64{bm: 0.2},
		Stats:   map[model.Benchmark]model.Stats{bm: {Allocs: 4}},
		Notes:   notes{chain: {escape("make([]byte, n) escapes to heap")}},
	}
	targets, lost := Targets(in)
	var got []string
	for _, x := range targets {
		got = append(got, fmt.Sprintf("%s %s %s per op %.4g, %.4g B, share %.3f, CPU %.3f, ceiling %.3f: %s", x.ID, x.Resource, x.At, x.PerOp, x.Bytes, x.Share, x.CPUShare, x.Ceiling, x.Reason.Kind))
	}
	want := []string{
		"T1 cpu a/a.go:19 per op 750, 0 B, share 0.750, CPU 0.750, ceiling 0.750: library",
		"T2 allocs a/a.go:19 per op 1, 7000 B, share 0.250, CPU 0.440, ceiling 0.250: escape",
		"T3 allocs a/a.go:19 per op 1.5, 1500 B, share 0.375, CPU 0.030, ceiling 0.375: escape",
		"T4 allocs a/a_test.go:7 per op 1, 1500 B, share 0.250, CPU 0.030, ceiling 0.250: unexplained",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	wantLost := []model.Unexplained{{Benchmark: bm, Resource: model.Allocs, PerOp: 0.5, Kind: model.ReasonUnknown, Text: "0.50 of 4.00 objects per op are on no line of the profile"}}
	if diff := cmp.Diff(wantLost, lost, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("unexplained (-want +got):\n%s", diff)
	}
	if targets[1].Stack[3] != write2 || targets[1].Leaf != leafDep || targets[1].Func != encrypt.Func {
		t.Errorf("T2 is not the way by line 50: %+v", targets[1])
	}
}

// Whatever comes in, targets and unexplained parts add up to what was measured.
func TestSum(t *testing.T) {
	tiny := model.Unexplained{Benchmark: bm, Resource: model.Allocs, PerOp: 1, Kind: model.ReasonTiny, Text: "tiny"}
	gc := model.Unexplained{Benchmark: bm, Resource: model.CPU, PerOp: 100, Kind: model.ReasonUnknown, Text: "gc"}
	for _, c := range []struct {
		profile, measured float64
		given             []model.Unexplained
		parts             int
	}{
		{2, 2.04, nil, 0},
		{2, 3, nil, 1},
		{2, 3, []model.Unexplained{tiny, gc}, 2},
		{2, 5, []model.Unexplained{tiny}, 2},
		{3, 2, nil, 1},
		{0, 1, nil, 1},
		{0, 0, nil, 0},
	} {
		in := Input{Stats: map[model.Benchmark]model.Stats{bm: {Allocs: c.measured}}, Unexplained: c.given}
		if c.profile > 0 {
			in.Allocs = map[model.Benchmark][]model.Cost{bm: {cost(model.Allocs, c.profile, 1, 16, write, body1)}}
		}
		targets, lost := Targets(in)
		sum := 0.0
		for _, x := range targets {
			sum += x.PerOp
		}
		for _, u := range lost {
			if u.Resource == model.Allocs {
				sum += u.PerOp
			}
		}
		if math.Abs(sum-c.measured) > sumTolerance || len(lost) != c.parts {
			t.Errorf("profile %v, measured %v, given %d: sum %v with %d unexplained parts; want %d", c.profile, c.measured, len(c.given), sum, len(lost), c.parts)
		}
	}
}

var reasonSource = map[string]string{"a/a.go": `package a

func f(m map[string]int, s []int, b []byte, x, y string, n int) {
	s = append(s, n)
	m[x] = n
	m[x]++
	_ = string(b)
	_ = []byte(x)
	_ = x + y
	x += y
	_ = make([]int, n)
	_ = make(chan int)
	_ = func() int { return n }
	go f(m, s, b, x, y, n)
	_ = map[string]int{x: n}
	use(
		string(b),
	)
	n++
	s[0] = n + 1
	_ = &T{n: 1}
	_ = new(T)
	_ = []int{n}
	_ = make([]int, len(x)+1)
	_ = make(Fields)
}
`, "/go/dep.go": "package dep\n\nfunc G(b []byte) []byte {\n\treturn append(b, 1)\n}\n", "a/bad.go": "package"}

func TestReason(t *testing.T) {
	source := func(file string) ([]byte, error) {
		if s, ok := reasonSource[file]; ok {
			return []byte(s), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, c := range []struct {
		leaf model.Frame
		want model.ReasonKind
		text string
	}{
		{model.Frame{File: "a/a.go", Line: 4, Module: true}, model.ReasonAppend, "append"},
		{model.Frame{File: "a/a.go", Line: 5, Module: true}, model.ReasonMap, "stored by key"},
		{model.Frame{File: "a/a.go", Line: 6, Module: true}, model.ReasonMap, "stored by key"},
		{model.Frame{File: "a/a.go", Line: 7, Module: true}, model.ReasonConversion, "string"},
		{model.Frame{File: "a/a.go", Line: 8, Module: true}, model.ReasonConversion, "[]byte"},
		{model.Frame{File: "a/a.go", Line: 9, Module: true}, model.ReasonConcat, "+"},
		{model.Frame{File: "a/a.go", Line: 10, Module: true}, model.ReasonConcat, "+="},
		{model.Frame{File: "a/a.go", Line: 11, Module: true}, model.ReasonMake, "a slice is made"},
		{model.Frame{File: "a/a.go", Line: 12, Module: true}, model.ReasonChannel, "channel"},
		{model.Frame{File: "a/a.go", Line: 13, Module: true}, model.ReasonClosure, "captures"},
		{model.Frame{File: "a/a.go", Line: 14, Module: true}, model.ReasonGo, "goroutine"},
		{model.Frame{File: "a/a.go", Line: 15, Module: true}, model.ReasonMap, "map is made"},
		{model.Frame{File: "a/a.go", Line: 17, Module: true}, model.ReasonConversion, "string"},
		{model.Frame{File: "a/a.go", Line: 19, Module: true}, model.ReasonUnknown, ""},
		{model.Frame{File: "a/a.go", Line: 21, Module: true}, model.ReasonNew, "&T{…}"},
		{model.Frame{File: "a/a.go", Line: 22, Module: true}, model.ReasonNew, "new(T)"},
		{model.Frame{File: "a/a.go", Line: 23, Module: true}, model.ReasonNew, "literal"},
		{model.Frame{File: "a/a.go", Line: 24, Module: true}, model.ReasonMake, "does not know"},
		{model.Frame{File: "a/a.go", Line: 25, Module: true}, model.ReasonMap, "map, or a channel"},
		{model.Frame{File: "a/bad.go", Line: 1, Module: true}, model.ReasonUnknown, ""},
		{model.Frame{File: "a/none.go", Line: 1, Module: true}, model.ReasonUnknown, ""},
		{model.Frame{Func: "dep.G", File: "/go/dep.go", Line: 4}, model.ReasonAppend, "in dep.G, below the call of reflect.New: append"},
		{model.Frame{Func: "reflect.unsafe_New", File: "/go/none.go", Line: 4}, model.ReasonOutside, "allocated in reflect.unsafe_New, below the call of reflect.New"},
	} {
		stack := []model.Frame{c.leaf}
		if !c.leaf.Module {
			stack = append(stack, model.Frame{Func: "reflect.New", File: "/go/value.go", Line: 1}, write)
		}
		targets, _ := Targets(Input{
			Allocs: map[model.Benchmark][]model.Cost{bm: {cost(model.Allocs, 1, 1, 8, stack...)}},
			Source: source,
		})
		if r := targets[0].Reason; r.Kind != c.want || !strings.Contains(r.Text, c.text) {
			t.Errorf("%s: %v; want %s with %q", c.leaf.Pos(), r, c.want, c.text)
		}
	}
}

func TestEscapeText(t *testing.T) {
	const box = "a/a.go:5|from x (interface-converted)"
	for _, c := range []struct {
		notes []model.Note
		perOp float64
		want  string
	}{
		{
			[]model.Note{escape("nonce escapes to heap", "a/a.go:8|from nonce[:] (slice)", "a/a.go:8|from c.aead.Seal(g(x), nonce[:]) (call parameter)")}, 1,
			"nonce escapes to heap: passed to c.aead.Seal at a/a.go:8",
		}, {
			[]model.Note{escape("... argument escapes to heap", "a/a.go:5|from (*T).With(m, ... argument...) (call parameter)",
				"a/b.go:9|from a, b := x, ... argument (assign-pair)", "/go/fmt/errors.go:26|from fmt.errorf(format, a...) (call parameter)")}, 1,
			"... argument escapes to heap: passed to (*T).With and on to fmt.errorf at a/b.go:9",
		},
		{[]model.Note{escape("x escapes to heap", "a/a.go:7|from return x (return)")}, 1, "x escapes to heap: returned at a/a.go:7"},
		{[]model.Note{escape("x escapes to heap", "a/a.go:5|from y.f = x (assign)")}, 1, "x escapes to heap: by y.f = x (assign)"},
		{[]model.Note{escape("x escapes to heap")}, 1, "x escapes to heap"},
		{[]model.Note{escape("x escapes to heap", box), escape("y escapes to heap", box)}, 1.99,
			"2 values on this line: x escapes to heap: converted to an interface; y escapes to heap: converted to an interface"},
		{[]model.Note{escape("x escapes to heap"), escape("y escapes to heap")}, 1, "one or more of: x escapes to heap; y escapes to heap"},
		// A constant is no object of its own.
		{[]model.Note{escape(`"text" escapes to heap`), escape("y escapes to heap"), {Kind: model.NoteLeak, Message: "parameter p leaks"}}, 1, "y escapes to heap"},
		{[]model.Note{escape(`"text" escapes to heap`)}, 1, `"text" escapes to heap`},
	} {
		targets, _ := Targets(Input{
			Allocs: map[model.Benchmark][]model.Cost{bm: {cost(model.Allocs, c.perOp, 1, 8, write)}},
			Notes:  notes{fmt.Sprint([]model.Pos{write.Pos()}): c.notes},
			Source: func(string) ([]byte, error) { return nil, errors.New("not needed") },
		})
		if r := targets[0].Reason; r.Kind != model.ReasonEscape || r.Text != c.want {
			t.Errorf("reason %v;\nwant %s", r, c.want)
		}
	}
}

func TestHotText(t *testing.T) {
	in := Input{CPU: map[model.Benchmark][]model.Cost{bm: {
		cost(model.CPU, 4, 0.04, 0, write),
		cost(model.CPU, 3, 0.03, 0, model.Frame{Func: "slices.Sort[go.shape.int]", File: "/go/s.go", Line: 1}, write),
		cost(model.CPU, 3, 0.03, 0, model.Frame{Func: "slices.Sort[go.shape.int]", File: "/go/s.go", Line: 2}, write),
	}}}
	targets, lost := Targets(in)
	if len(targets) != 1 || len(lost) > 0 || targets[0].Reason.Text != "10.0 % of the CPU time, 6.0 % in package slices, called here as slices.Sort[…]" {
		t.Errorf("targets %+v, unexplained %v", targets, lost)
	}
}

func FuzzReasonText(f *testing.F) {
	f.Add("x escapes to heap", "from f(x, (y)) (call parameter)")
	f.Add("", "from  (")
	f.Fuzz(func(t *testing.T, message, step string) {
		n := escape(message)
		n.Flow = []model.FlowStep{{At: model.Pos{File: "a/a.go", Line: 1}, Text: step}}
		if text := escapeText([]model.Note{n}, 1); !strings.HasPrefix(text, message) {
			t.Errorf("text %q does not begin with the message", text)
		}
	})
}

// What was allocated before the timed loop is no cost of an op, however much it is.
func TestSetUp(t *testing.T) {
	in := Input{
		Allocs: map[model.Benchmark][]model.Cost{bm: {
			cost(model.Allocs, 300, 0.99, 9000, write1, body1, runN),
			cost(model.Allocs, 2.4, 0.01, 90, write2, body2, runN),
		}},
		Stats: map[model.Benchmark]model.Stats{bm: {Allocs: 2}},
	}
	targets, _ := Targets(in)
	if len(targets) != 1 || targets[0].At.Line != write2.Line {
		t.Errorf("%+v", targets)
	}
}
