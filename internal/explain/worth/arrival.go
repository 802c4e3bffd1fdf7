package worth

import (
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/words"
)

// What is taken for certain, and what for noise.
const (
	// half is the part of a promise that has to be there for it to count as arrived.
	half = 0.5
	// clustered is the variance of samples over that of independent ones where there
	// are too few captures to show it (see explain/diagnose).
	clustered = 1.5
	// lasting is how much two processes of one program differ for good.
	lasting = 0.02
	// fewestCaptures is how many it takes for the variance among them to count.
	fewestCaptures = 4
	// fewestSamples is how many samples have to be expected of what is said to be gone.
	fewestSamples = 5
	// tied is the part of the samples of two changes that they have in common where they
	// cannot be told apart.
	tied = 0.1
)

// An Account is what profiles of one version of a program show of changed functions.
type Account struct {
	funcs []Func
	typ   string
	looks []look
}

// A look is one profile: its samples by the functions that are on their stacks.
type look struct {
	process string
	by      map[string]amount // by a set of functions
}

// An amount is some samples of a profile.
type amount struct{ value, samples float64 }

func (a *amount) add(b amount) { a.value, a.samples = a.value+b.value, a.samples+b.samples }

// NewAccount returns an account of the samples of type typ of all functions that the
// promises are about.
func NewAccount(promises []Promise, typ string) *Account {
	a := &Account{typ: typ}
	for _, p := range promises {
		for _, f := range p.Funcs {
			if !slices.Contains(a.funcs, f) {
				a.funcs = append(a.funcs, f)
			}
		}
	}
	return a
}

// Add adds a profile of a process. The error is for one that has no such samples.
func (a *Account) Add(p *profile.Profile, process string) error {
	on := map[model.Frame][]int{}
	all := p.Functions()
	for i, f := range a.funcs {
		for fr := range find(all, []Func{f}).frames {
			on[fr] = append(on[fr], i)
		}
	}
	set := make([]byte, (len(a.funcs)+7)/8)
	parts, err := p.Parts(a.typ, func(stack []model.Frame) string {
		clear(set)
		for _, fr := range stack {
			for _, i := range on[model.Frame{Func: fr.Func, File: fr.File}] {
				set[i/8] |= 1 << (i % 8)
			}
		}
		return string(set)
	})
	if err != nil {
		return err
	}
	total, _, err := p.Total(a.typ)
	if err != nil || total == 0 {
		return err
	}
	l := look{process: process, by: map[string]amount{}}
	for key, part := range parts {
		l.by[key] = amount{part.Share * total, float64(part.In)}
	}
	a.looks = append(a.looks, l)
	return nil
}

// Profiles is how many profiles there were with samples.
func (a *Account) Profiles() int { return len(a.looks) }

// Samples is how many samples there were.
func (a *Account) Samples() int64 {
	return int64(a.sum(func(string) bool { return true }).samples)
}

func (a *Account) sum(match func(set string) bool) (out amount) {
	for _, l := range a.looks {
		for key, x := range l.by {
			if match(key) {
				out.add(x)
			}
		}
	}
	return out
}

// within matches stacks with one of these functions on them.
func (a *Account) within(funcs []Func) func(set string) bool {
	var mask = make([]byte, (len(a.funcs)+7)/8)
	for i, f := range a.funcs {
		if slices.Contains(funcs, f) {
			mask[i/8] |= 1 << (i % 8)
		}
	}
	return func(set string) bool {
		for i := range mask {
			if mask[i]&set[i] != 0 {
				return true
			}
		}
		return false
	}
}

// share is the part of all samples in and below functions.
func (a *Account) share(funcs []Func) float64 {
	all := a.sum(func(string) bool { return true }).value
	if all == 0 {
		return 0
	}
	return a.sum(a.within(funcs)).value / all
}

// ShareOf is share for functions by their names.
func (a *Account) ShareOf(names []string) float64 {
	return a.share(slices.DeleteFunc(slices.Clone(a.funcs), func(f Func) bool { return !slices.Contains(names, f.Name) }))
}

// A relation is the cost of some functions for each unit of what nobody changed.
type relation struct {
	log, variance, df float64
	in, rest          amount
}

// relate adds up over captures, the units of the estimate: samples of one capture come
// together. The variance is that of a ratio of sums, to first order (W. Cochran, Sampling
// Techniques, 1977, section 6.3), and not below that of the samples' number.
func (a *Account) relate(match func(set string) bool) (r relation) {
	changed := a.within(a.funcs)
	var xs, ys []float64
	processes := map[string]bool{}
	for _, l := range a.looks {
		var in, rest amount
		for key, x := range l.by {
			switch {
			case match(key):
				in.add(x)
			case !changed(key):
				rest.add(x)
			}
		}
		xs, ys = append(xs, in.value), append(ys, rest.value)
		r.in.add(in)
		r.rest.add(rest)
		processes[l.process] = true
	}
	if r.in.samples == 0 || r.rest.samples == 0 {
		return r
	}
	ratio := r.in.value / r.rest.value
	r.log, r.df = math.Log(ratio), math.Inf(1)
	r.variance = clustered * (1/r.in.samples + 1/r.rest.samples)
	if n := float64(len(xs)); n >= fewestCaptures {
		seen := 0.0
		for i := range xs {
			d := (xs[i] - ratio*ys[i]) / r.in.value
			seen += d * d * n / (n - 1)
		}
		if seen > r.variance {
			r.variance, r.df = seen, n-1
		}
	}
	r.variance += lasting * lasting / float64(len(processes))
	return r
}

// Arrivals says about each promise about the accounts' samples whether it arrived, those
// together that are about the same stacks. The intervals hold together at 1 − alpha for
// so many promises as of are asked about in all.
func Arrivals(promises []Promise, before, after *Account, alpha float64, of int) []model.Arrival {
	var out []model.Arrival
	for _, group := range before.groups(promises) {
		out = append(out, arrival(group, before, after, alpha/float64(max(1, of))))
	}
	return out
}

// groups puts promises together that cannot be told apart: a good part of the samples of
// one is below the functions of the other.
func (a *Account) groups(promises []Promise) (out [][]Promise) {
	for _, p := range promises {
		group := []Promise{p}
		out = slices.DeleteFunc(out, func(g []Promise) bool {
			if !a.tied(p, g) {
				return false
			}
			group = append(slices.Clone(g), group...)
			return true
		})
		out = append(out, group)
	}
	return out
}

func (a *Account) tied(p Promise, group []Promise) bool {
	own := a.within(p.Funcs)
	return slices.ContainsFunc(group, func(q Promise) bool {
		if slices.ContainsFunc(p.Funcs, func(f Func) bool { return slices.Contains(q.Funcs, f) }) {
			return true
		}
		other := a.within(q.Funcs)
		both := a.sum(func(set string) bool { return own(set) && other(set) }).value
		return both > 0 && both >= tied*min(a.sum(own).value, a.sum(other).value)
	})
}

// arrival judges a group of promises.
func arrival(group []Promise, before, after *Account, alpha float64) model.Arrival {
	var funcs []Func
	out := model.Arrival{Resource: group[0].Resource, Verdict: model.ClaimUndecided}
	for _, p := range group {
		out.Changes = append(out.Changes, model.ClaimedChange{ID: p.ID, Title: p.Title, Commit: p.Commit})
		for _, f := range p.Funcs {
			if !slices.Contains(funcs, f) {
				funcs = append(funcs, f)
				out.Funcs = append(out.Funcs, f.Name)
			}
		}
	}
	out.ShareBefore, out.ShareAfter = before.share(funcs), after.share(funcs)
	out.Promised, out.PromisedLo, out.PromisedHi = before.together(group, out.ShareBefore)
	b, n := before.relate(before.within(funcs)), after.relate(after.within(funcs))
	if out.Why = lacking(funcs, out.Promised, before, after, b, n); out.Why != "" {
		return out
	}
	d, se := n.log-b.log, math.Sqrt(n.variance+b.variance)
	df := (n.variance + b.variance) * (n.variance + b.variance) / (n.variance*n.variance/n.df + b.variance*b.variance/b.df)
	z := diagnose.StudentQuantile(alpha, min(df, 1e6))
	out.Compared = true
	out.Observed, out.Lo, out.Hi = -math.Expm1(d), -math.Expm1(d+z*se), -math.Expm1(d-z*se)
	least := half * out.Promised
	switch {
	case out.Lo >= least:
		out.Verdict = model.ClaimArrived
		out.Why = "at least half of what was promised is there"
	case out.Hi < least:
		out.Verdict = model.ClaimMissing
		out.Why = "that half of what was promised is there is excluded"
	default:
		out.Why = "that half of what was promised is there is neither shown nor excluded"
		if more := math.Pow(z*se/(d-math.Log1p(-min(least, 0.999))), 2); more < 1e6 { // else nothing tells
			out.More = more
		}
	}
	return out
}

// together is what promises about the same stacks come to: each saves its part of its
// own functions.
func (a *Account) together(group []Promise, share float64) (gain, lo, hi float64) {
	rest := [3]float64{1, 1, 1}
	for _, p := range group {
		part := 1.0
		if own := a.share(p.Funcs); share > 0 {
			part = own / share
		}
		for i, g := range []float64{p.Gain, p.Lo, p.Hi} {
			rest[i] *= 1 - min(1, g*part)
		}
	}
	return 1 - rest[0], 1 - rest[1], 1 - rest[2]
}

// lacking says why two relations cannot be compared; "" where they can.
func lacking(funcs []Func, promised float64, before, after *Account, b, n relation) string {
	switch {
	case b.in.samples == 0:
		return fmt.Sprintf("none of %s before is in or below its functions: it promised nothing here", words.Plural(int(before.Samples()), "sample"))
	case b.rest.samples == 0 || n.rest.samples == 0:
		return "all samples are in changed functions, so nothing is left to measure them by"
	}
	var gone []Func
	for _, f := range funcs {
		own := []Func{f}
		if before.sum(before.within(own)).samples > 0 && after.sum(after.within(own)).samples == 0 {
			gone = append(gone, f)
		}
	}
	in, stay := before.within(gone), before.within(slices.DeleteFunc(slices.Clone(funcs), func(f Func) bool { return slices.Contains(gone, f) }))
	alone := before.sum(func(set string) bool { return in(set) && !stay(set) }).samples
	if expected := alone * n.rest.samples / b.rest.samples * (1 - promised); expected >= fewestSamples {
		return fmt.Sprintf("%s had %.0f samples before and has none after: renamed, moved, or no longer called", gone[0].Name, alone)
	}
	if n.in.samples == 0 {
		return fmt.Sprintf("of its functions there are %.0f samples before and none after: too few", b.in.samples)
	}
	return ""
}
