package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Options say whose lines are looked for.
type Options struct {
	// Own is the import path of the program's own code, or the beginning of it.
	// Lines of dependencies are then left out where one of its own is on the
	// stack. When empty, all lines outside the standard library are alike.
	Own string
	// Per is what the figures of a comparison are divided by; see Compare.
	Per Per
}

// Diagnose looks for signatures in profiles. Those of one kind are added up.
// An error is for a profile that cannot be read as one of a Go program, and
// says what to do; that a profile is empty is a warning.
func Diagnose(sources []profile.Source, o Options) (*model.Diagnosis, error) {
	d := &model.Diagnosis{Schema: model.SchemaVersion}
	for _, kind := range []profile.Kind{profile.KindCPU, profile.KindHeap, profile.KindMutex, profile.KindBlock, profile.KindLeak, profile.KindGoroutine, profile.KindUnknown} {
		var of []profile.Source
		for _, s := range sources {
			if s.Profile.Kind() == kind {
				of = append(of, s)
			}
		}
		if len(of) == 0 {
			continue
		}
		sy, err := symptoms(kind, of, o)
		if err != nil {
			return nil, err
		}
		d.Profiles = append(d.Profiles, *sy)
	}
	return d, nil
}

// symptoms looks at the profiles of one kind.
func symptoms(kind profile.Kind, sources []profile.Source, o Options) (*model.Symptoms, error) {
	names := make([]string, len(sources))
	profiles := make([]*profile.Profile, len(sources))
	for i, s := range sources {
		names[i], profiles[i] = s.Name, s.Profile
	}
	all := strings.Join(names, ", ")
	p, err := profile.Merge(profiles...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", all, err)
	}
	typ, unit := column(kind, p)
	if typ == "" {
		return nil, fmt.Errorf("%s has samples of %s: pawl diagnose reads CPU, heap, goroutine, goroutineleak, mutex and block profiles of Go programs", all, strings.Join(p.Types(), ", "))
	}
	sy := &model.Symptoms{Kind: string(kind), Sources: names, Seconds: p.Seconds(), Unit: unit, Signs: []model.Sign{}, Below: []model.Sign{}}
	if sy.Total, sy.Samples, err = p.Total(typ); err != nil {
		return nil, fmt.Errorf("%s: %w", all, err)
	}
	if sy.Total == 0 {
		sy.Warnings = append(sy.Warnings, empty(kind, sy.Seconds))
		return sy, nil
	}
	if err := readable(p, typ, sy); err != nil {
		return nil, fmt.Errorf("%s: %w", all, err)
	}
	if err := look(kind, p, sy, o); err != nil {
		return nil, fmt.Errorf("%s: %w", all, err)
	}
	sy.Warnings = append(append(sy.Warnings, doubts(kind, p, sy)...), counted(kind, sources, o)...)
	return sy, nil
}

func look(kind profile.Kind, p *profile.Profile, sy *model.Symptoms, o Options) error {
	switch kind {
	case profile.KindCPU:
		return lookAtCPU(p, sy, o)
	case profile.KindHeap:
		return lookAtHeap(p, sy, o)
	}
	return lookAtWaits(kind, p, sy, o)
}

// column returns the sample type that a kind is read by, and its unit.
func column(kind profile.Kind, p *profile.Profile) (typ, unit string) {
	types := p.Types()
	switch kind {
	case profile.KindCPU:
		return "cpu", "ns"
	case profile.KindHeap:
		if total, _, err := p.Total("alloc_space"); err == nil && (total > 0 || changes(p)) || !slices.Contains(types, "inuse_space") {
			return "alloc_space", "bytes"
		}
		return "inuse_space", "bytes"
	case profile.KindMutex, profile.KindBlock:
		return "delay", "ns"
	case profile.KindGoroutine, profile.KindLeak:
		return types[len(types)-1], "goroutines"
	}
	return "", ""
}

// nameless is how many samples of a program that ended at once may lie in code
// without names, such as what the kernel maps into each process.
const nameless = 3

func readable(p *profile.Profile, typ string, sy *model.Symptoms) error {
	traits, err := p.Traits(typ)
	switch {
	case err != nil:
		return err
	case traits.Nameless > 0.99 && sy.Samples <= nameless: // so few are said to be too few
		return nil
	case traits.Nameless > 0.99:
		return errors.New("the profile has addresses and no names of functions; if it is text, take it without debug=1; else add them with the program that it is of: go tool pprof -proto -output named.pprof PROGRAM PROFILE")
	case !p.IsGo():
		return errors.New("no function of the profile is of a Go file: pawl reads profiles of Go programs, from runtime/pprof or net/http/pprof")
	case traits.Nameless > 0.05:
		sy.Warnings = append(sy.Warnings, model.Warning{
			Seen:  fmt.Sprintf("%.0f %% of the profile has no names of functions", 100*traits.Nameless),
			Cause: "part of the program is not Go, or was stripped of its symbols",
			Try:   "go tool pprof -proto -output named.pprof PROGRAM PROFILE, where the program is at hand",
		})
	}
	return nil
}

// fewest is how many samples a signature needs.
const fewest = 5

// put adds what was seen of a signature to those that stand out, or to those
// that do not.
func put(sy *model.Symptoms, s model.Sign, part profile.Part) {
	if sig, ok := sign.Of(profile.Kind(sy.Kind), s.Name); ok {
		nameRules(sig, &s)
	}
	if s.Gain() >= s.Threshold && s.Amount >= s.Least && part.In >= fewest {
		sy.Signs = append(sy.Signs, s)
	} else {
		sy.Below = append(sy.Below, s)
	}
}

// byGain sorts signs: what could be gained first, and rest that may be meant
// to be so at the end.
func byGain(signs []model.Sign) {
	sorted.By(signs, func(a, b model.Sign) int {
		switch {
		case b.Idle && !a.Idle:
			return -1
		case a.Idle && !b.Idle:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Gain(), a.Gain()), cmp.Compare(a.Name, b.Name))
	})
}
