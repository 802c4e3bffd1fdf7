package freshness

import (
	"bytes"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/read/profile"
)

// cpu returns a CPU profile of functions that begin at line 10, each with a line
// and a number of samples.
func cpu(t *testing.T, samples map[string][2]int64) *profile.Profile {
	t.Helper()
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	id := uint64(0)
	for name, at := range samples {
		id++
		f := &pprof.Function{ID: id, Name: name, Filename: "x.go", StartLine: 10}
		l := &pprof.Location{ID: id, Line: []pprof.Line{{Function: f, Line: at[0]}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &pprof.Sample{Location: []*pprof.Location{l}, Value: []int64{at[1], at[1] * 1e7}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	out, err := profile.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOf(t *testing.T) {
	p := cpu(t, map[string][2]int64{
		"example.com/m.Here": {12, 60}, "example.com/m.Gone": {12, 30}, "example.com/m.(*T).Short": {19, 10}, "runtime.memmove": {12, 100},
	})
	f, err := Of(p, Functions{"example.com/m.Here": 5, "example.com/m.(*T).Short": 5})
	if err != nil {
		t.Fatal(err)
	}
	if f.Share < 0.599 || f.Share > 0.601 || f.Lo >= f.Share || f.Hi <= f.Share || f.Samples != 100 {
		t.Errorf("%+v", f)
	}
	if len(f.Gone) != 2 || f.Gone[0].Func != "example.com/m.Gone" || f.Gone[0].Short || !f.Gone[1].Short {
		t.Errorf("gone: %+v", f.Gone)
	}
}

// A profile of another program maps to nothing, and one of the runtime alone has
// nothing to map.
func TestOther(t *testing.T) {
	f, err := Of(cpu(t, map[string][2]int64{"other.org/x.F": {12, 5}}), Functions{"example.com/m.Here": 5})
	if err != nil || f.Share != 0 || f.Samples != 5 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err = Of(cpu(t, map[string][2]int64{"runtime.mallocgc": {12, 5}}), nil); err != nil || f.Samples != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestPlain(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.run": "main.run", "main.run.func1": "main.run", "main.run.func1.2": "main.run", "a.b/c.(*T).M": "a.b/c.(*T).M",
		"a.b/c.(*T).M.func2": "a.b/c.(*T).M", "a.b/c.T.M": "a.b/c.T.M", "a.b/c.T.M-fm": "a.b/c.T.M", "a.b/c.F[go.shape.int]": "a.b/c.F",
		"a.b/c.(*T[go.shape.x/y.Z]).M": "a.b/c.(*T).M", "main.run.gowrap1": "main.run", "a.b/c.init.0": "a.b/c.init",
		"a.b/c.F[...].func1": "a.b/c.F",
	} {
		if got := plain(symbol); got != want {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}
