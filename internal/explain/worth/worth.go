package worth

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A Gain is what a benchmark says a change saves, as a part of all that the
// benchmark costs: 0.38 for 38 % less, with its interval. What costs more is
// below zero.
type Gain struct {
	Resource model.Resource
	Saved    float64
	Lo, Hi   float64
}

func timeGain(v model.Verdict) Gain {
	return Gain{Resource: model.CPU, Saved: -v.Change, Lo: -v.Hi, Hi: -v.Lo}
}

func allocGain(e model.Exact) Gain {
	g := Gain{Resource: model.Allocs}
	if e.Metric == "B/op" {
		g.Resource = model.Bytes
	}
	if e.Before > 0 && !e.Noisy {
		g.Saved = (e.Before - e.After) / e.Before
	}
	g.Lo, g.Hi = g.Saved, g.Saved
	return g
}

// A Change is what was measured of a change in one benchmark.
type Change struct {
	Funcs     []Func // in the base
	Benchmark model.Benchmark
	// Gains of the benchmark; time first where there is one.
	Gains []Gain
	// CPU and Allocs are profiles of the base's benchmark, by which its cost is
	// told apart from that of the changed functions. Either may be nil: then
	// they are taken for all of the benchmark, and a warning says so.
	CPU, Allocs *profile.Profile
}

// A Worth is a model.Worth that says itself in words.
type Worth struct{ model.Worth }

// Of says what a change is worth in production. The first gain that is certain
// and has a profile of its resource counts; a gain in allocations is estimated
// from a CPU profile where there is no other. Samples counts all samples of
// the profile. A share of nothing is no error: it says that the
// code is not seen there.
func (p *Production) Of(c Change) (Worth, []model.Warning, error) {
	if len(c.Funcs) == 0 {
		return Worth{}, nil, errors.New("what the change is worth: no function is changed, so none can be looked for in the production profile")
	}
	g, prof, estimate := p.choose(c.Gains)
	if prof == nil {
		return Worth{}, nil, fmt.Errorf("what the change is worth: it saves %s, and the production profile has no samples of that: %s", c.saves(), p.lacking())
	}
	typ := cpuType(prof.Types())
	if typ == "" {
		typ = allocType(prof.Types())
		if g.Resource == model.Allocs && slices.Contains(prof.Types(), "alloc_objects") {
			typ = "alloc_objects"
		}
	}
	f := find(prof.Functions(), c.Funcs)
	part, err := share(prof, typ, f, estimate)
	if err != nil {
		return Worth{}, nil, fmt.Errorf("what the change is worth, from %s: %w", p.file(), err)
	}
	w := Worth{}
	w.Estimate, w.In, w.ShareLo, w.ShareHi = estimate, part.In, part.Lo, part.Hi
	w.Profile, w.Funcs, w.Resource, w.Share, w.Samples = p.file(), f.names, typ, part.Share, part.Of
	warnings := p.warnings(prof, typ, f, part)
	warnings = append(warnings, w.gain(c, g)...)
	w.Saves, w.SavesLo, w.SavesHi = w.Share*w.Gain, w.ShareLo*w.GainLo, w.ShareHi*w.GainHi
	w.Likeness = p.Like(c.CPU)
	return w, warnings, nil
}

// choose returns the gain that counts, the profile to weigh it by, and whether
// that only allows an estimate. A gain that is certain goes before one that
// may be none, and one that can be weighed before one that is estimated.
func (p *Production) choose(gains []Gain) (Gain, *profile.Profile, bool) {
	own := func(g Gain) *profile.Profile {
		if g.Resource == model.CPU {
			return p.cpu
		}
		return p.heap
	}
	for _, g := range gains {
		if own(g) != nil && g.Lo > 0 {
			return g, own(g), false
		}
	}
	for _, g := range gains {
		if g.Resource != model.CPU && g.Lo > 0 && p.cpu != nil {
			return g, p.cpu, true
		}
	}
	for _, g := range gains {
		if own(g) != nil {
			return g, own(g), false
		}
	}
	return Gain{}, nil, false
}

// lacking names what to take beside a profile that does not fit the gain.
func (p *Production) lacking() string {
	if p.cpu == nil {
		return "take /debug/pprof/profile beside it"
	}
	return "take /debug/pprof/allocs beside it"
}

// saves names the resources that were measured.
func (c Change) saves() string {
	var out []string
	for _, g := range c.Gains {
		out = append(out, string(g.Resource))
	}
	if len(out) == 0 {
		return "nothing that was measured"
	}
	return strings.Join(out, " and ")
}

// share returns the part of a profile in and below the functions that were
// found; for an estimate, only what allocates there and causes collections.
func share(prof *profile.Profile, typ string, f found, estimate bool) (profile.Part, error) {
	within := func(stack []model.Frame) int {
		return slices.IndexFunc(stack, func(fr model.Frame) bool { return f.frames[model.Frame{Func: fr.Func, File: fr.File}] })
	}
	if !estimate {
		return prof.Part(typ, func(stack []model.Frame) bool { return within(stack) >= 0 })
	}
	part, err := prof.Part(typ, func(stack []model.Frame) bool {
		i := slices.IndexFunc(stack, allocates)
		return i >= 0 && slices.ContainsFunc(stack[i:], func(fr model.Frame) bool { return f.frames[model.Frame{Func: fr.Func, File: fr.File}] })
	})
	if err != nil || part.Share == 0 {
		return part, err
	}
	all, err := prof.Part(typ, func(stack []model.Frame) bool { return slices.ContainsFunc(stack, allocates) })
	if err != nil {
		return part, err
	}
	background, err := prof.Part(typ, func(stack []model.Frame) bool {
		return len(stack) > 0 && collecting[stack[len(stack)-1].Func]
	})
	scale := 1 + background.Share/all.Share
	part.Share, part.Lo, part.Hi = min(1, part.Share*scale), min(1, part.Lo*scale), min(1, part.Hi*scale)
	return part, err
}

// allocates reports whether a frame is where the runtime begins to allocate.
func allocates(f model.Frame) bool {
	rest, ok := strings.CutPrefix(f.Func, "runtime.")
	if !ok {
		return false
	}
	return strings.HasPrefix(rest, "malloc") || slices.Contains([]string{"newobject", "newarray", "makeslice", "makeslicecopy", "makemap", "rawstring", "rawbyteslice"}, rest)
}

// collecting are the goroutines of the garbage collector.
var collecting = map[string]bool{
	"runtime.gcBgMarkWorker": true,
	"runtime.bgsweep":        true,
	"runtime.bgscavenge":     true,
}

// gain sets the part of the changed functions' cost that is saved: what the
// benchmark saves, by their share of it.
func (w *Worth) gain(c Change, g Gain) []model.Warning {
	of, warnings := c.ownShare(g.Resource)
	part := func(saved, share float64) float64 {
		if saved <= 0 || share <= 0 {
			return 0
		}
		return min(1, saved/share)
	}
	w.Gain, w.GainLo, w.GainHi = part(g.Saved, of.Share), part(g.Lo, of.Hi), part(g.Hi, of.Lo)
	if of.Share > 0 && of.Lo == 0 && g.Hi > 0 {
		w.GainHi = 1
	}
	if of.Share > 0 && g.Lo > of.Hi {
		warnings = append(warnings, model.Warning{
			Seen:  fmt.Sprintf("%s saves %s, and the changed functions are %s of it", c.Benchmark, percent(g.Saved), percent(of.Share)),
			Cause: "what they cause elsewhere, like garbage collection, is saved too, or the change reaches further than its functions",
			Try:   "the gain is taken to be all of their cost",
		})
	}
	return warnings
}

// ownShare returns the changed functions' part of the benchmark itself.
func (c Change) ownShare(res model.Resource) (profile.Part, []model.Warning) {
	whole := profile.Part{Share: 1, Lo: 1, Hi: 1}
	prof, typ := c.CPU, "cpu"
	if res != model.CPU {
		prof, typ = c.Allocs, "alloc_objects"
		if res == model.Bytes {
			typ = "alloc_space"
		}
	}
	unknown := func(why string) (profile.Part, []model.Warning) {
		return whole, []model.Warning{{
			Seen:  "what share of " + c.Benchmark.String() + " the changed functions are is not known: " + why,
			Cause: "their gain is taken for that of the whole benchmark, and may be more",
		}}
	}
	if prof == nil {
		return unknown("there is no profile of it")
	}
	f := find(prof.Functions(), c.Funcs)
	part, err := prof.PartOf(c.Benchmark, typ, func(stack []model.Frame) bool {
		return slices.ContainsFunc(stack, func(fr model.Frame) bool { return f.frames[model.Frame{Func: fr.Func, File: fr.File}] })
	})
	switch {
	case err != nil:
		return unknown(err.Error())
	case part.Share == 0:
		return unknown("its profile does not show them")
	}
	return part, nil
}
