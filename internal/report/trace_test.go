package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

func traceText(t *testing.T, tr *model.Trace, o Options) string {
	return text(t, func(b *bytes.Buffer) error { return TraceText(b, tr, o) })
}

// sampleTrace has all that a page shows.
func sampleTrace() *model.Trace {
	started := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	lock := []model.Frame{
		{Func: "runtime.gopark", File: "/go/src/runtime/proc.go", Line: 435},
		{Func: "sync.(*Mutex).Lock", File: "/go/src/sync/mutex.go", Line: 46},
		{Func: "example.com/shop/stock.(*Shelf).take", File: "/src/stock/shelf.go", Line: 71},
		{Func: "example.com/shop/stock.(*Shelf).Order", File: "/src/stock/shelf.go", Line: 40},
		{Func: "example.com/shop/web.(*Server).order", File: "/src/web/server.go", Line: 133},
		{Func: "net/http.HandlerFunc.ServeHTTP", File: "/go/src/net/http/server.go", Line: 2294},
		{Func: "net/http.(*conn).serve", File: "/go/src/net/http/server.go", Line: 2102},
	}
	read := []model.Frame{
		{Func: "internal/poll.(*FD).Read", File: "/go/src/internal/poll/fd_unix.go", Line: 165},
		{Func: "net.(*conn).Read", File: "/go/src/net/net.go", Line: 196},
		{Func: "net/http.(*persistConn).readLoop", File: "/go/src/net/http/transport.go", Line: 2300},
	}
	waits := func(n, total, longest int64) model.Waits {
		return model.Waits{Count: n, TotalNs: total, LongestNs: longest}
	}
	atLock := model.TracePlace{Cause: model.WaitSync, Reason: "sync", Func: "net/http.(*conn).serve", Goroutine: 1234, AtNs: 512e6, Stack: lock, Home: 2,
		Waits: waits(41_250, 33.1e9, 210e6)}
	atRead := model.TracePlace{Cause: model.WaitNetwork, Reason: "network", Func: "net/http.(*persistConn).readLoop", Goroutine: 77, AtNs: 90e6, Stack: read, Home: -1,
		Waits: model.Waits{Count: 12, TotalNs: 5.2e9, LongestNs: 4.9e9, LongestCut: true, Cut: 3}}
	ready := model.TracePlace{Cause: model.WaitSched, Func: "example.com/shop/web.(*Server).run", By: "", Goroutine: 9, AtNs: 1.2e9, Stack: lock[2:], Home: 0,
		Waits: waits(90_000, 7.7e9, 31e6)}
	return &model.Trace{
		Schema: 1, Tool: "test", File: "trace.out", Format: "1.26", Started: &started, DurationNs: 5.02e9, Bytes: 41e6, Events: 3_456_789,
		Goroutines: 1034, RunningNs: 17.1e9,
		Causes: []model.TraceCause{
			{Cause: model.WaitSync, Share: 0.71, Meaning: "Goroutines waited for a mutex, a condition or a WaitGroup.", Lever: "Do less while the lock is held.",
				Rules: []string{"lockio", "falsesharing"}, Waits: waits(41_260, 33.3e9, 210e6), Places: []model.TracePlace{atLock}},
			{Cause: model.WaitSched, Share: 0.165, Meaning: "Goroutines were ready to run and had no processor.", Lever: "Run fewer goroutines at a time.",
				Rules: []string{"goroutineperitem"}, Waits: waits(90_000, 7.7e9, 31e6), Places: []model.TracePlace{ready}},
			{Cause: model.WaitNetwork, Share: 0.11, Meaning: "Goroutines waited for a connection or a pipe to become ready.", Lever: "Keep connections.",
				Waits: atRead.Waits, Places: []model.TracePlace{atRead}},
			{Cause: model.WaitGCAssist, Share: 0.0002, Meaning: "Goroutines had to mark.", Lever: "Allocate less.", Waits: waits(3, 8e6, 5e6)},
		},
		Groups: []model.TraceGroup{
			{Func: "net/http.(*conn).serve", Goroutines: 1000, RunningNs: 16e9, Waits: []model.TraceGrouped{{Cause: model.WaitSync, Waits: waits(41_250, 33.1e9, 210e6)}, {Cause: model.WaitSched, Waits: waits(9, 7.7e9, 9e6)}}},
			{Func: "golang.org/x/sync/errgroup.(*Group).Go.func1", By: "example.com/shop/stock.refill", Goroutines: 8, RunningNs: 1.1e9, Waits: []model.TraceGrouped{}},
			{Func: "runtime.gcBgMarkWorker", Runtime: true, Goroutines: 4, RunningNs: 1e9, Waits: []model.TraceGrouped{}},
		},
		Stalls: []model.TracePlace{atRead, atLock, ready},
		Parked: []model.TracePark{{Cause: model.WaitChannel, Func: "example.com/shop/stock.worker", Goroutines: 26, Stack: lock, Home: 2}},
		GC: model.TraceGC{Cycles: 12, MarkNs: 1.7e9, MarkShare: 0.34, WorkerNs: 4.1e9, IdleNs: 20e6, AssistNs: 8e6, Assists: 3, SweepNs: 2e6, CPUShare: 0.21,
			Stops:     []model.TraceSTW{{Reason: "GC mark termination", Waits: waits(12, 900e3, 200e3)}, {Reason: "GC sweep termination", Waits: waits(12, 400e3, 90e3)}},
			StoppedNs: 1.3e6, LongestStopNs: 200e3},
		Processors: model.TraceProcs{Max: 4, BusyNs: 18e9, BusyShare: 0.9, SaturatedShare: 0.8, QueueMean: 3.21, QueueMax: 812,
			Each: []model.TraceProc{{ID: 0, BusyShare: 0.99}, {ID: 1, BusyShare: 0.95}, {ID: 2, BusyShare: 0.66}, {ID: 3, BusyShare: 0.004}}},
	}
}

func TestTraceText(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		golden(t, fmt.Sprintf("trace-%d.txt", width), traceText(t, sampleTrace(), Options{Width: width}))
	}
	golden(t, "trace-ascii.txt", traceText(t, sampleTrace(), Options{Width: 80, ASCII: true}))
}

// Whatever the width, no line is longer, and colour changes no text.
func TestTraceFits(t *testing.T) {
	empty := &model.Trace{File: "trace.out", Format: "1.22"}
	broken := sampleTrace()
	broken.Warnings = []model.Warning{{Seen: "the trace breaks off", Cause: "the program was killed", Try: "end the trace with trace.Stop"}}
	broken.Stalls[0].Stack, broken.Parked[0].Stack, broken.Causes[0].Places[0].Stack = nil, nil, nil
	broken.Stalls[1].Func = "example.com/shop/reverseproxy.(*metricsUpstreamsHealthyUpdater).init.func1"
	for name, tr := range map[string]*model.Trace{"sample": sampleTrace(), "empty": empty, "broken": broken} {
		for width := 60; width <= 200; width++ {
			for _, ascii := range []bool{false, true} {
				bare := traceText(t, tr, Options{Width: width, ASCII: ascii})
				for line := range strings.Lines(bare) {
					if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
						t.Errorf("%s at %d columns has a line of %d: %s", name, width, n, line)
					}
				}
				if ascii && strings.ContainsFunc(bare, func(r rune) bool { return r > 127 }) {
					t.Errorf("%s: not ASCII:\n%s", name, bare)
				}
				colored := traceText(t, tr, Options{Width: width, ASCII: ascii, Color: true})
				if escapeCode.ReplaceAllString(colored, "") != bare {
					t.Errorf("%s at %d columns: colour changes the text", name, width)
				}
			}
		}
	}
}

func TestBar(t *testing.T) {
	s := &sheet{}
	for _, test := range []struct {
		x    float64
		want string
	}{{0, ""}, {0.001, "▏"}, {0.5, "██"}, {0.53, "██▏"}, {1, "████"}, {7, "████"}, {-1, ""}} {
		if got := s.bar(test.x, 4); got != test.want {
			t.Errorf("bar(%v) = %q, want %q", test.x, got, test.want)
		}
	}
}
