package diagnose

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A program that leaks 100 sampled objects between any two requests.
func leaking(t *testing.T) *httptest.Server {
	t.Helper()
	var asked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("debug") == "1" {
			io.WriteString(w, memText)
			return
		}
		n := asked.Add(1)
		w.Write(encode(t, heapAt(int(n), kept{"main.leak main.main", 64, 100 * n, 100 * n})))
	})
	mux.HandleFunc("/few/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		if n > 2 {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		w.Write(encode(t, heapAt(int(n), kept{"main.leak main.main", 64, 100 * n, 100 * n})))
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

func TestWatch(t *testing.T) {
	srv := leaking(t)
	url := strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + "/debug/pprof/heap"
	times := 0
	g, last, err := Watch(t.Context(), url, 4, shortestStep, Options{}, func(i int) { times = i })
	if err != nil {
		t.Fatal(err)
	}
	if times != 4 || len(g.Points) != 4 || len(g.Suspects) != 1 || strings.Contains(g.Sources[0], "secret") {
		t.Errorf("%d points taken: %+v", times, g)
	}
	m, err := ReadMemory(t.Context(), url, last)
	if err != nil || m == nil || m.Sys != 400*mib || strings.Contains(m.Source, "secret") || strings.Contains(m.Source, "gc=") {
		t.Errorf("memory %+v, %v", m, err)
	}
	if m, err := ReadMemory(t.Context(), "heap.pprof", last); m != nil || err != nil {
		t.Errorf("of a file: %+v, %v", m, err)
	}
}

// What ends early shows what is there.
func TestWatchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g, _, err := Watch(ctx, leaking(t).URL+"/debug/pprof/heap", 50, shortestStep, Options{}, func(i int) {
		if i == 3 {
			cancel()
		}
	})
	if err != nil || len(g.Points) != 2 || g.Warnings[len(g.Warnings)-1].Cause != "pawl was interrupted" {
		t.Errorf("interrupted: %+v, %v", g, err)
	}
	if _, _, err := Watch(ctx, leaking(t).URL+"/debug/pprof/heap", 50, shortestStep, Options{}, func(int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted at once: %v", err)
	}
	g, _, err = Watch(t.Context(), leaking(t).URL+"/few/debug/pprof/heap", 5, shortestStep, Options{}, func(int) {})
	if err != nil || len(g.Points) != 2 || !strings.Contains(g.Warnings[len(g.Warnings)-1].Cause, "gone") {
		t.Errorf("a program that goes away: %+v, %v", g, err)
	}
	if _, _, err = Watch(t.Context(), leaking(t).URL+"/none/debug/pprof/heap", 5, shortestStep, Options{}, func(int) {}); err == nil || !strings.Contains(err.Error(), "does not serve") {
		t.Errorf("a program without profiles: %v", err)
	}
}

func TestWatchable(t *testing.T) {
	for _, tt := range []struct {
		target string
		n      int
		every  time.Duration
		want   string
	}{
		{"http://h/debug/pprof/heap", 5, time.Minute, ""},
		{"http://h/debug/pprof/goroutineleak", 100, 6 * time.Second, ""},
		{"http://h/debug/pprof/heap?gc=1", 2, time.Second, ""},
		{"heap.pprof", 5, time.Second, "no URL"},
		{"http://h/debug/pprof", 5, time.Second, "looks for growth in heap"},
		{"http://h/debug/pprof/mutex", 5, time.Second, "looks for growth in heap"},
		{"http://h/debug/pprof/heap?seconds=5", 5, time.Second, "leave it out"},
		{"http://h/debug/pprof/heap?debug=1", 5, time.Second, "leave it out"},
		{"http://h/debug/pprof/heap", 1, time.Second, "between 2 and 100"},
		{"http://h/debug/pprof/heap", 101, time.Second, "between 2 and 100"},
		{"http://h/debug/pprof/heap", 5, time.Millisecond, "at least"},
		{"http://h/debug/pprof/heap", 5, time.Hour, "longer than"},
		{"http://h/debug/pprof/heap", 2, 1 << 62, "longer than"},
	} {
		err := watchable(tt.target, tt.n, tt.every)
		var misuse *Misuse
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &misuse) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s, %d every %v: %v; want %q", tt.target, tt.n, tt.every, err, tt.want)
		}
	}
}

// A runtime without the profile is told from a program without profiles.
func TestNoLeakProfile(t *testing.T) {
	_, err := Read(t.Context(), leaking(t).URL+"/debug/pprof/goroutineleak", 0)
	if err == nil || !strings.Contains(err.Error(), "GOEXPERIMENT=goroutineleakprofile") {
		t.Errorf("error %v", err)
	}
}
