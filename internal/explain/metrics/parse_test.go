package metrics

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What real programs serve is read, whatever the form.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		file, form string
		keys       []string
		hists      []string
	}{
		{"default.1.txt", "prometheus", []string{cycles, allocBytes, allocObjects, heapGoal, gogc, memoryLimit, procs, goroutines, threads, residentSet, processCPU, started, pauseSum, pauseLast, heapFree, heapUnused, memoryTotal}, nil},
		{"all.1.txt", "prometheus", []string{gcTotal, gcAssist, gcIdle, cpuIdle, cpuTotal, forced, heapLive, mutexWait, cgoCalls, limiter, heapFree}, []string{latencies, gcPauses}},
		{"openmetrics.txt", "prometheus", []string{gcTotal, heapLive, mutexWait}, []string{latencies, gcPauses}},
		{"expvar.1.json", "expvar", []string{cycles, forced, allocBytes, heapGoal, heapFree, gcFraction, pauseSum}, nil},
		{"heap.1.txt", "heap", []string{cycles, forced, allocBytes, allocObjects, heapGoal, heapFree, gcFraction, memoryTotal}, nil},
		{"runtime.1.json", "runtime/metrics", []string{gcTotal, cpuTotal, heapLive, mutexWait, goroutines, procs, threads}, []string{latencies, gcPauses}},
	} {
		r, err := Parse(read(t, tt.file))
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		if r.Form != tt.form || len(r.Odd) > 0 {
			t.Errorf("%s: form %s, odd %q", tt.file, r.Form, r.Odd)
		}
		for _, key := range tt.keys {
			if _, ok := r.Values[key]; !ok {
				t.Errorf("%s: no %s", tt.file, key)
			}
		}
		for _, key := range tt.hists {
			if h := r.Hists[key]; !h.valid() {
				t.Errorf("%s: no %s", tt.file, key)
			}
		}
	}
}

// The figures of one program are the same in whatever form they are read.
func TestFormsAgree(t *testing.T) {
	all, err := Parse(read(t, "all.2.txt"))
	if err != nil {
		t.Fatal(err)
	}
	older, err := Parse(read(t, "default.2.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{cycles, allocBytes, heapGoal, memoryTotal, gogc, memoryLimit, procs} {
		a, b := all.Values[key], older.Values[key]
		if math.Abs(a-b) > 0.02*math.Abs(a) { // a moment lies between them
			t.Errorf("%s: %v and %v", key, a, b)
		}
	}
	if all.Go != "go1.26.8" || all.Values[memoryLimit] != off || all.Values[gogc] != 100 {
		t.Errorf("go %q, limit %v, GOGC %v", all.Go, all.Values[memoryLimit], all.Values[gogc])
	}
	e, err := Parse(read(t, "expvar.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Pauses) != 256 || e.Command != "./prom" {
		t.Errorf("%d pauses of %q", len(e.Pauses), e.Command)
	}
}

func TestSamples(t *testing.T) {
	const text = "# HELP x a thing\n# TYPE x counter\n\n" +
		"x 1\r\n" +
		`y{a="b",c="d\"e\\f\ng",} +Inf 1700000000000` + "\n" +
		"  z{ le = \"0.5\" }\t2e3 # {id=\"7\"} 0.1\n" +
		`{"with.dots","k"="v"} 16` + "\n" +
		"nan NaN\n" +
		"large 1e999"
	type want struct {
		name, labels string
		value        float64
	}
	wants := []want{
		{"x", "", 1}, {"y", `a=b,c=d"e\f` + "\ng", math.Inf(1)}, {"z", "le=0.5", 2000}, {"with.dots", "k=v", 16}, {"nan", "", math.NaN()}, {"large", "", math.Inf(1)},
	}
	i := 0
	err := samples(text, func(s sample) {
		var labels []string
		for _, l := range s.labels {
			labels = append(labels, l.name+"="+l.value)
		}
		got := want{s.name, strings.Join(labels, ","), s.value}
		if w := wants[i]; got != w && !(math.IsNaN(got.value) && math.IsNaN(w.value) && got.name == w.name) {
			t.Errorf("%+v, want %+v", got, w)
		}
		i++
	})
	if err != nil || i != len(wants) {
		t.Errorf("%d samples, %v", i, err)
	}
}

// What cannot be read says what it looks like, and what to try.
func TestNoMetrics(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "empty"},
		{"  \n", "empty"},
		{"<html>log in</html>", "HTML"},
		{"\x1f\x8b\x08\x00", "debug=1"},
		{"goroutine profile: total 3\n1 @ 0x1\n", "no metrics"},
		{"heap profile: 1: 2 [3: 4] @ heap/1048576\n", "no Sys in the text"},
		{"{}", "nothing in it is of Go's runtime"},
		{`{"memstats": "all is well"}`, "memstats is no object"},
		{`{"memstats": {"NumGC": {}}}`, "NumGC: is no number"},
		{`{"memstats": {"NumGC": Infinity}}`, "no JSON object"},
		{`{"memstats": {"NumGC": 1}`, "no JSON object"},
		{`[1, 2]`, "no JSON object"},
		{`{"/gc/heap/live:bytes": "much"}`, "is no number"},
		{`{"/sched/latencies:seconds": 5}`, "no histogram"},
		{`{"/sched/latencies:seconds": {"buckets": [0, 1], "counts": [1, 2]}}`, "one more of them"},
		{`{"/sched/latencies:seconds": {"buckets": [1, 0], "counts": [1]}}`, "must grow"},
		{`{"/sched/latencies:seconds": {"buckets": [0, "soon"], "counts": [1]}}`, "the bound"},
		{"node_cpu_seconds_total 5\n", "NewGoCollector"},
		{"go_goroutines", "line 1 is no metric: it has no value"},
		{"go_goroutines many", "no number"},
		{"x{", "do not end"},
		{`x{a=b} 1`, "not quoted"},
		{`x{a="b} 1`, "does not end"},
		{"\n\nx{a} 1", "line 3"},
		{"go_goroutines{instance=\"a\"} 1\ngo_goroutines{instance=\"b\"} 2\n", "several programs (instance=\"a\" and instance=\"b\")"},
		{"go_goroutines 1\ngo_goroutines{instance=\"b\"} 2\n", "several programs (no label and"},
	} {
		if _, err := Parse([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60q: error %v; want %q", tt.text, err, tt.want)
		}
	}
}

// Figures that cannot be are left out, and named; the others stay.
func TestOddFigures(t *testing.T) {
	for _, tt := range []struct{ text, odd string }{
		{"go_goroutines 5\ngo_memstats_next_gc_bytes NaN\n", heapGoal},
		{"go_goroutines 5\ngo_memstats_alloc_bytes_total -7\n", allocBytes},
		{"go_goroutines 5\nprocess_resident_memory_bytes 1e999\n", residentSet},
		{"go_goroutines 5\ngo_sched_latencies_seconds_bucket{le=\"1\"} 5\ngo_sched_latencies_seconds_bucket{le=\"+Inf\"} 3\n", latencies},
		{"go_goroutines 5\ngo_sched_latencies_seconds_bucket{le=\"2\"} 5\ngo_sched_latencies_seconds_bucket{le=\"1\"} 6\n", latencies},
		{"go_goroutines 5\ngo_sched_latencies_seconds_bucket{le=\"soon\"} 5\n", latencies},
		{`{"/sched/goroutines:goroutines": 5, "/gc/heap/live:bytes": -1}`, heapLive},
		{`{"/sched/goroutines:goroutines": 5, "/gc/heap/live:bytes": 1e400}`, heapLive},
	} {
		r, err := Parse([]byte(tt.text))
		if err != nil || len(r.Odd) != 1 || r.Odd[0] != tt.odd || r.Values[goroutines] != 5 {
			t.Errorf("%q: %+v, %v; want %s to be odd", tt.text, r, err, tt.odd)
		}
	}
	// An empty summary has no quantiles: that is not odd.
	r, err := Parse([]byte("go_goroutines 5\ngo_gc_duration_seconds{quantile=\"1\"} NaN\n"))
	if err != nil || len(r.Odd) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	h := Histogram{Buckets: []float64{-inf, 0, 1, 2, inf}, Counts: []float64{0, 98, 1, 1}}
	for _, tt := range []struct{ q, lo, hi float64 }{{0.5, 0, 1}, {0.98, 0, 1}, {0.99, 1, 2}, {0.999, 2, inf}, {1, 2, inf}, {0, 0, 1}} {
		if lo, hi, ok := h.quantile(tt.q); !ok || lo != tt.lo || hi != tt.hi {
			t.Errorf("quantile %v in (%v, %v], %v; want (%v, %v]", tt.q, lo, hi, ok, tt.lo, tt.hi)
		}
	}
	if _, _, ok := (Histogram{Buckets: []float64{0, 1}, Counts: []float64{0}}).quantile(0.5); ok {
		t.Error("nothing has a median")
	}
	if _, ok := h.since(Histogram{Buckets: []float64{-inf, 0, 1, 3, inf}, Counts: h.Counts}); ok {
		t.Error("histograms of other buckets have a difference")
	}
	if _, ok := (Histogram{Buckets: h.Buckets, Counts: []float64{0, 0, 0, 0}}).since(h); ok {
		t.Error("counts that fell have a difference")
	}
}

// Whatever is on a page, its figures can be.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"default.1.txt", "openmetrics.txt", "expvar.1.json", "heap.1.txt", "runtime.1.json"} {
		f.Add(read(f, name))
	}
	f.Add([]byte(`{"go_goroutines"} 5`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		for key, v := range r.Values {
			if !(v >= 0 || v == off && (key == gogc || key == memoryLimit)) || math.IsInf(v, 0) {
				t.Errorf("%s is %v", key, v)
			}
		}
		for key, h := range r.Hists {
			if !h.valid() {
				t.Errorf("%s: %+v", key, h)
			}
			if lo, hi, ok := h.quantile(0.99); ok && !(0 <= lo && lo <= hi) {
				t.Errorf("%s: between %v and %v", key, lo, hi)
			}
		}
	})
}

// Whatever the text, samples have names, and none comes from nothing.
func FuzzSamples(f *testing.F) {
	f.Add("go_goroutines{a=\"b\\\"c\",le=\"+Inf\"} 5 17\n# x\ny 1 # {a=\"b\"} 2")
	f.Add(`{"a.b","c"="d"} NaN`)
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		err := samples(text, func(s sample) {
			n++
			if !validName(s.name) {
				t.Errorf("%+v", s)
			}
			_ = s.whose()
		})
		if lines := strings.Count(text, "\n") + 1; n > lines || err == nil && n == 0 && strings.Trim(text, " \t\r\n") != "" && !strings.Contains(text, "#") {
			t.Errorf("%d samples in %d lines: %v", n, lines, err)
		}
	})
}
