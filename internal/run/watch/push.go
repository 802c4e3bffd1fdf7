package watch

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/observe/archive"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

// A Sink is sent what was captured.
type Sink interface {
	// Push sends profiles of a service by their kinds. Instance is "" where there is one.
	Push(ctx context.Context, service, instance string, profiles map[string][]byte) error
}

// NewSink is the Pyroscope server at a URL. The error is one of usage.
func NewSink(url, token string) (Sink, error) {
	s, err := archive.NewSink(url, token)
	if err != nil {
		return nil, testbed.Usagef("-push: %v", err)
	}
	return s, nil
}

// push sends a capture on, and of profiles that count from the program's start on what came
// since the one before, since a server adds them up. What cannot be sent is said, and not
// sent again: it is in the ring.
func (w *watcher) push(ctx context.Context, before ring.Capture, t taken) {
	if w.o.Sink == nil {
		return
	}
	content := maps.Clone(t.content)
	for _, kind := range []string{heapKind, "mutex", "block"} {
		now, ok := content[kind]
		if !ok {
			continue
		}
		delete(content, kind)
		if data := grown(w.earlier(before, t, kind), now); data != nil {
			content[kind] = data
		}
	}
	if err := w.o.Sink.Push(ctx, w.t.Name, t.Instance, content); err != nil && ctx.Err() == nil {
		w.say("not sent: %s", reason(err))
	}
}

// earlier is the profile of a kind in the capture before, of the same start of the program;
// nil where there is none.
func (w *watcher) earlier(before ring.Capture, t taken, kind string) []byte {
	i := slices.IndexFunc(before.Profiles, func(p ring.Profile) bool { return p.Kind == kind })
	if i < 0 || before.Run != t.Run {
		return nil
	}
	data, err := ring.Content(Dir(w.o.Root, w.t.Name), before.Profiles[i])
	if err != nil {
		return nil
	}
	return data
}

// grown is what was added to a profile since an earlier one, and what of the heap is in use.
// Without an earlier one, nothing was added that is known. It is nil where nothing is left.
func grown(before, now []byte) []byte {
	if before == nil {
		before = now
	}
	old, err1 := pprof.Parse(bytes.NewReader(before))
	p, err2 := pprof.Parse(bytes.NewReader(now))
	if err1 != nil || err2 != nil {
		return nil
	}
	less := make([]float64, len(old.SampleType))
	for i, t := range old.SampleType {
		if !strings.HasPrefix(t.Type, "inuse_") {
			less[i] = -1
		}
	}
	if old.ScaleN(less) != nil {
		return nil
	}
	sum, err := pprof.Merge([]*pprof.Profile{p, old})
	if err != nil {
		return nil
	}
	sum.TimeNanos, sum.DurationNanos = p.TimeNanos, max(0, p.TimeNanos-old.TimeNanos)
	sum.Sample = slices.DeleteFunc(sum.Sample, func(s *pprof.Sample) bool {
		for i, v := range s.Value {
			s.Value[i] = max(v, 0) // counts that are scaled up from samples can fall a little
		}
		return !slices.ContainsFunc(s.Value, func(v int64) bool { return v > 0 })
	})
	var buf bytes.Buffer
	if len(sum.Sample) == 0 || sum.Write(&buf) != nil {
		return nil
	}
	return buf.Bytes()
}
