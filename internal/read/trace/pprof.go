package trace

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Kinds are the profiles that WriteProfile knows, by the names that go tool
// trace -pprof has for them.
func Kinds() []string { return []string{"net", "sync", "syscall", "sched"} }

// kindCauses says which causes a kind is made of.
var kindCauses = map[string][]cause{
	"net":     {causeNetwork},
	"sync":    {causeSync, causeChannel, causeSelect},
	"syscall": {causeSyscall},
	"sched":   {causeSched},
}

// WriteProfile writes the waits of one kind as a compressed pprof file, by the
// stacks at which they began, with their number and their nanoseconds. As with
// go tool trace, only waits that began and ended in the trace count, those of
// the runtime's goroutines too. It returns how many waits there are.
func (res *Result) WriteProfile(w io.Writer, kind string) (int64, error) {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "trace", Unit: "count"},
		Period:     1, DurationNanos: int64(res.c.now - res.c.start),
		DefaultSampleType: "delay",
	}
	if res.c.wall != nil {
		p.TimeNanos = res.c.wall.UnixNano()
	}
	b := builder{p: p, funcs: make(map[[2]string]*profile.Function), locs: make(map[frame]*profile.Location)}
	var n int64
	for _, want := range kindCauses[kind] {
		for _, key := range res.c.order() {
			if t := res.c.sites[key]; key.kind == want && t.whole > 0 {
				n += t.whole
				b.sample(res.c.stacks.all[key.stack].frames, t.whole, t.wholeNs)
			}
		}
	}
	if err := p.Write(w); err != nil {
		return 0, fmt.Errorf("writing the profile: %w", err)
	}
	return n, nil
}

// A builder puts a profile together.
type builder struct {
	p     *profile.Profile
	funcs map[[2]string]*profile.Function
	locs  map[frame]*profile.Location
}

func (b *builder) sample(frames []frame, n, ns int64) {
	s := &profile.Sample{Value: []int64{n, ns}}
	for _, f := range frames {
		s.Location = append(s.Location, b.location(f))
	}
	b.p.Sample = append(b.p.Sample, s)
}

// location returns a frame's location. Frames that were inlined have the
// address of their caller, and one each here, as in go tool trace.
func (b *builder) location(f frame) *profile.Location {
	if l, ok := b.locs[f]; ok {
		return l
	}
	key := [2]string{f.fn, f.file}
	fn, ok := b.funcs[key]
	if !ok {
		fn = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: f.fn, SystemName: f.fn, Filename: f.file}
		b.funcs[key] = fn
		b.p.Function = append(b.p.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(b.p.Location) + 1), Address: f.pc, Line: []profile.Line{{Function: fn, Line: int64(f.line)}}}
	b.locs[f] = l
	b.p.Location = append(b.p.Location, l)
	return l
}
