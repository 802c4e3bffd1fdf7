package target

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	profiles "runtime/pprof"
	"strings"
	"testing"
	"time"

	pprofile "github.com/google/pprof/profile"
	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// cpuProfile is a profile of one stack, as a program serves it.
func cpuProfile(t *testing.T) []byte {
	t.Helper()
	f := &pprofile.Function{ID: 1, Name: "main.f", Filename: "/src/main.go"}
	at := &pprofile.Location{ID: 1, Address: 1, Line: []pprofile.Line{{Function: f, Line: 10}}}
	p := &pprofile.Profile{
		SampleType: []*pprofile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Function:   []*pprofile.Function{f}, Location: []*pprofile.Location{at},
		Sample: []*pprofile.Sample{{Location: []*pprofile.Location{at}, Value: []int64{100, 1e9}}},
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestParseEndpoint(t *testing.T) {
	for _, tt := range []struct {
		url     string
		seconds int
		want    string // the URL asked, or "!" and a part of the error
	}{
		{"http://h:6060/debug/pprof/profile", 0, "http://h:6060/debug/pprof/profile?seconds=10"},
		{"http://h/debug/pprof", 0, "http://h/debug/pprof/profile?seconds=10"},
		{"http://h/debug/pprof/", 5, "http://h/debug/pprof/profile?seconds=5"},
		{"http://h/debug/pprof/profile?seconds=3", 0, "http://h/debug/pprof/profile?seconds=3"},
		{"http://h/debug/pprof/profile?seconds=3", 7, "http://h/debug/pprof/profile?seconds=7"},
		{"https://h/svc/debug/pprof/heap", 0, "https://h/svc/debug/pprof/heap"},
		{"http://h/debug/pprof/mutex", 4, "http://h/debug/pprof/mutex?seconds=4"},
		{"http://h/debug/pprof/goroutine?debug=0", 0, "http://h/debug/pprof/goroutine?debug=0"},
		{"http://h/debug/pprof/goroutine?debug=2", 0, "!leave it out"},
		{"http://h/debug/pprof/trace", 0, "http://h/debug/pprof/trace?seconds=1"},
		{"http://h/debug/pprof/trace?seconds=5", 0, "http://h/debug/pprof/trace?seconds=5"},
		{"http://h/debug/pprof/trace?seconds=5", 30, "http://h/debug/pprof/trace?seconds=5"},
		{"http://h/debug/pprof/trace", 3, "http://h/debug/pprof/trace?seconds=3"},
		{"http://h/debug/pprof/trace", 601, "!between 1 and 600"},
		{"http://h/debug/pprof/goroutine", 30, "http://h/debug/pprof/goroutine"},
		{"http://h/debug/pprof/goroutine?seconds=3", 30, "!leave it out"},
		{"http://h/debug/pprof/cmdline", 0, "!no profile"},
		{"http://h/metrics", 0, "!http://h/debug/pprof/profile"},
		{"http://", 0, "!cannot be read"},
		{"http://%zz", 0, "!cannot be read"},
		{"http://h/debug/pprof/profile?seconds=long", 0, "!no whole number"},
		{"http://h/debug/pprof/profile?seconds=601", 0, "!between 1 and 600"},
		{"http://h/debug/pprof/profile?seconds=-1", 0, "!between 1 and 600"},
		{"http://u:secret@h/metrics", 0, "!u:xxxxx@h"},
	} {
		e, err := parseEndpoint(tt.url, tt.seconds)
		if part, fails := strings.CutPrefix(tt.want, "!"); fails {
			var misuse *fetch.Misuse
			if !errors.As(err, &misuse) || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error %v; want %q", tt.url, err, part)
			}
		} else if err != nil || e.u.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.url, e.u, err, tt.want)
		}
	}
}

func TestFetch(t *testing.T) {
	data := cpuProfile(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(data) }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("seconds") != "2" {
			http.Error(w, "not for so long", http.StatusBadRequest)
			return
		}
		w.Write(data)
	})
	mux.Handle("/old/debug/pprof/heap", http.RedirectHandler("/debug/pprof/profile?seconds=2", http.StatusFound))
	mux.Handle("/away/debug/pprof/heap", http.RedirectHandler(other.URL+"/debug/pprof/heap", http.StatusFound))
	mux.Handle("/round/debug/pprof/heap", http.RedirectHandler("/round/debug/pprof/heap", http.StatusFound))
	mux.HandleFunc("/page/debug/pprof/heap", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>log in</html>") })
	mux.HandleFunc("/empty/debug/pprof/heap", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/broken/debug/pprof/heap", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "99999")
		w.Write(data)
	})
	mux.HandleFunc("/taken/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Could not enable CPU profiling: cpu profiling already in use", http.StatusInternalServerError)
	})
	mux.HandleFunc("/busy/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "a CPU profile is being taken", http.StatusConflict)
	})
	mux.HandleFunc("/ill/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "boom", http.StatusInternalServerError)
	})
	mux.HandleFunc("/cut/debug/pprof/heap", func(w http.ResponseWriter, _ *http.Request) { w.Write(data[:len(data)/2]) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for _, tt := range []struct {
		path    string
		seconds int
		want    string // "", or a part of the error
	}{
		{"/debug/pprof/profile", 2, ""},
		{"/debug/pprof", 2, ""},
		{"/old/debug/pprof/heap", 0, ""},
		{"/debug/pprof/profile", 3, "smaller -seconds"},
		{"/debug/pprof/goroutine", 0, "does it import net/http/pprof"},
		{"/away/debug/pprof/heap", 0, "another host: name that one"},
		{"/round/debug/pprof/heap", 0, "again and again"},
		{"/page/debug/pprof/heap", 0, "page of HTML"},
		{"/cut/debug/pprof/heap", 0, "cut short"},
		{"/empty/debug/pprof/heap", 0, "it is empty; is this the address"},
		{"/broken/debug/pprof/heap", 0, "unexpected EOF; the answer broke off"},
		{"/taken/debug/pprof/profile", 1, "somebody else may be taking a CPU profile"},
		{"/busy/debug/pprof/profile", 1, `"a CPU profile is being taken"; try again when that is over`},
		{"/ill/debug/pprof/profile", 1, `"boom"; curl it for a look at what answers`},
	} {
		url := strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + tt.path
		s, err := Read(context.Background(), url, tt.seconds)
		switch {
		case tt.want == "" && (err != nil || s.Profile.Kind() != profile.KindCPU):
			t.Errorf("%s: %v", tt.path, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v; want %q", tt.path, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") || strings.Contains(s.Name, "secret") {
			t.Errorf("%s: the password shows: %v, %s", tt.path, err, s.Name)
		}
	}
	srv.Close()
	if _, err := Read(context.Background(), srv.URL+"/debug/pprof/heap", 0); err == nil || !strings.Contains(err.Error(), "is the program there") {
		t.Errorf("nobody listens: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, other.URL+"/debug/pprof/heap", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	good := cpuProfile(t)
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"good":  {good, ""},
		"cut":   {good[:len(good)/2], "cut short"},
		"empty": {nil, "StopCPUProfile"},
		"twice": {packed(t, good), "packed twice; unpack it once (gunzip)"},
		"trace": {[]byte("go 1.26 trace\x00\x00\x00"), "execution trace"},
		"text":  {[]byte("goroutine 1 [running]:\nmain.main()\n"), "debug parameter"},
		"html":  {[]byte("<!DOCTYPE html>"), "HTML"},
		"other": {[]byte("package main\n"), "name a file"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, tt.data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Read(context.Background(), file, 0)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", name, err, tt.want)
		}
	}
	var misuse *fetch.Misuse
	for _, name := range []string{dir, filepath.Join(dir, "nowhere")} {
		if _, err := Read(context.Background(), name, 0); !errors.As(err, &misuse) {
			t.Errorf("%s: %v is no misuse", name, err)
		}
	}
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func FuzzParseEndpoint(f *testing.F) {
	f.Add("http://h:6060/debug/pprof/profile?seconds=3", 0)
	f.Add("https://u:p@h/x/debug/pprof//heap?debug=1", 5)
	f.Fuzz(func(t *testing.T, raw string, seconds int) {
		e, err := parseEndpoint(raw, seconds)
		if err == nil && (e.u.Host == "" || e.seconds < 0 || e.seconds > longestSeconds || !strings.Contains(e.u.Path, "/debug/pprof/")) {
			t.Errorf("%q is asked as %v for %d s", raw, e.u, e.seconds)
		}
	})
}

// What is shown of a URL has neither the password nor a token.
func TestAskedHidesSecrets(t *testing.T) {
	got, err := Asked("http://u:SECRET@h/debug/pprof/heap?gc=1&token=SECRET", 0)
	if err != nil || strings.Contains(got, "SECRET") || !strings.Contains(got, "gc=1") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestPollable(t *testing.T) {
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
		err := pollable(tt.target, tt.n, tt.every)
		var misuse *fetch.Misuse
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &misuse) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s, %d every %v: %v; want %q", tt.target, tt.n, tt.every, err, tt.want)
		}
	}
}

// A runtime without the profile is told from a program without profiles.
// A program that is built with Go 1.26 serves that profile by an experiment alone.
func TestLeakProfile(t *testing.T) {
	_, err := Read(t.Context(), live(t).URL+"/debug/pprof/goroutineleak", 0)
	served := profiles.Lookup("goroutineleak") != nil
	if served && err != nil || !served && (err == nil || !strings.Contains(err.Error(), "GOEXPERIMENT=goroutineleakprofile")) {
		t.Errorf("the runtime has it: %v; error %v", served, err)
	}
}

// live serves this process's own profiles, as programs do.
func live(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

func TestFetchTrace(t *testing.T) {
	srv := live(t)
	url := strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + "/debug/pprof/trace"
	var b bytes.Buffer
	name, err := FetchTrace(t.Context(), url, 1, &b)
	if err != nil || !bytes.HasPrefix(b.Bytes(), []byte("go 1.")) || strings.Contains(name, "secret") || !strings.HasSuffix(name, "/debug/pprof/trace?seconds=1") {
		t.Errorf("%d bytes from %s, %v", b.Len(), name, err)
	}
	if _, err := Read(t.Context(), url, 1); err == nil || !strings.Contains(err.Error(), "execution trace") {
		t.Errorf("as a profile: %v", err)
	}
	if _, err := FetchTrace(t.Context(), srv.URL+"/nothing/debug/pprof/trace", 1, &b); err == nil || !strings.Contains(err.Error(), "does not serve") {
		t.Errorf("a page that is not there: %v", err)
	}
	for target, want := range map[string]bool{url: true, url + "?seconds=5": true, srv.URL + "/debug/pprof/heap": false, "trace": false, "http://h/trace": false} {
		if got := IsTraceURL(target); got != want {
			t.Errorf("%s is a trace: %v", target, got)
		}
	}
}
