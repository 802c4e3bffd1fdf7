package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/metrics"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// The kinds as URLs name them. The profile of allocations is that of the heap: both have
// the same four types of samples.
const (
	cpuKind  = "profile"
	heapKind = "heap"
)

// others are the kinds that are taken while a CPU profile is.
func others() []string {
	return []string{heapKind, "goroutine", "goroutineleak", "mutex", "block"}
}

// slow is how much longer than its CPU profile a round may take before what is left of it is
// left out: where each kind hangs, the next round would be far away.
const slow = 15 * time.Second

// A service is a program that serves profiles.
type service struct {
	*target.Service
	instance string          // which of several it is; "" for the only one
	absent   map[string]bool // kinds that it does not have; until it is started again
}

// round takes all profiles once.
func (s *service) round(ctx context.Context, w *watcher) ([]taken, error) {
	t, err := s.collect(ctx, w.o.Seconds)
	if err != nil {
		return nil, err
	}
	s.follow(&t, w.r)
	return []taken{t}, nil
}

// collect takes all profiles. The error is that of the CPU profile where nothing came.
func (s *service) collect(ctx context.Context, seconds int) (taken, error) {
	t := taken{Capture: ring.Capture{From: time.Now().UTC(), Instance: s.instance, Missing: map[string]string{}}, content: map[string][]byte{}}
	var wg sync.WaitGroup
	var cpu profile.Source
	var data []byte
	var err error
	wg.Go(func() { data, cpu, err = s.Take(ctx, cpuKind, seconds) })
	t.Metrics = s.values(ctx, t.Missing)
	var heap profile.Source
	for _, kind := range others() {
		switch {
		case s.absent[kind] || ctx.Err() != nil:
			continue
		case time.Since(t.From) > time.Duration(seconds)*time.Second+slow:
			t.Missing[kind] = fmt.Sprintf("not asked for, since the others took %v longer than the CPU profile", slow)
			continue
		}
		data, p, err := s.Take(ctx, kind, 0)
		t.put(kind, data, 0, err)
		s.absent[kind] = target.Unserved(err)
		if err == nil && kind == heapKind {
			heap = p
		}
	}
	wg.Wait()
	t.Until = time.Now().UTC()
	t.put(cpuKind, data, seconds, err)
	if ctx.Err() != nil {
		return t, ctx.Err()
	}
	if len(t.content) == 0 {
		clear(s.absent)
		return t, err
	}
	if err == nil {
		t.CPU, t.Taking = shareOf(cpu.Profile)
		t.Build = cpu.Profile.Build()
	}
	t.allocated(heap.Profile)
	return t, nil
}

func (t *taken) put(kind string, data []byte, seconds int, err error) {
	switch {
	case target.Unserved(err):
	case err != nil:
		t.Missing[kind] = err.Error()
	default:
		t.Profiles = append(t.Profiles, ring.Profile{Kind: kind, Seconds: seconds})
		t.content[kind] = data
	}
}

// values are the metrics of the runtime; nil where the page has none.
func (s *service) values(ctx context.Context, missing map[string]string) map[string]float64 {
	page, err := s.Metrics(ctx)
	if err == nil {
		var r *metrics.Reading
		if r, err = metrics.Parse(page); err == nil {
			return r.Values
		}
	}
	missing["metrics"] = err.Error()
	return nil
}

// allocatedBytes is the value of a capture that only falls when the program was started
// again, also where it has no page of metrics.
const allocatedBytes = "heap profile: allocated"

func (t *taken) allocated(heap *profile.Profile) {
	if heap == nil {
		return
	}
	if v, _, err := heap.Total("alloc_space"); err == nil {
		t.Metrics = maps.Clone(t.Metrics)
		if t.Metrics == nil {
			t.Metrics = map[string]float64{}
		}
		t.Metrics[allocatedBytes] = v
	}
}

// follow counts the starts of the program: it was started again when counters fell, or
// when it is of another build.
func (s *service) follow(t *taken, r *ring.Ring) {
	t.Run = 1
	before := r.Captures()
	for _, c := range slices.Backward(before) {
		if c.Gap != "" || c.Instance != t.Instance {
			continue
		}
		t.Run = c.Run
		a, ok1 := c.Metrics[allocatedBytes]
		b, ok2 := t.Metrics[allocatedBytes]
		other := c.Build != "" && t.Build != "" && c.Build != t.Build
		if other || metrics.Restarted(c.Metrics, t.Metrics) || ok1 && ok2 && b < a {
			t.Run++
			clear(s.absent)
		}
		return
	}
}

// takes reports whether a function takes profiles. Those of labels do not: whatever the
// program does may be below them.
func takes(f string) bool {
	if name, ok := strings.CutPrefix(f, "runtime/pprof."); ok {
		return name != "Do" && !strings.HasPrefix(name, "Do.") && !strings.Contains(name, "Label")
	}
	return strings.HasPrefix(f, "net/http/pprof.") || strings.HasPrefix(f, "github.com/pawl-dev/pawl/admin.")
}

// shareOf returns the CPU time in a profile, and the part of it that taking profiles
// cost, in ns. What the signals of a CPU profile cost is in none.
func shareOf(p *profile.Profile) (all, taking float64) {
	all, _, err := p.Total("cpu")
	if err != nil || all == 0 {
		return 0, 0
	}
	part, err := p.Part("cpu", func(stack []model.Frame) bool {
		return slices.ContainsFunc(stack, func(f model.Frame) bool { return takes(f.Func) })
	})
	if err != nil {
		return all, 0
	}
	return all, all * part.Share
}

// reason is why a round gave nothing, in a line.
func reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
