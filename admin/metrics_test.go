package admin

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	read "github.com/pawl-dev/pawl/internal/explain/metrics"
)

// A family is what stands below one TYPE line.
type family struct {
	kind, help string
	samples    []sample
}

type sample struct {
	name   string
	labels map[string]string
	value  float64
}

var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$`)
	labelPart  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)`)
)

// parse is a strict reader of the format: HELP, TYPE, then samples, each family once.
func parse(text string) (map[string]*family, error) {
	families := make(map[string]*family)
	var name, help string
	if !strings.HasSuffix(text, "\n") || !utf8.ValidString(text) {
		return nil, fmt.Errorf("no text that ends in a line")
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if m := helpLine.FindStringSubmatch(line); m != nil {
			name, help = m[1], m[2]
		} else if m := typeLine.FindStringSubmatch(line); m != nil {
			if m[1] != name || families[name] != nil {
				return nil, fmt.Errorf("TYPE of %s twice, or after HELP of %s", m[1], name)
			}
			families[name] = &family{kind: m[2], help: help}
		} else if err := families[name].take(name, line); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return families, nil
}

func (f *family) take(family, line string) error {
	m := sampleLine.FindStringSubmatch(line)
	if m == nil || f == nil {
		return fmt.Errorf("no sample of a family")
	}
	suffixes := map[string]string{"histogram": "_bucket _count", "summary": "_sum _count"}[f.kind]
	rest, ok := strings.CutPrefix(m[1], family)
	if !ok || rest != "" && !strings.Contains(suffixes, rest) || rest == "" && f.kind == "histogram" {
		return fmt.Errorf("not of %s", family)
	}
	v, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return err
	}
	s := sample{m[1], make(map[string]string), v}
	for labels := m[2]; labels != ""; {
		l := labelPart.FindStringSubmatch(labels)
		if l == nil {
			return fmt.Errorf("labels %q", labels)
		}
		s.labels[l[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(l[2])
		labels = labels[len(l[0]):]
	}
	f.samples = append(f.samples, s)
	return nil
}

func exposed(t *testing.T) (string, map[string]*family) {
	t.Helper()
	a, err := metricsPage(new(http.Request))
	if err != nil {
		t.Fatal(err)
	}
	families, err := parse(string(a.body))
	if err != nil {
		t.Fatal(err)
	}
	return string(a.body), families
}

// What is served is in the format, without a family twice, and histograms add up.
func TestFormat(t *testing.T) {
	_, families := exposed(t)
	if len(families) < 80 {
		t.Errorf("%d families", len(families))
	}
	for name, f := range families {
		if f.kind == "counter" != strings.HasSuffix(name, "_total") || f.help == "" || len(f.samples) == 0 {
			t.Errorf("%s: a %s with %d samples: %q", name, f.kind, len(f.samples), f.help)
		}
		if f.kind != "histogram" {
			continue
		}
		bound, count := math.Inf(-1), 0.0
		last := len(f.samples) - 1
		for _, s := range f.samples[:last] {
			le, err := strconv.ParseFloat(s.labels["le"], 64)
			if err != nil || le <= bound || s.value < count {
				t.Errorf("%s: le=%q after %v, %v after %v", name, s.labels["le"], bound, s.value, count)
			}
			bound, count = le, s.value
		}
		if !math.IsInf(bound, 1) || f.samples[last].name != name+"_count" || f.samples[last].value != count || last > 50 {
			t.Errorf("%s: up to %v, %v samples, %d lines", name, bound, count, last)
		}
	}
}

// Names and types are those of Prometheus' own collector, for all that both have.
func TestNamesOfPrometheus(t *testing.T) {
	page, err := os.ReadFile("../internal/explain/metrics/testdata/all.1.txt")
	if err != nil {
		t.Fatal(err)
	}
	theirs := make(map[string]string)
	for line := range strings.Lines(string(page)) {
		if m := typeLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			theirs[m[1]] = m[2]
		}
	}
	_, ours := exposed(t)
	both := 0
	for name, kind := range theirs {
		if f := ours[name]; f != nil {
			both++
			if f.kind != kind {
				t.Errorf("%s is a %s, and theirs a %s", name, f.kind, kind)
			}
		}
	}
	if both < 80 || theirs["go_sched_latencies_seconds"] == "" || ours["go_sched_latencies_seconds"] == nil {
		t.Errorf("%d of their %d names", both, len(theirs))
	}
	for _, o := range olders() {
		if ours[o.name] == nil || theirs[o.name] != o.kind {
			t.Errorf("%s, a %s: theirs is a %q", o.name, o.kind, theirs[o.name])
		}
	}
}

// Pawl reads the page back, with the figures by which diagnose judges.
func TestReadBack(t *testing.T) {
	runtime.GC() // so that there are pauses
	text, families := exposed(t)
	r, err := read.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.Form != "prometheus" || r.Go != runtime.Version() || len(r.Odd) > 0 {
		t.Errorf("form %s of %s, odd %q", r.Form, r.Go, r.Odd)
	}
	for _, key := range []string{"/cpu/classes/gc/total:cpu-seconds", "/gc/heap/live:bytes", "/gc/gomemlimit:bytes", "/sched/gomaxprocs:threads", "/sync/mutex/wait/total:seconds", "/memory/classes/total:bytes", "pauses' sum", "longest pause"} {
		if _, ok := r.Values[key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	for _, key := range []string{"/sched/latencies:seconds", "/sched/pauses/total/gc:seconds"} {
		if len(r.Hists[key].Counts) == 0 {
			t.Errorf("no %s", key)
		}
	}
	if got, want := r.Values["/sched/goroutines:goroutines"], families["go_goroutines"].samples[0].value; got != want {
		t.Errorf("%v goroutines, read as %v", want, got)
	}
}

// What is older than runtime/metrics is what runtime.MemStats has.
func TestMemStats(t *testing.T) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	_, families := exposed(t)
	for name, want := range map[string]uint64{
		"go_memstats_heap_sys_bytes": m.HeapSys, "go_memstats_heap_inuse_bytes": m.HeapInuse, "go_memstats_heap_idle_bytes": m.HeapIdle,
		"go_memstats_mallocs_total": m.Mallocs, "go_memstats_frees_total": m.Frees, "go_memstats_alloc_bytes_total": m.TotalAlloc,
		"go_memstats_stack_inuse_bytes": m.StackInuse, "go_memstats_sys_bytes": m.Sys, "go_memstats_next_gc_bytes": m.NextGC,
	} {
		got := families[name].samples[0].value
		if math.Abs(got-float64(want)) > 0.05*float64(want)+1<<20 { // a moment lies between them
			t.Errorf("%s is %v, and MemStats has %d", name, got, want)
		}
	}
}

func TestHistogram(t *testing.T) {
	var e exposition
	inf := math.Inf(1)
	e.histogram("x", "h", &metrics.Float64Histogram{Buckets: []float64{-inf, 0, 1, 1.5, 2, 3, 4, 8, inf}, Counts: []uint64{0, 1, 2, 3, 4, 5, 6, 7}}, 8)
	const want = "# HELP x h\n# TYPE x histogram\n" +
		`x_bucket{le="0.9999999999999999"} 1` + "\n" + `x_bucket{le="1.9999999999999998"} 6` + "\n" + `x_bucket{le="3.9999999999999996"} 15` + "\n" +
		`x_bucket{le="+Inf"} 28` + "\nx_count 28\n"
	if string(e.out) != want {
		t.Errorf("%s", e.out)
	}
}

// Any help, label and value comes back as it was, but for bytes that are no text.
func FuzzExposition(f *testing.F) {
	f.Add("help", "value", 1.0)
	f.Add("a\\b\nc\"d", "a\\nb\"\n\\", math.Inf(-1))
	f.Add("\xff", "\xc3\x28}", math.NaN())
	f.Fuzz(func(t *testing.T, help, value string, n float64) {
		var e exposition
		e.family("x", "gauge", help)
		e.sample("x", n, "first", value, "second", "}")
		families, err := parse(string(e.out))
		if err != nil {
			t.Fatalf("%v in %q", err, e.out)
		}
		s := families["x"].samples[0]
		if want := strings.ToValidUTF8(value, "\uFFFD"); s.labels["first"] != want || s.labels["second"] != "}" {
			t.Errorf("%q came back as %q", want, s.labels)
		}
		if s.value != n && !math.IsNaN(n) {
			t.Errorf("%v came back as %v", n, s.value)
		}
	})
}
