package diagnose

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// heapAt is a heap profile of n sampled objects that are alive on one line, taken
// n minutes after others.
func heapAt(t *testing.T, n int64) []byte {
	t.Helper()
	const rate, size = 512 << 10, 64
	objects := int64(float64(n) / -math.Expm1(-size/float64(rate)))
	f := &pprof.Function{ID: 1, Name: "main.leak", Filename: "/src/main/main.go"}
	at := &pprof.Location{ID: 1, Address: 1, Line: []pprof.Line{{Function: f, Line: 10}}}
	p := &pprof.Profile{
		PeriodType: &pprof.ValueType{Type: "space", Unit: "bytes"}, Period: rate, TimeNanos: 1e18 + n*60e9,
		Function: []*pprof.Function{f}, Location: []*pprof.Location{at},
		Sample: []*pprof.Sample{{
			Location: []*pprof.Location{at}, NumLabel: map[string][]int64{"bytes": {size}},
			Value: []int64{objects, objects * size, objects, objects * size},
		}},
	}
	for _, name := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: "count"})
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// A program that leaks 100 sampled objects between any two requests.
func leaking(t *testing.T) *httptest.Server {
	t.Helper()
	var asked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("debug") == "1" {
			http.ServeFile(w, r, "../../read/profile/memstats/testdata/heap.txt")
			return
		}
		n := asked.Add(1)
		w.Write(heapAt(t, 100*n))
	})
	mux.HandleFunc("/few/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		if n > 2 {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		w.Write(heapAt(t, 100*n))
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// polled takes n points of a URL; taken is called before each.
func polled(ctx context.Context, url string, n int, taken func()) (*model.Growth, profile.Source, error) {
	w := &work{Options: Options{Targets: []string{url}, Points: n, Every: 100 * time.Millisecond, Say: func(string) { taken() }}}
	return w.poll(ctx)
}

func TestWatch(t *testing.T) {
	srv := leaking(t)
	url := strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + "/debug/pprof/heap"
	times := 0
	g, last, err := polled(t.Context(), url, 4, func() { times++ })
	if err != nil {
		t.Fatal(err)
	}
	if times != 4 || len(g.Points) != 4 || len(g.Suspects) != 1 || strings.Contains(g.Sources[0], "secret") {
		t.Errorf("%d points taken: %+v", times, g)
	}
	m, err := answered{url, last}.memory(t.Context())
	if err != nil || m == nil || m.Sys != 400<<20 || strings.Contains(m.Source, "secret") || strings.Contains(m.Source, "gc=") {
		t.Errorf("memory %+v, %v", m, err)
	}
	if m, err := (answered{"heap.pprof", last}).memory(t.Context()); m != nil || err != nil {
		t.Errorf("of a file: %+v, %v", m, err)
	}
}

// What ends early shows what is there.
func TestWatchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	times := 0
	g, _, err := polled(ctx, leaking(t).URL+"/debug/pprof/heap", 50, func() {
		if times++; times == 3 {
			cancel()
		}
	})
	if err != nil || len(g.Points) != 2 || g.Warnings[len(g.Warnings)-1].Cause != "pawl was interrupted" {
		t.Errorf("interrupted: %+v, %v", g, err)
	}
	if _, _, err := polled(ctx, leaking(t).URL+"/debug/pprof/heap", 50, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted at once: %v", err)
	}
	g, _, err = polled(t.Context(), leaking(t).URL+"/few/debug/pprof/heap", 5, func() {})
	if err != nil || len(g.Points) != 2 || !strings.Contains(g.Warnings[len(g.Warnings)-1].Cause, "gone") {
		t.Errorf("a program that goes away: %+v, %v", g, err)
	}
	if _, _, err = polled(t.Context(), leaking(t).URL+"/none/debug/pprof/heap", 5, func() {}); err == nil || !strings.Contains(err.Error(), "does not serve") {
		t.Errorf("a program without profiles: %v", err)
	}
}
