package watch

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/observe/archive"
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

// push sends a capture on. What cannot be sent is said, and not sent again: it is in the
// ring.
func (w *watcher) push(ctx context.Context, t taken) {
	if w.o.Sink == nil {
		return
	}
	content := maps.Clone(t.content)
	if heap, ok := content[heapKind]; ok {
		if content[heapKind] = inUse(heap); content[heapKind] == nil {
			delete(content, heapKind)
		}
	}
	if err := w.o.Sink.Push(ctx, w.t.Name, t.Instance, content); err != nil && ctx.Err() == nil {
		w.say("not sent: %s", reason(err))
	}
}

// inUse is a heap profile without what was allocated since the program's start, which a
// server would add up again and again; nil where nothing is left.
func inUse(data []byte) []byte {
	p, err := pprof.Parse(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	lasting := func(t *pprof.ValueType) bool { return strings.HasPrefix(t.Type, "inuse_") }
	if !slices.ContainsFunc(p.SampleType, lasting) {
		return nil
	}
	for _, s := range p.Sample {
		var values []int64
		for i, v := range s.Value {
			if lasting(p.SampleType[i]) {
				values = append(values, v)
			}
		}
		s.Value = values
	}
	p.SampleType = slices.DeleteFunc(p.SampleType, func(t *pprof.ValueType) bool { return !lasting(t) })
	p.DefaultSampleType = ""
	var buf bytes.Buffer
	if p.Write(&buf) != nil {
		return nil
	}
	return buf.Bytes()
}
