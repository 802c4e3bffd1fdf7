package admin

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// mostSymbols is how many bytes of addresses go tool pprof may ask the names of.
const mostSymbols = 1 << 20

// slowest is how many bytes of an answer a client has to read in a second.
const slowest = 256 << 10

// A page makes an answer, or says why there is none.
type page func(*http.Request) (*answer, error)

// An answer is held in memory until it is sent; done gives up what that takes.
type answer struct {
	contentType string
	body        []byte
	done        func()
}

func text(body []byte) *answer { return &answer{contentType: "text/plain; charset=utf-8", body: body} }

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for path, p := range map[string]page{
		"/{$}":                 index,
		"/metrics":             metricsPage,
		"/debug/buildinfo":     buildInfo,
		"/debug/flight":        s.recorded,
		"/debug/pprof/{$}":     index,
		"/debug/pprof/profile": s.cpuProfile,
		"/debug/pprof/trace":   s.executionTrace,
		"/debug/pprof/symbol":  s.symbols,
		"/debug/pprof/{name}":  s.snapshot,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.send(w, r, p) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.enter(w, r, mux) })
}

// enter lets a request in that the gate has nothing against, and that there is room for.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, inside http.Handler) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.ContentLength != 0 {
		// The server reads what a handler leaves of a body, and would wait for it.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.lim.header))
	}
	if n := s.gate.refusal(r); n != nil {
		reply(w, n)
		return
	}
	if n := wellFormed(r); n != nil {
		reply(w, n)
		return
	}
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
		inside.ServeHTTP(w, r)
	default:
		reply(w, &no{http.StatusServiceUnavailable, fmt.Sprintf("%d requests are being answered already: try again", s.lim.requests)})
	}
}

// wellFormed refuses what no page takes: other methods, bodies, broken queries.
func wellFormed(r *http.Request) *no {
	post := r.Method == http.MethodPost && r.URL.Path == "/debug/pprof/symbol"
	_, err := url.ParseQuery(r.URL.RawQuery)
	switch {
	case r.Method != http.MethodGet && !post:
		return &no{http.StatusMethodNotAllowed, "only GET is answered"}
	case r.ContentLength != 0 && !post || r.ContentLength > mostSymbols:
		return &no{http.StatusRequestEntityTooLarge, "a body is not read here"}
	case err != nil:
		return &no{http.StatusBadRequest, "the query cannot be read"}
	}
	return nil
}

// reply says why not, and ends the connection: a body that came with the request is
// not waited for.
func reply(w http.ResponseWriter, n *no) {
	h := w.Header()
	switch n.status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusMethodNotAllowed:
		h.Set("Allow", http.MethodGet)
	case http.StatusConflict, http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	}
	h.Set("Connection", "close")
	http.Error(w, n.why, n.status)
}

// send makes a page and sends it, in a time that goes by its size.
func (s *Server) send(w http.ResponseWriter, r *http.Request, p page) {
	a, err := p(r)
	allowed := s.lim.write
	if err == nil {
		allowed += time.Duration(len(a.body)) * time.Second / slowest
		if a.done != nil {
			defer a.done()
		}
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(allowed))
	if err != nil {
		var n *no
		if !errors.As(err, &n) {
			n = &no{http.StatusInternalServerError, err.Error()}
		}
		reply(w, n)
		return
	}
	w.Header().Set("Content-Type", a.contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	_, _ = w.Write(a.body)
}

const pages = `/metrics                        Prometheus
/debug/pprof/profile?seconds=N  CPU profile: go tool pprof URL, pawl diagnose URL
/debug/pprof/trace?seconds=N    execution trace: go tool trace FILE, pawl trace FILE
/debug/pprof/heap               also allocs, goroutine, mutex, block, threadcreate; debug=1 for text
/debug/flight                   execution trace of the last seconds, with Options.Flight
/debug/buildinfo                versions and settings of the build
`

func index(*http.Request) (*answer, error) { return text([]byte(pages)), nil }

func buildInfo(*http.Request) (*answer, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil, fail(http.StatusNotFound, "the program was built without modules, and has no build information")
	}
	return text([]byte(info.String())), nil
}

// symbols names addresses, as go tool pprof asks for those of a mapping without names.
func (s *Server) symbols(r *http.Request) (*answer, error) {
	list := r.URL.RawQuery
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(io.LimitReader(r.Body, mostSymbols+1))
		if err != nil || len(body) > mostSymbols {
			return nil, fail(http.StatusRequestEntityTooLarge, "at most %d bytes of addresses are read, and in %v", mostSymbols, s.lim.header)
		}
		list = string(body)
	}
	out := []byte("num_symbols: 1\n") // any number but 0 says that there are names
	for word := range strings.SplitSeq(list, "+") {
		pc, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			continue
		}
		if f := runtime.FuncForPC(uintptr(pc)); f != nil {
			out = fmt.Appendf(out, "%#x %s\n", pc, f.Name())
		}
	}
	return text(out), nil
}
