package diagnose

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

const rate = 512 << 10

// A kept is a site of a heap that is made up: how many objects of a size were
// sampled, in all and of those that are there.
type kept struct {
	stack         string
	size          int64
	allocs, inuse int64
}

// heapAt builds a heap profile as the runtime writes it, some minutes after
// others.
func heapAt(minute int, sites ...kept) *pprof.Profile {
	scale := func(n, size int64) (objects, bytes int64) {
		f := 1 / -math.Expm1(-float64(size)/rate)
		return int64(float64(n) * f), int64(float64(n*size) * f)
	}
	var rows []row
	for _, k := range sites {
		var v [4]int64
		v[0], v[1] = scale(k.allocs, k.size)
		v[2], v[3] = scale(k.inuse, k.size)
		rows = append(rows, row{k.stack, v[:]})
	}
	p := raw(heapTypes, rows...)
	for i, k := range sites {
		p.Sample[i].NumLabel = map[string][]int64{"bytes": {k.size}}
	}
	p.PeriodType, p.Period = &pprof.ValueType{Type: "space", Unit: "bytes"}, rate
	p.TimeNanos = int64(1e18) + int64(minute)*60e9
	return p
}

func goroutinesAt(minute int, rows ...row) *pprof.Profile {
	p := raw(goroutineTypes, rows...)
	p.TimeNanos = int64(1e18) + int64(minute)*60e9
	return p
}

func grown(t testing.TB, points ...*pprof.Profile) *model.Growth {
	t.Helper()
	var sources []profile.Source
	for i, p := range points {
		sources = append(sources, source(t, fmt.Sprintf("p%d", i), p))
	}
	g, err := Growth(sources, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// trends is a word for each site that is not steady, suspects with a star.
func trends(g *model.Growth) []string {
	var out []string
	for _, x := range g.Suspects {
		out = append(out, "*"+x.Func+" "+x.Trend)
	}
	for _, x := range g.Others {
		out = append(out, x.Func+" "+x.Trend)
	}
	return out
}

func TestHeapGrowth(t *testing.T) {
	t.Parallel()
	const small, large = 64, 64 << 20
	for name, tt := range map[string]struct {
		points []*pprof.Profile
		want   []string
		steady int
	}{
		"a leak beside churn": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.leak main.main", small, 100, 100}, kept{"main.churn main.main", small, 1000, 50}),
				heapAt(1, kept{"main.leak main.main", small, 140, 140}, kept{"main.churn main.main", small, 2000, 65}),
			},
			[]string{"*main.leak rose"}, 1,
		},
		"few samples are noise": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", small, 2, 2}),
				heapAt(1, kept{"main.f main.main", small, 6, 6}),
			},
			nil, 1,
		},
		"one large object is none": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", large, 1, 1}, kept{"main.g main.main", small, 9, 9}),
				heapAt(1, kept{"main.f main.main", large, 2, 2}, kept{"main.g main.main", small, 9, 9}),
			},
			[]string{"*main.f rose"}, 1,
		},
		"little beside much": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", small, 0, 0}, kept{"main.g main.main", small, 9, 9}),
				heapAt(1, kept{"main.f main.main", small, 20, 20}, kept{"main.g main.main", small, 2009, 2009}),
			},
			[]string{"*main.g rose", "main.f rose"}, 0,
		},
		"a cache that fills": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", small, 10, 10}), heapAt(1, kept{"main.f main.main", small, 100, 100}),
				heapAt(2, kept{"main.f main.main", small, 200, 200}), heapAt(3, kept{"main.f main.main", small, 201, 201}),
				heapAt(4, kept{"main.f main.main", small, 202, 202}),
			},
			[]string{"main.f levelled"}, 0,
		},
		"up and down": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", small, 10, 10}), heapAt(1, kept{"main.f main.main", small, 500, 300}),
				heapAt(2, kept{"main.f main.main", small, 1000, 50}), heapAt(3, kept{"main.f main.main", small, 1500, 400}),
			},
			[]string{"main.f wavered"}, 0,
		},
		"less than before": {
			[]*pprof.Profile{
				heapAt(0, kept{"main.f main.main", small, 100, 100}), heapAt(1, kept{"main.f main.main", small, 110, 30}),
			},
			[]string{"main.f fell"}, 0,
		},
	} {
		g := grown(t, tt.points...)
		if diff := cmp.Diff(tt.want, trends(g)); diff != "" || g.Steady != tt.steady {
			t.Errorf("%s: %d steady (-want +got):\n%s", name, g.Steady, diff)
		}
		if (len(g.Suspects) > 0) != (g.Lever != "" && len(g.Rules) > 0) {
			t.Errorf("%s: lever %q", name, g.Lever)
		}
	}
}

// Figures of a leak without frees: 40 sampled objects of 64 bytes stand for
// 512 KiB each.
func TestGrowthFigures(t *testing.T) {
	t.Parallel()
	g := grown(t,
		heapAt(0, kept{"main.leak main.main", 64, 100, 100}), heapAt(2, kept{"main.leak main.main", 64, 120, 120}), heapAt(4, kept{"main.leak main.main", 64, 140, 140}))
	x := g.Suspects[0]
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.002*math.Abs(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	const mib = 1 << 20
	near("growth", x.Change, 20*mib)
	near("per second", x.PerSecond, 20.0*mib/240)
	near("seconds", g.Seconds, 240)
	near("share", x.Share, 1)
	near("objects", x.Objects[2]-x.Objects[0], 20*mib/64)
	near("allocated", g.Allocated.Bytes, 20*mib)
	near("allocated per second", g.Allocated.PerSecond, 20.0*mib/240)
	// The lower end of 40, as tables of the score interval have it (29.37), and of
	// nothing the upper (3.84).
	near("lower end", x.Lo, (40-math.Hypot(40-29.375, 3.8415))/2*mib)
	if x.Samples != 40 || x.Rose != 2 || x.Line == 0 || g.Allocated.Lo >= g.Allocated.Bytes || g.Allocated.Hi <= g.Allocated.Bytes {
		t.Errorf("%+v, allocated %+v", x, g.Allocated)
	}
}

func TestGoroutineGrowth(t *testing.T) {
	t.Parallel()
	at := func(minute int, leak, conns int64) *pprof.Profile {
		return goroutinesAt(minute,
			row{"runtime.gopark runtime.chansend runtime.chansend1 main.wait main.serve.func1 runtime.goexit", []int64{leak}},
			row{"runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait net/http.(*conn).serve runtime.goexit", []int64{conns}})
	}
	g := grown(t, at(0, 10, 100), at(1, 110, 115), at(2, 210, 90), at(3, 310, 110))
	if diff := cmp.Diff([]string{"*main.wait rose"}, trends(g)); diff != "" || g.Steady != 1 {
		t.Fatalf("%d steady (-want +got):\n%s", g.Steady, diff)
	}
	x := g.Suspects[0]
	if x.Change != 300 || x.Lo != 300 || x.Hi != 300 || math.Abs(60*x.PerSecond-100) > 1e-9 || x.Wait != onChannel || x.Started != "main.serve.func1" {
		t.Errorf("%+v", x)
	}
	// Leaked ones are certain: one is enough.
	leak := func(minute int, n int64) *pprof.Profile {
		p := goroutinesAt(minute, row{"runtime.gopark runtime.chanrecv runtime.chanrecv1 main.wait", []int64{n}})
		p.SampleType[0].Type = "goroutineleak"
		return p
	}
	if diff := cmp.Diff([]string{"*main.wait rose"}, trends(grown(t, leak(0, 7), leak(1, 8)))); diff != "" {
		t.Errorf("leaked (-want +got):\n%s", diff)
	}
	if got := trends(grown(t, leak(0, 7), leak(1, 7))); len(got) != 0 {
		t.Errorf("as many leaked as before: %v", got)
	}
}

func TestGrowthErrors(t *testing.T) {
	t.Parallel()
	site := kept{"main.f main.main", 64, 100, 100}
	heap := heapAt(1, site)
	delta := heapAt(2, site)
	delta.DurationNanos = 30e9
	other := heapAt(2, site)
	other.Mapping = []*pprof.Mapping{{ID: 1, BuildID: "b"}}
	first := heapAt(1, site)
	first.Mapping = []*pprof.Mapping{{ID: 1, BuildID: "a"}}
	short := raw([]string{"inuse_objects", "inuse_space"}, row{"main.f", []int64{1, 1}})
	for name, tt := range map[string]struct {
		points []*pprof.Profile
		want   string
	}{
		"one":           {[]*pprof.Profile{heap}, "two profiles"},
		"kinds":         {[]*pprof.Profile{heap, goroutinesAt(2, row{"main.f", []int64{1}})}, "one kind"},
		"cpu":           {[]*pprof.Profile{raw(cpuTypes, cpuRow(1, "main.f")), heap}, "p0 is a profile of another kind"},
		"a delta":       {[]*pprof.Profile{heap, delta}, "changed in 30 s"},
		"backwards":     {[]*pprof.Profile{heap, heapAt(0, site)}, "the oldest comes first"},
		"restarted":     {[]*pprof.Profile{heap, heapAt(2, kept{"main.f main.main", 64, 10, 10})}, "started anew"},
		"another":       {[]*pprof.Profile{heap, heapAt(2, kept{"main.g main.main", 64, 900, 900})}, "started anew"},
		"another build": {[]*pprof.Profile{first, other}, "another build"},
		"no names":      {[]*pprof.Profile{heapAt(0, kept{"?", 64, 9, 9}), heapAt(1, kept{"?", 64, 20, 20})}, "no names"},
		"two columns":   {[]*pprof.Profile{short, short}, "alloc_objects"},
		"a difference":  {[]*pprof.Profile{heap, heapAt(2, kept{"main.f main.main", 64, -5, -5})}, "difference"},
	} {
		var sources []profile.Source
		for i, p := range tt.points {
			sources = append(sources, source(t, fmt.Sprintf("p%d", i), p))
		}
		if _, err := Growth(sources, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
}

// What Growth cannot compare is left for others.
func TestGrown(t *testing.T) {
	t.Parallel()
	src := func(name string, p *pprof.Profile) profile.Source { return source(t, name, p) }
	names := func(sources []profile.Source) string {
		var out []string
		for _, s := range sources {
			out = append(out, s.Name)
		}
		return strings.Join(out, " ")
	}
	heap := func(minute int, n int64) *pprof.Profile {
		return heapAt(minute, kept{"main.f main.main", 64, n, n})
	}
	routines := goroutinesAt(0, row{"main.f", []int64{1}})
	for name, tt := range map[string]struct {
		base, now []profile.Source
		kinds     string
		rest      string
	}{
		"several kinds": {
			[]profile.Source{src("h1", heap(0, 9)), src("c1", raw(cpuTypes, cpuRow(1, "main.f"))), src("g1", routines)},
			[]profile.Source{src("g2", routines), src("h2", heap(1, 99)), src("h3", heap(2, 199)), src("c2", raw(cpuTypes, cpuRow(1, "main.f")))},
			"heap 3 goroutine 2 ", "c1 | c2",
		},
		"another process": {[]profile.Source{src("h1", heap(0, 99))}, []profile.Source{src("h2", heap(1, 9))}, "", "h1 | h2"},
		"another process, measured earlier": {
			[]profile.Source{src("h1", heapAt(5, kept{"main.f main.main", 64, 99, 9}, kept{"main.g main.main", 64, 9, 9}))},
			[]profile.Source{src("h2", heapAt(1, kept{"main.f main.main", 64, 9, 9}, kept{"main.g main.main", 64, 99, 9}))}, "", "h1 | h2",
		},
		"one side only": {[]profile.Source{src("h1", heap(0, 99))}, []profile.Source{src("g2", routines)}, "", "h1 | g2"},
	} {
		grown, b, n, err := Grown(tt.base, tt.now, Options{})
		kinds := ""
		for _, g := range grown {
			kinds += fmt.Sprintf("%s %d ", g.Kind, len(g.Points))
		}
		if rest := names(b) + " | " + names(n); err != nil || kinds != tt.kinds || rest != tt.rest {
			t.Errorf("%s: %q and %q are left, %v; want %q and %q", name, kinds, rest, err, tt.kinds, tt.rest)
		}
	}
	if _, _, _, err := Grown([]profile.Source{src("h1", heap(1, 99))}, []profile.Source{src("h2", heap(0, 9))}, Options{}); err == nil || !strings.Contains(err.Error(), "the oldest comes first") {
		t.Errorf("in the wrong order: %v", err)
	}
}

// Profiles without a cycle of the collector in between are the same, and say
// nothing.
func TestStale(t *testing.T) {
	t.Parallel()
	site := kept{"main.f main.main", 64, 100, 100}
	g := grown(t, heapAt(0, site), heapAt(1, site), heapAt(2, site))
	if len(g.Points) != 2 || len(trends(g)) != 0 || len(g.Warnings) == 0 || !strings.Contains(g.Warnings[0].Try, "gc=1") {
		t.Errorf("%d points, %v, warnings %+v", len(g.Points), trends(g), g.Warnings)
	}
	g = grown(t, heapAt(0, site), heapAt(1, site), heapAt(2, kept{"main.f main.main", 64, 200, 200}))
	if len(g.Points) != 2 || g.Seconds != 120 || len(g.Suspects) != 1 {
		t.Errorf("%d points in %v s, %v", len(g.Points), g.Seconds, trends(g))
	}
	empty := raw(heapTypes)
	if g := grown(t, empty, empty); len(trends(g)) != 0 || g.Seconds != 0 {
		t.Errorf("of nothing: %+v", g)
	}
}

func TestRising(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{1, 2}, 1.0 / 2},
		{[]float64{1, 2, 3}, 1.0 / 6},
		{[]float64{1, 2, 3, 4}, 1.0 / 24},
		{[]float64{1, 2, 4, 3}, 4.0 / 24},
		{[]float64{4, 3, 2, 1}, 1},
		{[]float64{1, 1}, 1}, // s = 0; 2 of 2 orders have s ≥ −1
		{[]float64{1, 2, 3, 4, 6, 5, 7, 8, 9, 10}, 10.0 / 3628800},
	} {
		want := tt.want
		if got := rising(tt.values); math.Abs(got-want) > 1e-9 && !(tt.values[0] == tt.values[len(tt.values)-1] && got >= 0.5) {
			t.Errorf("%v: %v, want %v", tt.values, got, want)
		}
	}
}

// The interval holds the true growth as often as it says, and what does not
// grow is called growth no more often than that.
func TestNoise(t *testing.T) {
	t.Parallel()
	const runs = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	sampled := func(n int, chance float64) float64 { // of n objects
		k := 0
		for range n {
			if rng.Float64() < chance {
				k++
			}
		}
		return float64(k)
	}
	for _, tt := range []struct {
		name                  string
		size                  float64
		stay, come, go_, dead int // objects in both, new, gone, and made and gone in between
	}{
		{"a leak", 16 << 10, 3000, 1000, 0, 0},
		{"a small leak", 16 << 10, 0, 200, 0, 0},
		{"churn, as much as before", 16 << 10, 200, 800, 800, 3000},
		{"churn that grows", 16 << 10, 200, 1500, 800, 3000},
		{"large objects", 1 << 20, 50, 100, 20, 0},
		{"nearly nothing", 64 << 10, 20, 10, 10, 100},
	} {
		chance := -math.Expm1(-tt.size / rate)
		covered, wrong := 0, 0
		for range runs {
			stay, come, gone, dead := sampled(tt.stay, chance), sampled(tt.come, chance), sampled(tt.go_, chance), sampled(tt.dead, chance)
			s := &site{values: []float64{0, 0}, steps: []change{{}}}
			before := heapRowOf(tt.size, chance, stay+gone, stay+gone)
			after := heapRowOf(tt.size, chance, stay+gone+come+dead, stay+come)
			s.whole.row(before, after)
			s.present.add(before.InUse+after.InUse, before.Weight(), chance)
			truth := float64(tt.come-tt.go_) * tt.size
			if lo, hi := s.whole.bounds(s.present.grain(), z95); lo <= truth && truth <= hi {
				covered++
			}
			y := &History{kind: "heap"}
			if lo, hi := y.beyond(s, 0, 1, z95); truth == 0 && (lo > 0 || hi < 0) {
				wrong++
			}
		}
		// Three standard errors below 95 %, and above 5 %.
		slack := 3 * math.Sqrt(0.05*0.95/runs)
		if share := float64(covered) / runs; share < 0.95-slack {
			t.Errorf("%s: %.3f of the intervals hold the truth", tt.name, share)
		}
		if share := float64(wrong) / runs; share > 0.05+slack {
			t.Errorf("%s: %.3f of the differences are called growth or loss", tt.name, share)
		}
		t.Logf("%-26s %.3f covered, %.3f wrong", tt.name, float64(covered)/runs, float64(wrong)/runs)
	}
}

// Of a heap of many lines where as much comes as goes, hardly any is called
// growth, and all together no more often than 5 % of the time.
func TestNoiseOfMany(t *testing.T) {
	t.Parallel()
	const runs, sites = 300, 40
	rng := rand.New(rand.NewPCG(3, 4))
	wrong := 0
	for range runs {
		var before, after []kept
		for i := range sites {
			old, fresh, dead := poisson(rng, 12), poisson(rng, 12), poisson(rng, 20)
			k := kept{fmt.Sprintf("main.f%d main.main", i), 64, old, old}
			before = append(before, k)
			k.allocs, k.inuse = old+fresh+dead, fresh
			after = append(after, k)
		}
		if len(trends(grown(t, heapAt(0, before...), heapAt(1, after...)))) > 0 {
			wrong++
		}
	}
	t.Logf("%d of %d", wrong, runs)
	if most := 0.05*runs + 3*math.Sqrt(0.05*0.95*runs); float64(wrong) > most {
		t.Errorf("%d of %d heaps that stay have a line that grows; at most %.0f should", wrong, runs, most)
	}
}

// poisson returns a random number of a mean.
func poisson(rng *rand.Rand, mean float64) int64 {
	n, p := int64(-1), 1.0
	for limit := math.Exp(-mean); p > limit; n++ {
		p *= rng.Float64()
	}
	return n
}

// A program that leaks in one way shows that line as a suspect and nothing
// else; one that fills a cache and one that is steady show none.
func TestGrowingPrograms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs programs for some seconds")
	}
	dir := t.TempDir()
	programs := []struct{ program, heap, goroutine string }{
		{"growmap", "*main.put rose", ""},
		{"growslice", "*main.read rose", ""},
		{"growgoroutine", "*main.buffer rose", "*main.wait rose"},
		{"growfinalizer", "*main.pair rose", ""},
		{"growwarm", "main.fill levelled", ""},
		{"growsteady", "", ""},
	}
	for _, tt := range programs {
		t.Run(tt.program, func(t *testing.T) {
			sample.One(t, 6)
			buildProgram(t, dir, tt.program)
			// One run in twenty may be off by chance. Three are not.
			var got string
			for range 3 {
				heap, goroutine := runGrowing(t, filepath.Join(dir, tt.program))
				if got = heap + "; " + goroutine; got == tt.heap+"; "+tt.goroutine {
					return
				}
			}
			t.Errorf("%s; want %s; %s", got, tt.heap, tt.goroutine)
		})
	}
}

// runGrowing runs a program that writes profiles, and returns what it shows of heap and
// goroutines, as trends does.
func runGrowing(t *testing.T, program string) (heap, goroutine string) {
	t.Helper()
	var names []string
	for i := range 6 {
		names = append(names, fmt.Sprintf("%s.%d", program, i))
	}
	if text, err := exec.Command(program, names...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	of := func(kind string) string {
		var points []profile.Source
		for _, name := range names {
			s, err := target.Read(t.Context(), name+kind, 0)
			if err != nil {
				t.Fatal(err)
			}
			points = append(points, s)
		}
		g, err := Growth(points, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(trends(g), ", ")
	}
	return of(""), of(".goroutines")
}

// Whatever is in two profiles, what is said of their difference holds together.
func FuzzGrowth(f *testing.F) {
	encode := func(p *pprof.Profile) []byte { // without compression, which hides the fields
		var buf bytes.Buffer
		if err := p.WriteUncompressed(&buf); err != nil {
			f.Fatal(err)
		}
		return buf.Bytes()
	}
	site := func(n int64) []byte {
		return encode(heapAt(int(n), kept{"main.f main.main", 64, n, n}, kept{"main.g main.main", 1 << 20, 2 * n, 1}))
	}
	f.Add(site(10), site(100))
	f.Add(site(10), site(10))
	f.Add(encode(goroutinesAt(0, row{"runtime.gopark main.f", []int64{5}})), encode(goroutinesAt(1, row{"runtime.gopark main.f", []int64{5000}})))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var points []profile.Source
		for _, data := range [][]byte{a, b} {
			p, err := profile.ReadLimited(bytes.NewReader(data), 1<<20)
			if err != nil {
				return
			}
			points = append(points, profile.Source{Name: "x", Profile: p})
		}
		g, err := Growth(points, Options{Own: "example.com/m"})
		if err != nil {
			return
		}
		for _, x := range append(g.Suspects, g.Others...) {
			c := x.GrowthChange
			if !(c.Lo <= c.Change && c.Change <= c.Hi) || !(x.Share >= 0 && x.Share <= 1.001) || len(x.Values) != len(g.Points) || x.Trend == trendSteady {
				t.Errorf("%+v", x)
			}
		}
	})
}
