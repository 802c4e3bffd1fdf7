package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/observe/archive"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

const (
	// lag is how long a server may take to have what it was sent.
	lag = 15 * time.Second
	// mostSpan is the longest time that is asked for at once.
	mostSpan = time.Hour
)

// A history is a server that keeps profiles of a service. Each round asks for the sum of
// what came since the last one, so that a time without pawl, or without the server, is
// made good afterwards.
type history struct{ *archive.Query }

func (h history) round(ctx context.Context, w *watcher) (out []taken, err error) {
	until := time.Now().UTC().Add(-lag).Truncate(time.Millisecond)
	from := until.Add(-w.o.Interval)
	if all := w.r.Captures(); len(all) > 0 {
		from = all[len(all)-1].Until
	}
	if least := until.Add(-mostSpan); from.Before(least) {
		out = append(out, taken{Capture: ring.Capture{From: from, Until: least, Gap: "the server was not asked for longer than is made good"}})
		from = least
	}
	if until.Sub(from) < time.Second {
		return out, nil
	}
	t, err := h.take(ctx, from, until)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, archive.ErrNothing):
		return append(out, taken{Capture: ring.Capture{From: from, Until: until, Gap: reason(err)}}), nil
	case err != nil:
		w.say("%s; it is asked for that time again", reason(err))
		return out, nil
	}
	return append(out, t), nil
}

func (h history) take(ctx context.Context, from, until time.Time) (taken, error) {
	data, err := h.Merged(ctx, from, until)
	if err != nil {
		return taken{}, err
	}
	kind, data, err := whole(data)
	if err != nil {
		return taken{}, fmt.Errorf("%s: %w", h, err)
	}
	return taken{content: map[string][]byte{kind: data}, Capture: ring.Capture{From: from, Until: until, Run: 1,
		Profiles: []ring.Profile{{Kind: kind, Seconds: int(until.Sub(from).Seconds()), Delta: true}}}}, nil
}

// hundredth is the time for which a sample of Go's CPU profiles stands.
const hundredth = int64(10 * time.Millisecond)

// whole returns the kind of a profile that a server put together, and the profile with what
// Go writes besides: for how much time a sample stands, by which samples are counted.
func whole(data []byte) (kind string, out []byte, err error) {
	p, err := pprof.Parse(bytes.NewReader(data))
	if err != nil {
		return "", nil, err
	}
	if len(p.Sample) == 0 {
		return "", nil, archive.ErrNothing
	}
	if p.SampleType[0].Type == "cpu" && p.Period <= 0 {
		p.Period, p.PeriodType = hundredth, &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		return "", nil, err
	}
	read, err := profile.ReadLimited(bytes.NewReader(buf.Bytes()), 8*mostFile)
	if err != nil {
		return "", nil, err
	}
	if kind = kindOf(read); kind == "" {
		return "", nil, fmt.Errorf("it holds samples of %s, which Go's runtime does not take", strings.Join(read.Types(), ", "))
	}
	return kind, buf.Bytes(), nil
}
