package watch

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// made is a profile of one function, with a label where one is named.
func made(t *testing.T, types, f, handler string, value int64) []byte {
	t.Helper()
	fn := &pprof.Function{ID: 1, Name: f, Filename: "/src/main.go"}
	at := &pprof.Location{ID: 1, Address: 1, Line: []pprof.Line{{Function: fn, Line: 10}}}
	s := &pprof.Sample{Location: []*pprof.Location{at}}
	if handler != "" {
		s.Label = map[string][]string{"handler": {handler}}
	}
	p := &pprof.Profile{Function: []*pprof.Function{fn}, Location: []*pprof.Location{at}, Sample: []*pprof.Sample{s}, DurationNanos: 1e9}
	for typ := range strings.FieldsSeq(types) {
		name, unit, _ := strings.Cut(typ, "/")
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: unit})
		s.Value = append(s.Value, value)
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

const (
	cpuTypes  = "samples/count cpu/nanoseconds"
	heapTypes = "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes"
)

// A program is one that serves profiles whose values grow, until it is started again.
type program struct {
	t     *testing.T
	down  atomic.Bool
	calls atomic.Int64
}

func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		panic(http.ErrAbortHandler)
	}
	n := p.calls.Add(1)
	switch filepath.Base(r.URL.Path) {
	case "profile":
		w.Write(made(p.t, cpuTypes, "main.f", fmt.Sprintf("/%d", n%2), n))
	case "heap":
		w.Write(made(p.t, heapTypes, "main.f", "", n))
	case "goroutine":
		w.Write(made(p.t, "goroutine/count", "main.f", "", n))
	case "metrics":
		fmt.Fprintf(w, "go_goroutines 3\ngo_memstats_alloc_bytes_total %d\n", n)
	default:
		http.NotFound(w, r)
	}
}

// rounds watches until there is what done says.
func rounds(t *testing.T, root, where string, done func([]ring.Capture) bool) []ring.Capture {
	t.Helper()
	to, err := ParseTarget("api="+where, root, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() {
		end <- Run(ctx, Options{Targets: []Target{to}, Root: root, Interval: time.Millisecond, Seconds: 1, Size: 1 << 20, Say: func(string) {}})
	}()
	for i := 0; ; i++ {
		all, err := ring.Read(Dir(root, "api"))
		if err == nil && done(all) {
			break
		}
		if i > 2000 {
			t.Fatalf("%v, %v", all, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if err := <-end; err != nil {
		t.Fatal(err)
	}
	all, err := ring.Read(Dir(root, "api"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func captured(all []ring.Capture) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(c ring.Capture) bool { return c.Gap != "" }))
}

// A program is watched, is away, and comes back anew. Each is there to be seen, and what
// was kept is one profile of a kind.
func TestWatch(t *testing.T) {
	p := &program{t: t}
	srv := httptest.NewServer(p)
	defer srv.Close()
	root := t.TempDir()
	rounds(t, root, srv.URL, func(all []ring.Capture) bool { return captured(all) >= 2 })
	p.down.Store(true)
	rounds(t, root, srv.URL, func(all []ring.Capture) bool { return strings.Contains(all[len(all)-1].Gap, "EOF") })
	p.down.Store(false)
	p.calls.Store(0)
	before := 0
	all := rounds(t, root, srv.URL, func(all []ring.Capture) bool {
		if before == 0 {
			before = captured(all)
		}
		return captured(all) >= before+2
	})
	gaps := map[string]int{}
	for _, c := range all {
		if c.Gap != "" {
			why, _, _ := strings.Cut(c.Gap, ":")
			gaps[why]++
		}
	}
	if last := all[len(all)-1]; last.Run != 2 || gaps["the program was started again"] != 1 || gaps["http"] != 1 {
		t.Errorf("starts %d, gaps %v", last.Run, gaps)
	}
	kept(t, root, all)
	if sums, err := Summaries(root); err != nil || len(sums) != 1 || sums[0].Captures != captured(all) || len(sums[0].Profiles) != 3 {
		t.Errorf("%+v, %v", sums, err)
	}
}

// kept reads what was captured as other verbs do.
func kept(t *testing.T, root string, all []ring.Capture) {
	t.Helper()
	var cpu, heap float64
	for i, c := range all {
		if c.Gap != "" {
			continue
		}
		cpu += c.CPU
		if next := slices.IndexFunc(all[i+1:], func(n ring.Capture) bool { return n.Gap == "" && n.Run == c.Run }); next < 0 {
			heap += c.Metrics[allocatedBytes]
		}
	}
	for _, tt := range []struct {
		name, kind, typ string
		want            float64
	}{{"watch:api", "cpu", "cpu", cpu}, {"watch:api", "heap", "alloc_space", heap}, {"watch:api?since=1h", "cpu", "cpu", cpu}} {
		files, err := Stored(t.Context(), root, tt.name, t.TempDir(), time.Now(), tt.kind)
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %v, %v", tt.name, files, err)
		}
		p, err := profile.ReadFile(t.Context(), files[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := p.Total(tt.typ); err != nil || got != tt.want {
			t.Errorf("%s %s: %v, %v; want %v", tt.name, tt.kind, got, err, tt.want)
		}
	}
	half := 0.0
	for _, handler := range []string{"/0", "/1"} {
		if files, err := Stored(t.Context(), root, "watch:api?handler="+handler, t.TempDir(), time.Now(), "cpu", "heap"); err == nil {
			if p, err := profile.ReadFile(t.Context(), files[0]); err == nil && len(files) == 1 {
				part, _, _ := p.Total("cpu")
				half += part
			}
		}
	}
	if half != cpu {
		t.Errorf("all handlers together: %v of %v", half, cpu)
	}
	for name, want := range map[string]string{
		"watch:api?handler=/nope": "they have handler=/", "watch:other": "nothing was kept of other", "watch:../api": "write it as",
		"watch:api?since=soon": "is no time", "watch:api?since=1ns": "nothing is kept",
	} {
		if _, err := Stored(t.Context(), root, name, t.TempDir(), time.Now(), "cpu"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// hostile are answers that no profile comes by, and a word of what is said.
func hostile(t *testing.T, served *atomic.Int64) map[string]struct {
	h    http.HandlerFunc
	want string
} {
	block := make([]byte, 1<<16)
	forever := func(w http.ResponseWriter, r *http.Request, n int64) {
		for sent := int64(0); sent < n && r.Context().Err() == nil; {
			k, err := w.Write(block)
			sent += int64(k)
			served.Add(int64(k))
			if err != nil {
				return
			}
		}
	}
	good := made(t, cpuTypes, "main.f", "", 1)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 32<<20))
	z.Close()
	return map[string]struct {
		h    http.HandlerFunc
		want string
	}{
		"hang":     {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no profile after"},
		"trickle":  {func(w http.ResponseWriter, r *http.Request) { trickle(w, r, good) }, "no profile after"},
		"html":     {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>login</html>") }, "page of HTML"},
		"endless":  {func(w http.ResponseWriter, r *http.Request) { forever(w, r, 1<<62) }, "larger than"},
		"gigabyte": {func(w http.ResponseWriter, r *http.Request) { forever(w, r, 1<<30) }, "larger than"},
		"bomb":     {func(w http.ResponseWriter, _ *http.Request) { w.Write(bomb.Bytes()) }, "larger than"},
		"encoded": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		}, "larger than"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}, "another host"},
		"circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "again and again"},
		"more": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(good)+100))
			w.Write(good)
		}, "broke off"},
		"less":   {func(w http.ResponseWriter, _ *http.Request) { w.Write(good[:len(good)/2]) }, "cut short or damaged"},
		"empty":  {func(http.ResponseWriter, *http.Request) {}, "is this the address"},
		"token":  {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who are you?", http.StatusUnauthorized) }, "the token that was sent"},
		"broken": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }, "500"},
		"abort":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	}
}

func trickle(w http.ResponseWriter, r *http.Request, data []byte) {
	for _, b := range data {
		w.Write([]byte{b})
		http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Whatever a target does, watch says what is wrong in a line, has no secret in it, and
// reads no more than was allowed.
func TestHostile(t *testing.T) {
	var served atomic.Int64
	for name, tt := range hostile(t, &served) {
		t.Run(name, func(t *testing.T) {
			served.Store(0)
			srv := httptest.NewServer(tt.h)
			defer srv.Close()
			to, err := ParseTarget(strings.Replace(srv.URL, "http://", "http://user:s3cret@", 1), "", "t0ken")
			if err != nil {
				t.Fatal(err)
			}
			s := to.from.(*service)
			s.Most = 1 << 20
			if strings.Contains(tt.want, "after") {
				s.Patience = 200 * time.Millisecond
			}
			_, _, err = s.Take(t.Context(), heapKind, 0)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "t0ken") {
				t.Errorf("%v; want %q", err, tt.want)
			}
			if _, err := s.Metrics(t.Context()); err == nil && !slices.Contains([]string{"html", "empty", "bomb", "less"}, name) {
				t.Error("metrics: no error")
			}
			srv.CloseClientConnections()
			if served.Load() > 64<<20 {
				t.Errorf("%d MiB were read", served.Load()>>20)
			}
		})
	}
}

// A server of the other of http and https, or with a certificate that nobody knows, is told
// from one that is not there.
func TestSchemes(t *testing.T) {
	plain := httptest.NewServer(&program{t: t})
	defer plain.Close()
	secure := httptest.NewUnstartedServer(&program{t: t})
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for where, want := range map[string]string{
		secure.URL: "SSL_CERT_FILE",
		strings.Replace(secure.URL, "https:", "http:", 1): "write https://",
		strings.Replace(plain.URL, "http:", "https:", 1):  "write http://",
	} {
		s, err := target.NewService(where, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Take(t.Context(), cpuKind, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", where, err, want)
		}
	}
}

// A socket and a token are what a target is asked by.
func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Skip("no Unix sockets: ", err)
	}
	p := &program{t: t}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0ken" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		p.ServeHTTP(w, r)
	})}
	go srv.Serve(ln)
	defer srv.Close()
	for _, token := range []string{"", "t0ken"} {
		s, err := target.NewService("unix:"+path, token)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Take(t.Context(), cpuKind, 1); (err == nil) != (token != "") {
			t.Errorf("token %q: %v", token, err)
		}
	}
}

// Files that something leaves in a directory are kept once, however often it is looked at.
func TestDirectory(t *testing.T) {
	root, from := t.TempDir(), t.TempDir()
	for name, data := range map[string][]byte{"a": made(t, cpuTypes, "main.f", "", 3), "b": made(t, heapTypes, "main.f", "", 4), "c.txt": []byte("not one")} {
		if err := os.WriteFile(filepath.Join(from, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	two := func(all []ring.Capture) bool { return len(all) >= 2 }
	rounds(t, root, from, two)
	all := rounds(t, root, from, two)
	kinds := map[string]int{}
	for _, c := range all {
		kinds[c.Profiles[0].Kind]++
	}
	if !maps.Equal(kinds, map[string]int{"profile": 1, "heap": 1}) {
		t.Errorf("%v", kinds)
	}
}

// What takes profiles is told from what the program does below a label.
func TestTakes(t *testing.T) {
	for f, want := range map[string]bool{
		"runtime/pprof.(*Profile).WriteTo": true, "runtime/pprof.profileWriter": true, "net/http/pprof.Index": true,
		"github.com/pawl-dev/pawl/admin.(*Server).snapshot": true,
		"runtime/pprof.Do": false, "runtime/pprof.Do.func1": false, "runtime/pprof.SetGoroutineLabels": false, "main.main": false,
	} {
		if takes(f) != want {
			t.Errorf("%s: %v", f, !want)
		}
	}
	for f, part := range map[string]float64{"runtime/pprof.profileWriter": 7, "main.f": 0} {
		p, err := profile.Read(bytes.NewReader(made(t, cpuTypes, f, "", 7)))
		if err != nil {
			t.Fatal(err)
		}
		if all, taking := shareOf(p); all != 7 || taking != part {
			t.Errorf("%s: %v of %v", f, taking, all)
		}
	}
}
