package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Per says what the figures of a comparison are divided by: nothing means
// shares of the profile.
type Per struct {
	// BaseOps and NowOps are how many operations (requests, iterations) the
	// profiles of each side cover, together. Both or none are above 0.
	BaseOps, NowOps float64
	Second          bool // by the seconds that were profiled
}

// Countable reports whether x can be how many operations were done, as a count or in units of many: figures per operation
// would overflow for less, and be nothing for more.
func Countable(x float64) bool { return x >= 1e-9 && x <= 1e18 }

// word is what the model calls it.
func (p Per) word() string {
	switch {
	case p.BaseOps > 0:
		return "op"
	case p.Second:
		return "second"
	}
	return "share"
}

// A measure is a column of a kind of profiles that is compared.
type measure struct {
	typ, also  string // what is counted; and what is shown beside it
	what, unit string
	file       string // the unit that profiles of Go have for it
}

// measures returns what is compared of profiles of a kind.
func measures(kind profile.Kind) []measure {
	switch kind {
	case profile.KindCPU:
		return []measure{{"cpu", "cpu", "CPU time", "ns", "nanoseconds"}}
	case profile.KindHeap:
		return []measure{
			{"alloc_space", "alloc_space", "bytes allocated", "bytes", "bytes"},
			{"alloc_objects", "alloc_objects", "objects allocated", "objects", "count"},
		}
	case profile.KindMutex, profile.KindBlock:
		return []measure{{"contentions", "delay", "waits", "waits", "count"}}
	}
	return nil
}

// Compare says what costs more and what costs less in the profiles now than in
// those of the base, beyond noise. Profiles of one kind are added up on each
// side; their differences say how noisy they are. Kinds that only one side has
// are a warning; when no kind is on both sides, that is an error, as are
// profiles of different programs.
func Compare(base, now []profile.Source, o Options) ([]model.ProfileComparison, []model.Warning, error) {
	var out []model.ProfileComparison
	var warnings []model.Warning
	if p := o.Per; p.word() == "op" && !(Countable(p.BaseOps) && Countable(p.NowOps)) {
		return nil, nil, fmt.Errorf("%g and %g are no numbers of operations", p.BaseOps, p.NowOps)
	}
	for _, kind := range []profile.Kind{profile.KindCPU, profile.KindHeap, profile.KindMutex, profile.KindBlock} {
		b, n := ofKind(kind, base), ofKind(kind, now)
		switch {
		case len(b) == 0 && len(n) == 0:
			continue
		case len(b) == 0 || len(n) == 0:
			warnings = append(warnings, model.Warning{
				Seen: fmt.Sprintf("%s: only %s a profile of kind %s", sourceNames(append(b, n...)), whichHas(len(b) > 0), kind),
				Try:  "name one of that kind for the other side, too",
			})
			continue
		}
		if err := related(b, n); err != nil {
			return nil, nil, err
		}
		for _, m := range measures(kind) {
			c, err := compare(kind, m, b, n, o)
			if err != nil {
				return nil, nil, err
			}
			out = append(out, *c)
		}
	}
	if len(out) == 0 {
		return nil, nil, fmt.Errorf("the base has profiles of %s, the others of %s: two CPU, heap, mutex or block profiles are compared, of one kind", kindsOf(base), kindsOf(now))
	}
	return out, warnings, nil
}

func whichHas(base bool) string {
	if base {
		return "the base has"
	}
	return "the new side has"
}

func ofKind(kind profile.Kind, sources []profile.Source) []profile.Source {
	var out []profile.Source
	for _, s := range sources {
		if s.Profile.Kind() == kind {
			out = append(out, s)
		}
	}
	return out
}

func kindsOf(sources []profile.Source) string {
	var out []string
	for _, s := range sources {
		kind := cmp.Or(string(s.Profile.Kind()), strings.Join(s.Profile.Types(), ", "))
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return strings.Join(out, " and ")
}

func sourceNames(sources []profile.Source) string {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}

// related returns an error where two sides have no function in common.
func related(base, now []profile.Source) error {
	all, _, _ := inBoth(base, now)
	if all == 0 && len(names(base)) > 0 && len(names(now)) > 0 {
		return fmt.Errorf("%s and %s have no function in common: profiles of one program are compared", sourceNames(base), sourceNames(now))
	}
	return nil
}

func compare(kind profile.Kind, m measure, base, now []profile.Source, o Options) (*model.ProfileComparison, error) {
	b, err := gather(kind, m, base, now, o)
	if err != nil {
		return nil, err
	}
	c := &model.ProfileComparison{
		Kind: string(kind), What: m.what, Unit: m.unit, By: o.Per.word(),
		Base: b.side(0, o.Per.BaseOps), Now: b.side(1, o.Per.NowOps),
		Functions: []model.ProfileChange{}, Lines: []model.ProfileChange{}, Signs: []model.ProfileChange{},
	}
	c.Warnings = append(c.Warnings, b.warnings...)
	for i, s := range []model.ProfileSide{c.Base, c.Now} {
		if s.Total == 0 {
			w := empty(kind, 0)
			w.Seen = [2]string{"the base", "the new side"}[i] + ": no samples"
			c.Warnings = append(c.Warnings, w)
		}
	}
	if c.Base.Total == 0 || c.Now.Total == 0 {
		return c, nil
	}
	b.test(c)
	b.functions(c)
	b.lines(c)
	b.signs(c)
	b.shareOnly(c)
	c.Warnings = append(c.Warnings, b.doubts(c)...)
	return c, nil
}

// weigh sets what each profile and each side weighs.
func (b *book) weigh(per Per) error {
	for side := range b.sides {
		w := &b.sides[side].weighing
		ops := [2]float64{per.BaseOps, per.NowOps}[side]
		seconds, timed := 0.0, true
		var mine []*weighing
		for i := range b.profiles {
			p := &b.profiles[i]
			if p.side != side {
				continue
			}
			mine = append(mine, &p.weighing)
			w.total, w.squares = w.total+p.total, w.squares+p.squares
			seconds += p.seconds
			timed = timed && p.seconds > 0
		}
		if per.Second && !timed {
			return errors.New("a profile does not say how long it was taken for: compare shares, or give the operations with -ops")
		}
		if per.Second {
			ops = seconds
		}
		w.exposure = ops
		for i := range b.profiles {
			p := &b.profiles[i]
			if p.side != side {
				continue
			}
			part := 1 / float64(len(mine))
			if timed {
				part = p.seconds / seconds
			}
			p.exposure, p.spread = ops*part, 1
			if ops == 0 && w.total > 0 {
				part = p.total / w.total
			}
			w.spread += part * part
		}
	}
	return nil
}
