package admin

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"time"
)

// A slot is free while it holds a value. It is kept until the answer is sent, so
// that no more than four large ones are in memory.
type slot chan struct{}

type slots struct{ cpu, trace, flight, snapshot slot }

func newSlots() slots {
	var s slots
	for _, p := range []*slot{&s.cpu, &s.trace, &s.flight, &s.snapshot} {
		*p = make(slot, 1)
		p.free()
	}
	return s
}

func (s slot) free() { s <- struct{}{} }

// take reports whether nobody else has the slot.
func (s slot) take() bool {
	select {
	case <-s:
		return true
	default:
		return false
	}
}

// seconds is how long a request asks for.
func (s *Server) seconds(r *http.Request, usual time.Duration) (time.Duration, error) {
	asked := r.URL.Query().Get("seconds")
	if asked == "" {
		return min(usual, s.o.MaxDuration), nil
	}
	n, err := strconv.ParseFloat(asked, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0 || n > s.o.MaxDuration.Seconds():
		return 0, fail(http.StatusBadRequest, "seconds=%.20s is more than %v, the most that is allowed here (Options.MaxDuration)", asked, s.o.MaxDuration)
	case err != nil || !(n > 0):
		return 0, fail(http.StatusBadRequest, "seconds=%.20q is no time above zero", asked)
	}
	return time.Duration(n * float64(time.Second)), nil
}

// A recording is what goes on for some seconds, one at a time.
type recording struct {
	what  string
	usual time.Duration
	slot  slot
	start func(io.Writer) error
	stop  func() // returns after the last write
}

func (s *Server) cpuProfile(r *http.Request) (*answer, error) {
	return s.record(r, recording{"CPU profile", 30 * time.Second, s.slots.cpu, pprof.StartCPUProfile, pprof.StopCPUProfile})
}

func (s *Server) executionTrace(r *http.Request) (*answer, error) {
	return s.record(r, recording{"execution trace", time.Second, s.slots.trace, trace.Start, trace.Stop})
}

// record takes a recording until its time is over, it is as large as it may be, or
// nobody waits for it.
func (s *Server) record(r *http.Request, rec recording) (*answer, error) {
	d, err := s.seconds(r, rec.usual)
	if err != nil {
		return nil, err
	}
	if !rec.slot.take() {
		return nil, fail(http.StatusConflict, "a %s is being taken for another request: there can be one at a time", rec.what)
	}
	b := newBuffer(s.o.MaxBytes)
	if err := rec.start(b); err != nil {
		rec.slot.free()
		return nil, fail(http.StatusConflict, "the program takes a %s itself, and there can be one at a time: %v", rec.what, err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), d)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-b.full:
	}
	rec.stop()
	if r.Context().Err() != nil {
		rec.slot.free()
		return nil, fail(http.StatusServiceUnavailable, "the listener was closed, or nobody waited any more")
	}
	return b.answer(rec.slot)
}

// recorded is what the flight recorder has.
func (s *Server) recorded(*http.Request) (*answer, error) {
	if s.flight == nil {
		return nil, fail(http.StatusNotFound, "no flight recorder runs: set Options.Flight")
	}
	if !s.slots.flight.take() {
		return nil, fail(http.StatusConflict, "the flight recorder is being read for another request")
	}
	b := newBuffer(s.o.MaxBytes)
	if _, err := s.flight.WriteTo(b); err != nil && !b.over {
		s.slots.flight.free()
		return nil, fail(http.StatusConflict, "the flight recorder cannot be read: %v", err)
	}
	return b.answer(s.slots.flight)
}

// snapshot is one of the profiles of runtime/pprof. Another request for one waits: none
// takes long.
func (s *Server) snapshot(r *http.Request) (*answer, error) {
	p, q := pprof.Lookup(r.PathValue("name")), r.URL.Query()
	level := slices.Index([]string{"0", "1", "2"}, q.Get("debug"))
	switch {
	case p == nil:
		return nil, fail(http.StatusNotFound, "the program has no such profile")
	case q.Has("seconds"):
		return nil, fail(http.StatusBadRequest, "this profile is since the start: take two, and compare them with go tool pprof -base or pawl diagnose -base")
	case level < 0 && q.Get("debug") != "":
		return nil, fail(http.StatusBadRequest, "debug is 0, 1 or 2")
	}
	select {
	case <-s.slots.snapshot:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if gc, _ := strconv.Atoi(q.Get("gc")); gc > 0 && p.Name() == "heap" {
		runtime.GC()
	}
	b := newBuffer(s.o.MaxBytes)
	if err := p.WriteTo(b, max(0, level)); err != nil && !b.over {
		s.slots.snapshot.free()
		return nil, err
	}
	a, err := b.answer(s.slots.snapshot)
	if err == nil && level > 0 {
		a.contentType = "text/plain; charset=utf-8"
	}
	return a, err
}
