package diagnose

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// changed is a line for each change: the name, the line, before and after in
// percent, and what is said of it.
func changed(cs []model.ProfileChange) []string {
	var out []string
	for _, c := range cs {
		t := c.Func
		if c.Line > 0 {
			t += ":" + strconv.Itoa(c.Line)
		}
		t += fmt.Sprintf(" %.0f>%.0f", 100*c.Before, 100*c.After)
		if c.ShareOnly {
			t += " share"
		}
		if len(c.With) > 0 {
			t += " with " + strings.Join(c.With, " ")
		}
		out = append(out, t)
	}
	return out
}

func sides(t *testing.T, base, now *pprof.Profile) ([]profile.Source, []profile.Source) {
	return []profile.Source{source(t, "base", base)}, []profile.Source{source(t, "now", now)}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	base := raw(cpuTypes,
		cpuRow(400, "main.slow main.f main.main runtime.main"), cpuRow(300, "main.a main.main runtime.main"), cpuRow(250, "main.b main.main runtime.main"),
		cpuRow(50, "runtime.nextFreeFast runtime.mallocgc main.c main.main runtime.main"))
	now := raw(cpuTypes,
		cpuRow(10, "main.slow main.f main.main runtime.main"), cpuRow(300, "main.a main.main runtime.main"), cpuRow(250, "main.b main.main runtime.main"),
		cpuRow(440, "runtime.nextFreeFast runtime.mallocgc main.c main.main runtime.main"))
	b, n := sides(t, base, now)
	c := compared(t, b, n, Options{})
	want := []string{"main.slow 40>1 with main.f", "main.c 5>44", "runtime.mallocgc 5>44 with runtime.nextFreeFast"}
	if diff := cmp.Diff(want, changed(c.Functions)); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"allocation 5>44"}, changed(c.Signs)); diff != "" {
		t.Errorf("signatures (-want +got):\n%s", diff)
	}
	if len(c.Lines) != 2 || c.Quiet != 2 || c.QuietLines != 2 {
		t.Errorf("lines %v, %d functions and %d lines without a difference", changed(c.Lines), c.Quiet, c.QuietLines)
	}
	if f := c.Functions[0]; f.Flat == nil || !f.Flat.Claimed || f.Flat.After != 0.01 || !(f.Lo < f.Change && f.Change < f.Hi && f.Hi < 0) {
		t.Errorf("main.slow: %+v, flat %+v", f, f.Flat)
	}
}

// When one thing goes, the shares of all else rise. That is said, and not
// taken for a cost.
func TestCompareShareOnly(t *testing.T) {
	t.Parallel()
	with := func(gone int64) *pprof.Profile {
		return raw(cpuTypes, cpuRow(gone, "main.gone main.main"), cpuRow(900, "main.a main.main"), cpuRow(900, "main.b main.main"), cpuRow(200, "main.more main.main"))
	}
	b, n := sides(t, with(2000), with(1))
	c := compared(t, b, n, Options{})
	want := []string{"main.gone 50>0", "main.a 22>45 share", "main.b 22>45 share", "main.more 5>10 share"}
	if diff := cmp.Diff(want, changed(c.Functions)); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
	if math.Abs(c.Neutral-2) > 0.01 {
		t.Errorf("the factor is %v; want about 2", c.Neutral)
	}
	c = compared(t, b, n, Options{Per: Per{BaseOps: 1000, NowOps: 1000}})
	if len(c.Functions) != 1 || c.Functions[0].Func != "main.gone" || c.Functions[0].With[0] != "main.main" || c.Total == nil || !c.Total.Claimed || c.Total.Before != 4e7 {
		t.Errorf("by operations: %v, total %+v", changed(c.Functions), c.Total)
	}
}

// The same work twice as often is no change per operation, nor in shares.
func TestCompareOps(t *testing.T) {
	t.Parallel()
	rows := func(k int64) *pprof.Profile {
		p := raw(cpuTypes, cpuRow(400*k, "main.a main.main"), cpuRow(600*k, "main.b main.main"))
		p.DurationNanos = k * 10e9
		return p
	}
	b, n := sides(t, rows(1), rows(2))
	for name, per := range map[string]Per{"shares": {}, "operations": {BaseOps: 50, NowOps: 100}, "seconds": {Second: true}} {
		if c := compared(t, b, n, Options{Per: per}); claims(c) > 0 {
			t.Errorf("by %s: %v", name, changed(c.Functions))
		}
	}
	c := compared(t, b, n, Options{Per: Per{BaseOps: 100, NowOps: 50}})
	if len(c.Functions) == 0 || math.Abs(c.Total.Change-3) > 1e-9 {
		t.Errorf("four times the cost per operation: %v, total %+v", changed(c.Functions), c.Total)
	}
}

// Code that moves as a whole stays matched; code that changes inside does not,
// and then nothing is said of its lines. A closure with another number is the
// same where nothing else can be meant.
// An earlier profile of delays is in a later one of its process, and two such are
// alike, whatever happened in between.
func TestCompareWithin(t *testing.T) {
	t.Parallel()
	waits := func(f, g int64) *pprof.Profile {
		return raw(delayTypes, row{"runtime.chanrecv1 main.f main.main", []int64{f, f * 1e9}}, row{"runtime.chanrecv1 main.g main.main", []int64{g, g * 1e9}})
	}
	for _, tt := range []struct {
		now  *pprof.Profile
		want bool
	}{{waits(100, 250), true}, {waits(99, 250), false}} {
		b, n := sides(t, waits(100, 200), tt.now)
		ws := compared(t, b, n, Options{}).Warnings
		if got := len(ws) > 0 && strings.Contains(ws[0].Seen, "has at least the events of"); got != tt.want {
			t.Errorf("%+v; want a warning: %v", ws, tt.want)
		}
	}
}

func TestCompareMatches(t *testing.T) {
	t.Parallel()
	build := func(start, line int64, closure string, n int64) *pprof.Profile {
		p := raw(cpuTypes, cpuRow(n, "main.f main.main"), cpuRow(1000, closure+" main.main"), cpuRow(1000, "main.rest main.main"))
		p.Function[0].StartLine, p.Location[0].Line[0].Line = start, line
		return p
	}
	b, n := sides(t, build(100, 107, "main.g.func1", 100), build(300, 307, "main.g.func2", 1000))
	c := compared(t, b, n, Options{})
	if diff := cmp.Diff([]string{"main.f:307 5>33"}, changed(c.Lines)[:1]); diff != "" || len(c.Moved) > 0 {
		t.Errorf("a function that moved (-want +got):\n%s, not matched %v", diff, c.Moved)
	}
	for _, f := range c.Functions {
		if f.New() || f.Gone() {
			t.Errorf("a closure with another number is not matched: %+v", f)
		}
	}
	b, n = sides(t, build(100, 107, "main.g.func1", 100), build(100, 119, "main.g.func1", 1000))
	if c = compared(t, b, n, Options{}); len(c.Moved) != 1 || c.Moved[0] != "main.f" {
		t.Errorf("not matched: %v; want main.f", c.Moved)
	}
	for _, l := range c.Lines {
		if l.Func == "main.f" {
			t.Errorf("a line of code that changed: %+v", l)
		}
	}
}

func TestClosures(t *testing.T) {
	t.Parallel()
	set := func(names string) map[string]int {
		m := map[string]int{}
		for _, n := range strings.Fields(names) {
			m[n] = 0
		}
		return m
	}
	for _, tt := range []struct{ before, after, want string }{
		{"m.F.func1", "m.F.func2", "m.F.func1=m.F.func2"},
		{"m.F.func1 m.F.func2", "m.F.func1 m.F.func2 m.F.func3", ""},
		{"m.F.func1 m.F.func2", "m.F.func3", ""},
		{"m.F.func1 m.F.func2", "m.F.func2 m.F.func3", "m.F.func1=m.F.func3"},
		{"m.F.func1", "m.G.func1", ""},
		{"m.F.gowrap1", "m.F.gowrap2", "m.F.gowrap1=m.F.gowrap2"},
		{"m.F-range1", "m.F-range2", "m.F-range1=m.F-range2"},
		{"m.F", "m.G", ""},
	} {
		got := ""
		for a, b := range closures(set(tt.before), set(tt.after)) {
			got += a + "=" + b
		}
		if got != tt.want {
			t.Errorf("%s, then %s: %q; want %q", tt.before, tt.after, got, tt.want)
		}
	}
}

// Few samples stand for many objects: they tell no more than they are. A mutex
// profile of one in a hundred waits has a hundredth of the events.
func TestCompareWeights(t *testing.T) {
	t.Parallel()
	objects := func(n int64) *pprof.Profile {
		p := raw(heapTypes, row{"main.f main.main", []int64{n * 30000, n * 480000, 0, 0}}, row{"main.g main.main", []int64{3e6, 48e6, 0, 0}})
		p.PeriodType, p.Period = &pprof.ValueType{Type: "space", Unit: "bytes"}, 512<<10
		return p
	}
	b, n := sides(t, objects(3), objects(9)) // 90,000 and 270,000 objects, from 3 and 9 samples
	for _, c := range both(t, b, n) {
		if claims(c) > 0 {
			t.Errorf("%s: %v", c.What, changed(c.Functions))
		}
	}
	b, n = sides(t, objects(1), objects(200))
	for _, c := range both(t, b, n) {
		if claims(c) == 0 {
			t.Errorf("%s: nothing is found", c.What)
		}
	}
	waits := func(n, g int64) *pprof.Profile {
		return raw(delayTypes, row{"sync.(*Mutex).Unlock main.f main.main", []int64{n, n * 1e6}}, row{"sync.(*Mutex).Unlock main.g main.main", []int64{g, g * 1e6}})
	}
	b, n = sides(t, waits(300, 4700), waits(900, 4100))
	if c := compared(t, b, n, Options{}); claims(c) > 0 || c.Base.Samples != 50 {
		t.Errorf("a hundredth of the waits: %v, %d samples", changed(c.Functions), c.Base.Samples)
	}
	b, n = sides(t, waits(301, 4699), waits(2901, 2099))
	c := compared(t, b, n, Options{})
	if len(c.Functions) == 0 || c.Functions[0].BeforeDelay == 0 || c.Base.Samples != 5000 {
		t.Errorf("all waits: %v, %d samples", changed(c.Functions), c.Base.Samples)
	}
}

func both(t *testing.T, base, now []profile.Source) []model.ProfileComparison {
	t.Helper()
	cs, _, err := Compare(base, now, Options{})
	if err != nil || len(cs) != 2 {
		t.Fatalf("%d comparisons, %v", len(cs), err)
	}
	return cs
}

func TestCompareErrors(t *testing.T) {
	t.Parallel()
	cpu := raw(cpuTypes, cpuRow(200, "main.f main.main"))
	elsewhere := raw(cpuTypes, cpuRow(200, "example.com/x.F example.com/x.G"))
	micro := raw(cpuTypes, cpuRow(200, "main.f main.main"))
	micro.SampleType[1].Unit = "microseconds"
	const most = math.MaxInt64 / 2 // a profile whose values add up to more is refused when it is read
	huge := raw(cpuTypes, row{"main.f main.main", []int64{most, most}}, row{"main.g main.main", []int64{most, most}}, row{"main.h", []int64{0, 1}})
	for name, tt := range map[string]struct {
		base, now *pprof.Profile
		per       Per
		want      string // in the error, else in a warning; "" for neither
	}{
		"other kinds":    {cpu, raw(delayTypes, row{"sync.(*Mutex).Unlock main.f", []int64{1, 1}}), Per{}, "the base has profiles of cpu, the others of mutex"},
		"goroutines":     {raw(goroutineTypes, row{"main.f", []int64{1}}), raw(goroutineTypes, row{"main.f", []int64{1}}), Per{}, "profiles of goroutine"},
		"other programs": {cpu, elsewhere, Per{}, "no function in common"},
		"a difference":   {cpu, raw(cpuTypes, cpuRow(-5, "main.f main.main")), Per{}, "now: the profile has negative values"},
		"another unit":   {micro, cpu, Per{}, "base: its cpu is in microseconds"},
		"no time":        {cpu, cpu, Per{Second: true}, "does not say how long"},
		"nothing":        {raw(cpuTypes), cpu, Per{}, "the base: no samples"},
		"nothing now":    {cpu, raw(cpuTypes), Per{}, "the new side: no samples"},
		"hostile":        {huge, huge, Per{}, ""},
		"few":            {raw(cpuTypes, cpuRow(20, "main.f main.main")), cpu, Per{}, "one side has 20 samples"},
		"two benchmarks": {raw(cpuTypes, cpuRow(100, "m.BenchmarkA testing.(*B).runN"), cpuRow(100, "m.BenchmarkB testing.(*B).runN")), raw(cpuTypes, cpuRow(300, "m.BenchmarkB testing.(*B).runN")), Per{}, "of 2 benchmarks"},
	} {
		b, n := sides(t, tt.base, tt.now)
		cs, _, err := Compare(b, n, Options{Per: tt.per})
		text := ""
		if err != nil {
			text = err.Error()
		}
		for _, c := range cs {
			for _, w := range c.Warnings {
				text += w.Seen
			}
			for _, x := range append(c.Functions, c.Lines...) {
				if math.IsNaN(x.Change+x.Lo+x.Hi+x.P) || math.IsInf(x.Change+x.Lo+x.Hi+x.P, 0) {
					t.Errorf("%s: %+v", name, x)
				}
			}
		}
		if tt.want == "" && err != nil || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q; want %q", name, text, tt.want)
		}
	}
	b, n := sides(t, cpu, cpu)
	_, ws, err := Compare(append(b, source(t, "m", raw(delayTypes))), n, Options{})
	if err != nil || len(ws) != 1 || !strings.Contains(ws[0].Seen, "m: only the base has") {
		t.Errorf("a kind that one side has: %v, %v", ws, err)
	}
}

// The figures are those of go tool pprof -diff_base.
func TestCompareAgreesWithPprof(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs go tool pprof, which is built first")
	}
	dir := t.TempDir()
	profiles := []*pprof.Profile{
		raw(cpuTypes, cpuRow(41, "main.a main.f main.main runtime.main"), cpuRow(30, "main.f main.f main.main runtime.main"), cpuRow(9, "runtime.mallocgc main.b main.main runtime.main")),
		raw(cpuTypes, cpuRow(12, "main.a main.f main.main runtime.main"), cpuRow(33, "main.f main.main runtime.main"), cpuRow(70, "runtime.mallocgc main.b main.main runtime.main"), cpuRow(5, "main.c main.f main.main runtime.main")),
	}
	var files []string
	for i, p := range profiles {
		p.SampleType[1].Unit = "nanoseconds"
		files = append(files, filepath.Join(dir, strconv.Itoa(i)))
		if err := os.WriteFile(files[i], encode(t, p), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "tool", "pprof", "-top", "-unit=ms", "-nodefraction=0", "-nodecount=1000", "-diff_base", files[0], files[1])
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("go tool pprof: %v", err)
	}
	base, now := sides(t, profiles[0], profiles[1])
	b, err := gather(profile.KindCPU, measures(profile.KindCPU)[0], base, now, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 6 || !strings.HasSuffix(f[4], "%") {
			continue
		}
		for i, a := range []aspect{flat, inclusive} {
			ms, _ := strconv.ParseFloat(strings.TrimSuffix(f[3*i], "ms"), 64)
			got := 0.0
			if s := b.subjects[key{a, place{f[5], 0}}]; s != nil {
				got = (b.sum(s, 1).in - b.sum(s, 0).in) / 1e6
			}
			if got != ms {
				t.Errorf("%s: %v ms more; pprof has %v", f[5], got, ms)
			}
			compared++
		}
	}
	if compared != 14 {
		t.Errorf("%d figures of pprof were compared; want 14:\n%s", compared, out)
	}
}
