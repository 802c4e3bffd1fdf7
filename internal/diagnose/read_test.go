package diagnose

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/profile"
)

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
			var misuse *Misuse
			if !errors.As(err, &misuse) || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error %v; want %q", tt.url, err, part)
			}
		} else if err != nil || e.u.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.url, e.u, err, tt.want)
		}
	}
}

func TestFetch(t *testing.T) {
	data := encode(t, raw(cpuTypes, cpuRow(100, "runtime.mallocgc main.f")))
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
	good := encode(t, raw(cpuTypes, cpuRow(100, "main.f")))
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
	var misuse *Misuse
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

// Whatever is in a profile, what is said of it holds together.
func FuzzDiagnose(f *testing.F) {
	f.Add(encode(f, raw(cpuTypes, cpuRow(100, "runtime.mallocgc main.f"), cpuRow(20, "runtime.goready runtime.chansend main.f"), cpuRow(9, "runtime.park_m runtime.mcall"))))
	f.Add(encode(f, raw(heapTypes, row{"main.f", []int64{1, 2, 3, 4}})))
	f.Add(encode(f, raw(goroutineTypes, row{"runtime.gopark main.f", []int64{5000}})))
	f.Add(encode(f, raw(delayTypes, row{"sync.(*Mutex).Unlock main.f", []int64{5, 1e9}})))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := profile.ReadLimited(bytes.NewReader(data), 1<<20)
		if err != nil {
			return
		}
		d, err := Diagnose([]Source{{"x", p}}, Options{Own: "example.com/m"})
		if err != nil {
			return
		}
		for _, sy := range d.Profiles {
			for _, s := range append(sy.Signs, sy.Below...) {
				if !(s.Share >= 0 && s.Gain() <= 1.001) || len(s.Callers) > mostCallers || s.Meaning == "" {
					t.Errorf("%+v", s)
				}
			}
		}
	})
}
