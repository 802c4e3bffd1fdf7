package admin

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// raw sends bytes and returns the status of the answer, and the answer's body.
func raw(t *testing.T, s *Server, request string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// Requests that a program of this machine would not send are refused on loopback.
func TestRefusedRequests(t *testing.T) {
	s := open(t, "localhost:0", Options{})
	const ok, tail = "GET /debug/buildinfo HTTP/1.1\r\nHost: localhost\r\n", "\r\n"
	for _, tt := range []struct {
		name, request string
		want          int
	}{
		{"localhost", ok + tail, 200},
		{"another port, as of a tunnel", "GET /debug/buildinfo HTTP/1.1\r\nHost: LOCALHOST:7000\r\n\r\n", 200},
		{"an address", "GET /debug/buildinfo HTTP/1.1\r\nHost: 127.0.0.1:6060\r\n\r\n", 200},
		{"an address of IPv6", "GET /debug/buildinfo HTTP/1.1\r\nHost: [::1]:6060\r\n\r\n", 200},
		{"typed into a browser", ok + "Sec-Fetch-Site: none\r\n" + tail, 200},
		{"DNS rebinding", "GET /metrics HTTP/1.1\r\nHost: evil.example:6060\r\n\r\n", 403},
		{"DNS rebinding, a name that looks right", "GET /metrics HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", 403},
		{"DNS rebinding, 127.0.0.1 as a name", "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.nip.example\r\n\r\n", 403},
		{"the whole URL, of another host", "GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 403},
		{"no host", "GET /metrics HTTP/1.1\r\nHost:\r\n\r\n", 403},
		{"HTTP/1.0, as of nginx", "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n", 403},
		{"a page of another site", ok + "Origin: https://evil.example\r\n" + tail, 403},
		{"a page in a sandbox", ok + "Origin: null\r\n" + tail, 403},
		{"an image of another site", ok + "Sec-Fetch-Site: cross-site\r\n" + tail, 403},
		{"a form of another port", ok + "Sec-Fetch-Site: same-site\r\n" + tail, 403},
		{"a preflight", "OPTIONS /metrics HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n", 403},
		{"a proxy", ok + "X-Forwarded-For: 10.0.0.1\r\n" + tail, 403},
		{"a proxy by the standard", ok + "Forwarded: for=10.0.0.1\r\n" + tail, 403},
		{"a proxy on the way", ok + "via: 1.1 cache\r\n" + tail, 403},
		{"a proxy like nginx", ok + "x-real-ip: 10.0.0.1\r\n" + tail, 403},
		{"a token in the query", "GET /metrics?access_token=x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"a broken query", "GET /metrics?a=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
		{"the server's own options", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"a head, for which a profile would be taken", "HEAD /debug/pprof/profile HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"another method", "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405},
		{"a tunnel", "CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405},
		{"a body", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n", 413},
		{"a body without end", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n", 413},
		{"a huge body for symbols", "POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n", 413},
		{"a huge header", ok + "X: " + strings.Repeat("x", 64<<10) + "\r\n" + tail, 431},
		{"a path that is not there", "GET /debug/pprof/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 307},
		{"no such profile", "GET /debug/pprof/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
		{"no flight recorder", "GET /debug/flight HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
	} {
		if got, body := raw(t, s, tt.request); got != tt.want {
			t.Errorf("%s: status %d, want %d: %s", tt.name, got, tt.want, body)
		}
	}
}

// A request that reached a loopback port from another machine, as by a rule of the
// firewall, is refused.
func TestForwardedPort(t *testing.T) {
	s := open(t, "localhost:0", Options{})
	r := httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil)
	r.RemoteAddr = "10.0.0.1:5000"
	w := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("status %d", w.Code)
	}
}

func TestSeconds(t *testing.T) {
	s := open(t, "localhost:0", Options{MaxDuration: 20 * time.Millisecond})
	for query, want := range map[string]string{
		"": "", "seconds=0.01": "", "seconds=1e-9": "",
		"seconds=1e9": "more than 20ms", "seconds=1e999": "more than", "seconds=Inf": "more than", "seconds=31": "more than",
		"seconds=0": "no time", "seconds=-1": "no time", "seconds=NaN": "no time", "seconds=-1e999": "no time", "seconds=ten": "no time",
	} {
		for _, path := range []string{"profile", "trace"} {
			status, body := get(t, s, "/debug/pprof/"+path+"?"+query)
			if status != http.StatusOK != (want != "") || !strings.Contains(body, want) {
				t.Errorf("%s?%s: %d %.60q", path, query, status, body)
			}
		}
	}
}

// Of CPU profiles and traces there is one at a time, of this listener and the program.
func TestOneAtATime(t *testing.T) {
	s := open(t, "localhost:0", Options{MaxDuration: 10 * time.Minute})
	for _, tt := range []struct {
		path string
		slot slot
	}{{"/debug/pprof/profile?seconds=600", s.slots.cpu}, {"/debug/pprof/trace?seconds=600", s.slots.trace}} {
		conn, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", tt.path)
		for len(tt.slot) > 0 {
			runtime.Gosched()
		}
		if status, body := get(t, s, tt.path); status != http.StatusConflict || !strings.Contains(body, "another request") {
			t.Errorf("%s: %d %s", tt.path, status, body)
		}
		conn.Close() // nobody waits for it any more, so that it ends
		<-tt.slot
		tt.slot.free()
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer trace.Stop()
	for _, path := range []string{"profile", "trace"} {
		if status, body := get(t, s, "/debug/pprof/"+path); status != http.StatusConflict || !strings.Contains(body, "itself") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// An answer that is too large is not sent in part, and its slot is free again.
func TestTooLarge(t *testing.T) {
	s := open(t, "localhost:0", Options{MaxBytes: 100, MaxDuration: 10 * time.Minute, Flight: time.Second})
	const stacks, flight = "/debug/pprof/goroutine?debug=2", "/debug/flight"
	for _, path := range []string{stacks, stacks, "/debug/pprof/trace?seconds=600", "/debug/pprof/trace?seconds=0.01", flight, flight} {
		if status, body := get(t, s, path); status != http.StatusInsufficientStorage || !strings.Contains(body, "Options.MaxBytes") {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
}

// More requests than there is room for are told so, and more connections are closed.
func TestBusy(t *testing.T) {
	s := limited(t, Options{}, func(l *limits) { l.requests, l.conns = 1, 2 })
	s.busy <- struct{}{}
	if status, body := get(t, s, "/metrics"); status != http.StatusServiceUnavailable || !strings.Contains(body, "try again") {
		t.Errorf("%d %s", status, body)
	}
	<-s.busy
	var conns []net.Conn
	for range 3 {
		conn, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn)
	}
	if n, err := conns[2].Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("a third connection: %d bytes, %v", n, err)
	}
}

// Clients that send their request slowly, or do not read the answer, are given up.
func TestSlowClients(t *testing.T) {
	s := limited(t, Options{}, func(l *limits) {
		l.header, l.write, l.idle = 20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond
	})
	for name, request := range map[string]string{
		"nothing":         "",
		"half a header":   "GET /metrics HTTP/1.1\r\nHost: local",
		"half a body":     "POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n0x1+",
		"a body in place": "GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
		"nothing more":    "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := &answer{body: make([]byte, 64<<20)}
	end := make(chan struct{})
	a.done = func() { close(end) }
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.send(slowed{w}, r, func(*http.Request) (*answer, error) { return a, nil })
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-end // while nothing is read
}

// A slowed writer has the deadline of an empty answer.
type slowed struct{ http.ResponseWriter }

func (s slowed) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s slowed) SetWriteDeadline(time.Time) error {
	return http.NewResponseController(s.ResponseWriter).SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
}

// The pages are what Go's tools read.
func TestPages(t *testing.T) {
	s := open(t, "localhost:0", Options{Flight: time.Second})
	for path, sample := range map[string]string{
		"profile?seconds=0.1": "cpu/nanoseconds", "heap": "inuse_space/bytes", "heap?gc=1": "inuse_space/bytes", "allocs": "alloc_space/bytes",
		"goroutine": "goroutine/count", "mutex": "delay/nanoseconds", "block": "delay/nanoseconds", "threadcreate": "threadcreate/count",
	} {
		status, body := get(t, s, "/debug/pprof/"+path)
		p, err := profile.Parse(strings.NewReader(body))
		if err != nil {
			t.Errorf("%s: %d, %v", path, status, err)
			continue
		}
		var types strings.Builder
		for _, v := range p.SampleType {
			fmt.Fprintf(&types, "%s/%s ", v.Type, v.Unit)
		}
		if !strings.Contains(types.String(), sample) {
			t.Errorf("%s has %s", path, types.String())
		}
	}
	for path, begin := range map[string]string{
		"/debug/pprof/trace?seconds=0.05":  "go 1.",
		"/debug/flight":                    "go 1.",
		"/debug/pprof/heap?debug=1":        "heap profile: ",
		"/debug/pprof/goroutine?debug=2":   "goroutine ",
		"/debug/pprof/goroutine?debug=0":   "\x1f\x8b",
		"/debug/buildinfo":                 "go\tgo1.",
		"/metrics":                         "# HELP ",
		"/":                                "/metrics",
		"/debug/pprof/":                    "/metrics",
		"/debug/pprof/goroutine?debug=3":   "debug is",
		"/debug/pprof/heap?seconds=1":      "this profile is since the start",
		"/debug/pprof/symbol?0x0+zz+0x12q": "num_symbols: 1\n",
	} {
		if status, body := get(t, s, path); !strings.HasPrefix(body, begin) {
			t.Errorf("%s: %d %.60q", path, status, body)
		}
	}
	pc, _, _, _ := runtime.Caller(0)
	resp, err := http.Post("http://"+s.Addr().String()+"/debug/pprof/symbol", "text/plain", strings.NewReader(fmt.Sprintf("%#x+0x1", pc)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), "admin.TestPages") {
		t.Errorf("%s", body)
	}
}

// Whatever is sent, nothing but the token opens a page.
func FuzzRequests(f *testing.F) {
	s := open(f, "localhost:0", Options{Token: token, MaxDuration: time.Millisecond})
	for _, request := range []string{
		"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n",
		"GET /debug/pprof/profile?seconds=1 HTTP/1.1\r\nHost: [::1]:1\r\nAuthorization: Basic Og==\r\n\r\n",
		"POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n0x1",
	} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			return
		}
		r.RemoteAddr = "127.0.0.1:5000"
		w := httptest.NewRecorder()
		s.http.Handler.ServeHTTP(w, r)
		if _, password, _ := r.BasicAuth(); w.Code < 400 && password != token && !strings.Contains(r.Header.Get("Authorization"), token) {
			t.Errorf("status %d", w.Code)
		}
		if len(s.slots.cpu)+len(s.slots.trace)+len(s.slots.flight)+len(s.slots.snapshot) != 4 || len(s.busy) != 0 {
			t.Error("a slot is not free again")
		}
	})
}
