package watch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// An archived is a Pyroscope server that has profiles, is down, or has none.
type archived struct {
	t     *testing.T
	state atomic.Int64 // 0 down, 1 empty, 2 there
}

func (a *archived) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	switch a.state.Load() {
	case 0:
		http.Error(w, "starting", http.StatusServiceUnavailable)
	case 2:
		w.Write(made(a.t, "cpu/nanoseconds", "main.f", "", 1e7))
	}
}

// A time in which the server is down is made good, and one without profiles is a gap.
func TestHistory(t *testing.T) {
	a := &archived{t: t}
	srv := httptest.NewServer(a)
	defer srv.Close()
	root := t.TempDir()
	r, err := ring.Open(Dir(root, "api"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before := ring.Capture{From: time.Now().Add(-3 * time.Hour), Until: time.Now().Add(-2 * time.Hour), Run: 1}
	if err := r.Add(before, nil); err != nil {
		t.Fatal(err)
	}
	to, err := ParseTarget("pyroscope:"+srv.URL+"?api", root, "")
	if err != nil || to.Name != "api" {
		t.Fatal(to, err)
	}
	var said []string
	w := &watcher{o: Options{Interval: time.Minute, Say: func(text string) { said = append(said, text) }}, t: to, r: r, said: map[string]bool{}}
	round := func(state int64) {
		t.Helper()
		a.state.Store(state)
		all, err := to.from.round(t.Context(), w)
		if err := w.keep(t.Context(), time.Now(), all, err); err != nil {
			t.Fatal(err)
		}
	}
	round(0)
	all := r.Captures()
	if len(all) != 2 || !strings.Contains(all[1].Gap, "longer than is made good") || !strings.Contains(strings.Join(said, "\n"), "503") {
		t.Fatalf("%+v\n%v", all, said)
	}
	round(2)
	all = r.Captures()
	got := all[len(all)-1]
	if len(all) < 3 || got.Gap != "" || len(got.Profiles) != 1 || !got.Profiles[0].Delta || got.Until.Sub(got.From) < 59*time.Minute {
		t.Fatalf("%+v", got)
	}
	data, err := ring.Content(Dir(root, "api"), got.Profiles[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, again, err := whole(data); err != nil || len(again) == 0 {
		t.Error(err)
	}
	if got := len(chosen([]ring.Capture{got, got}, cpuKind)); got != 2 {
		t.Errorf("%d profiles count", got)
	}
}

// A sunk keeps what it was sent.
type sunk struct {
	mu   sync.Mutex
	sent map[string][]byte
}

func (s *sunk) Push(_ context.Context, service, _ string, profiles map[string][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind, data := range profiles {
		s.sent[service+" "+kind] = data
	}
	return nil
}

// Of what counts from the start on, what came since the last capture is sent, unless the
// program was started again; and of the heap what lives.
func TestPush(t *testing.T) {
	s := &sunk{sent: map[string][]byte{}}
	root := t.TempDir()
	r, err := ring.Open(Dir(root, "api"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := &watcher{o: Options{Sink: s, Root: root, Say: func(string) {}}, t: Target{Name: "api", from: &service{}}, r: r, said: map[string]bool{}}
	const mutexTypes = "contentions/count delay/nanoseconds"
	for _, tt := range []struct {
		run                  int
		value                int64
		alloc, inuse, waited int64
	}{{1, 3, 0, 3, 0}, {1, 10, 7, 10, 7}, {2, 4, 0, 4, 0}, {2, 9, 5, 9, 5}} {
		clear(s.sent)
		c := taken{Capture: ring.Capture{Run: tt.run, From: time.Now(), Until: time.Now()}, content: map[string][]byte{
			heapKind: made(t, heapTypes, "main.f", "", tt.value), cpuKind: made(t, cpuTypes, "main.f", "", tt.value), "mutex": made(t, mutexTypes, "main.f", "", tt.value),
		}}
		for kind := range c.content {
			c.Profiles = append(c.Profiles, ring.Profile{Kind: kind})
		}
		if err := w.keep(t.Context(), time.Now(), []taken{c}, nil); err != nil {
			t.Fatal(err)
		}
		got := [4]int64{total(t, s.sent["api heap"], "alloc_space"), total(t, s.sent["api heap"], "inuse_space"), total(t, s.sent["api mutex"], "delay"), total(t, s.sent["api profile"], "cpu")}
		if want := [4]int64{tt.alloc, tt.inuse, tt.waited, tt.value}; got != want {
			t.Errorf("start %d, %d: %v were sent, not %v", tt.run, tt.value, got, want)
		}
	}
	if grown(nil, []byte("no profile")) != nil {
		t.Error("something was sent of what is no profile")
	}
}

// total is the sum of a type of samples; 0 where there is no profile.
func total(t *testing.T, data []byte, typ string) int64 {
	t.Helper()
	if data == nil {
		return 0
	}
	p, err := profile.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := p.Total(typ)
	if err != nil {
		t.Fatal(err)
	}
	return int64(sum)
}
