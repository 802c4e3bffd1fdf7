// Package memstats reads the end of a heap profile as text (debug=1): the
// memory statistics of a Go program's runtime. Profiles in pprof's format do
// not have it.
package memstats

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Stats are the figures of runtime.MemStats in such a text: bytes, unless the
// name says otherwise. Fields have the names and the meaning of
// runtime.MemStats.
type Stats struct {
	Alloc, TotalAlloc, Sys                                       uint64
	Mallocs, Frees                                               uint64 // objects
	HeapAlloc, HeapSys, HeapIdle, HeapInuse, HeapReleased        uint64
	HeapObjects                                                  uint64 // objects
	StackInuse, StackSys, MSpanInuse, MSpanSys                   uint64
	MCacheInuse, MCacheSys, BuckHashSys, GCSys, OtherSys, NextGC uint64
	LastGC                                                       uint64 // nanoseconds since 1970; 0 when there was no cycle
	NumGC, NumForcedGC                                           uint64 // cycles
	GCCPUFraction                                                float64
	// MaxRSS is the largest resident set that the process ever had; 0 where the
	// system does not say.
	MaxRSS uint64
}

// memLine is how much of a line is kept: none with a figure is longer. Lists
// of pauses and of addresses are.
const memLine = 200

// Read reads the figures behind "# runtime.MemStats" in the text of
// /debug/pprof/heap?debug=1. What it does not know is passed over. The error is
// for a text that has no such part, or that ends in it, and for figures that
// contradict each other.
func Read(r io.Reader) (*Stats, error) {
	m := &Stats{}
	in := bufio.NewReaderSize(r, 64<<10)
	fields := m.fields()
	begun, seen := false, map[string]bool{}
	for {
		text, err := shortLine(in)
		name, value, ok := strings.Cut(strings.TrimPrefix(text, "# "), " = ")
		switch {
		case text == "# runtime.MemStats":
			begun = true
		case begun && ok && strings.HasPrefix(text, "# "):
			if err := m.set(fields, name, value); err != nil {
				return nil, fmt.Errorf("%s = %q: %w", name, value, err)
			}
			seen[name] = true
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading memory statistics: %w", err)
		}
	}
	for _, name := range []string{"Sys", "HeapAlloc", "HeapIdle", "HeapInuse", "HeapReleased", "NextGC"} {
		if !seen[name] {
			return nil, fmt.Errorf("no %s in the text: it is not, or not all of, what /debug/pprof/heap?debug=1 gives", name)
		}
	}
	return m, m.check()
}

// shortLine returns the beginning of the next line, without its end. The error
// is io.EOF behind the last.
func shortLine(in *bufio.Reader) (string, error) {
	part, err := in.ReadSlice('\n')
	text := string(part[:min(len(part), memLine)])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	return strings.TrimRight(text, "\r\n"), err
}

// memFields are where figures go, by their names in the text. Those with two
// have what is in use first, and then what the system gave.
type memFields map[string][]*uint64

func (m *Stats) fields() memFields {
	return memFields{
		"Alloc": {&m.Alloc}, "TotalAlloc": {&m.TotalAlloc}, "Sys": {&m.Sys}, "Mallocs": {&m.Mallocs}, "Frees": {&m.Frees},
		"HeapAlloc": {&m.HeapAlloc}, "HeapSys": {&m.HeapSys}, "HeapIdle": {&m.HeapIdle}, "HeapInuse": {&m.HeapInuse},
		"HeapReleased": {&m.HeapReleased}, "HeapObjects": {&m.HeapObjects},
		"Stack": {&m.StackInuse, &m.StackSys}, "MSpan": {&m.MSpanInuse, &m.MSpanSys}, "MCache": {&m.MCacheInuse, &m.MCacheSys},
		"BuckHashSys": {&m.BuckHashSys}, "GCSys": {&m.GCSys}, "OtherSys": {&m.OtherSys}, "NextGC": {&m.NextGC}, "LastGC": {&m.LastGC},
		"NumGC": {&m.NumGC}, "NumForcedGC": {&m.NumForcedGC}, "MaxRSS": {&m.MaxRSS},
	}
}

func (m *Stats) set(f memFields, name, value string) (err error) {
	if name == "GCCPUFraction" { // the one that is no whole number
		if m.GCCPUFraction, err = strconv.ParseFloat(value, 64); err != nil || !(m.GCCPUFraction >= 0 && m.GCCPUFraction <= 1) {
			return errors.New("not a share")
		}
		return nil
	}
	into, known := f[name]
	if !known {
		return nil
	}
	parts := strings.Split(value, " / ")
	if len(parts) != len(into) {
		return fmt.Errorf("%d figures, want %d", len(parts), len(into))
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 64)
		if err != nil {
			return errors.New("not a whole number")
		}
		*into[i] = n
	}
	return nil
}

// check compares figures that must fit together.
func (m *Stats) check() error {
	const most = 1 << 56 // no address is higher
	if m.Sys > most || m.MaxRSS > most {
		return errors.New("sizes beyond any address space: these are no memory statistics of a Go program")
	}
	for _, part := range []uint64{m.HeapIdle, m.HeapInuse, m.HeapAlloc, m.StackSys, m.MSpanSys, m.MCacheSys, m.BuckHashSys, m.GCSys, m.OtherSys} {
		if part > m.Sys {
			return errors.New("a part is larger than Sys: these are no memory statistics of a Go program")
		}
	}
	if m.HeapReleased > m.HeapIdle {
		return errors.New("HeapReleased is larger than HeapIdle: these are no memory statistics of a Go program")
	}
	return nil
}
