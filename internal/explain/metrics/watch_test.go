package metrics

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/model"
)

// pages serves texts in turn: the n-th reading gets the n-th, and those after the
// last one the last.
func pages(t *testing.T, texts ...string) Target {
	t.Helper()
	var n atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, texts[min(int(n.Add(1)), len(texts))-1])
	}))
	t.Cleanup(srv.Close)
	return target(t, srv.URL+"/metrics")
}

func target(t *testing.T, url string) Target {
	t.Helper()
	u, err := Page(url)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func watched(t *testing.T, targets ...Target) *model.RuntimeMetrics {
	t.Helper()
	m, err := Watch(context.Background(), targets, Options{Seconds: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func figure(t *testing.T, m *model.RuntimeMetrics, name string) model.Metric {
	t.Helper()
	for _, f := range m.Figures {
		if f.Name == name {
			return f
		}
	}
	t.Errorf("there is no %s", name)
	return model.Metric{}
}

func signed(m *model.RuntimeMetrics) string {
	var names []string
	for _, s := range m.Signs {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

func TestWatchRecorded(t *testing.T) {
	m := watched(t, pages(t, string(read(t, "all.1.txt")), string(read(t, "all.2.txt"))))
	if f := figure(t, m, "gc_cpu_share"); f.Value < 0.02 || f.Value > 0.2 || f.From != "prometheus" {
		t.Errorf("the collector's share: %+v", f)
	}
	if f := figure(t, m, "sched_latency_p99"); f.Lo == nil || f.Hi == nil || *f.Lo >= *f.Hi || f.Value != *f.Hi {
		t.Errorf("latency without bounds: %+v", f)
	}
	if f := figure(t, m, "gc_assist_share"); f.Value > 0.01 {
		t.Errorf("assist: %+v", f)
	}
	if f := figure(t, m, "heap_goal"); f.First == nil || *f.First == f.Value {
		t.Errorf("goal: %+v", f)
	}
	if m.Go != "go1.26.8" || m.Readings != 2 || len(m.Sources) != 1 {
		t.Errorf("%+v", m)
	}
	m = watched(t, pages(t, string(read(t, "runtime.1.json")), string(read(t, "runtime.2.json"))))
	if figure(t, m, "mutex_wait").Value <= 0 || !strings.Contains(signed(m), "mutexwait") {
		t.Errorf("four goroutines that wait for each other do not stand out: %s", signed(m))
	}
}

// Several pages of one program complete each other, and what none of them has
// is said.
func TestWatchSeveral(t *testing.T) {
	m := watched(t, pages(t, string(read(t, "default.1.txt")), string(read(t, "default.2.txt"))), pages(t, string(read(t, "expvar.1.json")), string(read(t, "expvar.2.json"))))
	if f := figure(t, m, "gc_capacity_share"); f.From != "expvar" || f.Note != "since the start" {
		t.Errorf("%+v", f)
	}
	if f := figure(t, m, "gogc"); f.From != "prometheus" || f.Value != 100 {
		t.Errorf("%+v", f)
	}
	p99, longest := figure(t, m, "gc_pause_p99"), figure(t, m, "gc_pause_longest")
	if p99.Value <= 0 || p99.Value > longest.Value {
		t.Errorf("pauses %+v, %+v", p99, longest)
	}
	var gaps []string
	for _, g := range m.Unknown {
		gaps = append(gaps, g.What)
	}
	if all := strings.Join(gaps, "\n"); !strings.Contains(all, "scheduler latency") || !strings.Contains(all, "throttling") || strings.Contains(all, "goroutines") {
		t.Errorf("not known: %s", all)
	}
}

func counters(cycles, bytes, started float64) string {
	return fmt.Sprintf("go_gc_duration_seconds_count %g\ngo_memstats_alloc_bytes_total %g\nprocess_start_time_seconds %g\ngo_goroutines 5\n", cycles, bytes, started)
}

func TestWatchRestart(t *testing.T) {
	for name, texts := range map[string][]string{
		"counters fall": {counters(100, 1e9, 1), counters(3, 1e6, 1)},
		"another start": {counters(100, 1e9, 1), counters(110, 2e9, 500)},
	} {
		m, err := Watch(context.Background(), []Target{pages(t, texts...)}, Options{Seconds: 0.02, PID: 12, Machine: machine()})
		if err != nil || len(m.Sources) != 1 {
			t.Fatalf("%s: %v, or the process before the start counts: %+v", name, err, m)
		}
		if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Seen, "started again") || !strings.Contains(m.Warnings[0].Seen, "no rates") {
			t.Errorf("%s: %+v", name, m.Warnings)
		}
		for _, f := range m.Figures {
			if strings.HasSuffix(f.Unit, "/s") {
				t.Errorf("%s: a rate of nothing: %+v", name, f)
			}
		}
		if figure(t, m, "goroutines").Value != 5 {
			t.Errorf("%s: levels are gone", name)
		}
	}
	// Of several readings, those after the start count.
	s := &series{}
	for _, c := range []float64{10, 20, 3, 4} {
		s.readings = append(s.readings, &Reading{Values: map[string]float64{cycles: c}})
	}
	if !s.restarts() || len(s.readings) != 2 || s.readings[0].Values[cycles] != 3 {
		t.Errorf("%d readings are left", len(s.readings))
	}
}

// The runtime's account of CPU time moves at the end of a cycle.
func TestNoCycle(t *testing.T) {
	text := string(read(t, "all.1.txt"))
	m := watched(t, pages(t, text, text))
	for _, f := range m.Figures {
		if f.Name == "gc_cpu_share" || f.Name == "gc_assist_share" || strings.HasPrefix(f.Name, "sched_latency") {
			t.Errorf("a share of nothing: %+v", f)
		}
	}
	if len(m.Unknown) == 0 || !strings.Contains(m.Unknown[0].Why, "no cycle") {
		t.Errorf("%+v", m.Unknown)
	}
}

func TestWatchHostile(t *testing.T) {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(bytes.Repeat([]byte("#"), 1<<20))
	z.Close()
	packed := bytes.Repeat(member.Bytes(), mostPage>>20+1)
	mux := http.NewServeMux()
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, "go_goroutines 5\n")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	mux.HandleFunc("/html", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") })
	mux.Handle("/away", http.RedirectHandler("http://192.0.2.1/metrics", http.StatusFound))
	mux.HandleFunc("/secret", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	var n atomic.Int64
	mux.HandleFunc("/once", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "go_goroutines 5\n")
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for path, want := range map[string]string{
		"/bomb": "larger than 64 MiB", "/slow": "no end of it, after 0.5 s", "/html": "HTML", "/away": "another host", "/nowhere": "no such page",
		"/secret": "user and password", "/once": "the second was not",
	} {
		url := strings.Replace(srv.URL, "http://", "http://user:hidden@", 1) + path
		o := Options{Seconds: 0.01}
		if path == "/slow" {
			o.Patience = 500 * time.Millisecond
		}
		_, err := Watch(context.Background(), []Target{target(t, url)}, o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: error %v; want %q", path, err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Watch(ctx, []Target{pages(t, "go_goroutines 5\n")}, Options{Seconds: 60, Progress: func(string) { time.AfterFunc(50*time.Millisecond, cancel) }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestBeside(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/svc/debug/vars", func(w http.ResponseWriter, _ *http.Request) { w.Write(read(t, "expvar.1.json")) })
	mux.HandleFunc("/svc/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("debug") != "1" {
			t.Errorf("asked for %s", r.URL)
		}
		w.Write(read(t, "heap.1.txt"))
	})
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) { t.Error("another service's page is asked") })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for _, tt := range []struct{ path, form string }{
		{"/svc/debug/pprof", "expvar"}, {"/svc/debug/pprof/profile?seconds=5", "expvar"}, {"/svc/metrics", "expvar"}, {"/svc/debug/vars", "expvar"},
	} {
		targets, err := Beside(srv.URL + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Watch(context.Background(), targets, Options{Seconds: 0.01})
		if err != nil || len(m.Sources) != 1 || m.Sources[0].Form != tt.form {
			t.Errorf("%s: %+v, %v", tt.path, m, err)
		}
	}
	targets, err := Beside(srv.URL + "/other/debug/pprof")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Watch(context.Background(), targets, Options{}); err == nil || strings.Count(err.Error(), "no such page") != 3 {
		t.Errorf("a program without pages: %v", err)
	}
}

func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		url  string
		page bool
	}{
		{"http://h/metrics", true}, {"http://h/debug/vars", true}, {"http://h/debug/pprof/heap?debug=1", true}, {"http://h/x/stats", true},
		{"http://h/debug/pprof", false}, {"http://h/debug/pprof/heap", false}, {"http://h/debug/pprof/goroutine?debug=1", false},
	} {
		if got := IsPage(tt.url); got != tt.page {
			t.Errorf("%s: page %v", tt.url, got)
		}
	}
	var wrong *fetch.Misuse
	for _, url := range []string{"http://", "http://%zz", "ftp://h/metrics", "http://h", "http://u:secret@h/"} {
		if _, err := Page(url); !errors.As(err, &wrong) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := Beside("http://h/x/stats"); !errors.As(err, &wrong) {
		t.Errorf("beside what: %v", err)
	}
}
