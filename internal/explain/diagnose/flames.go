package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Flames returns the flame graphs of profiles by their kind: of heap profiles
// what was allocated and what is live, of the others one. Profiles of a kind
// are added up. With base, those of the same kind there are the other side;
// values are then shares of each side, for profiles do not say how much a
// program did. Kinds without samples have none.
func Flames(sources, base []profile.Source, o Options) (map[string][]model.Flame, error) {
	out := map[string][]model.Flame{}
	for _, kind := range []profile.Kind{profile.KindCPU, profile.KindHeap, profile.KindMutex, profile.KindBlock, profile.KindGoroutine} {
		p, names, err := merged(kind, sources)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		before, beforeNames, err := merged(kind, base)
		if err != nil {
			return nil, err
		}
		first, second := p, (*profile.Profile)(nil)
		if before != nil {
			first, second, names = before, p, beforeNames+" → "+names
		}
		for _, fo := range flameTypes(kind, p, before) {
			if total, _, err := p.Total(fo.Type); err != nil {
				return nil, fmt.Errorf("%s: %w", names, err)
			} else if total == 0 {
				continue
			}
			fo.Title, fo.Module = names, o.ofProgram
			fl, err := profile.NewFlame(first, second, fo)
			if err != nil {
				return nil, err
			}
			out[string(kind)] = append(out[string(kind)], *fl)
		}
	}
	return out, nil
}

// merged adds up the sources of a kind and names them; nil where there are
// none.
func merged(kind profile.Kind, sources []profile.Source) (*profile.Profile, string, error) {
	var ps []*profile.Profile
	var names []string
	for _, s := range sources {
		if s.Profile.Kind() == kind {
			ps, names = append(ps, s.Profile), append(names, s.Name)
		}
	}
	all := strings.Join(names, ", ")
	if len(ps) < 2 {
		return cmp.Or(ps...), all, nil
	}
	p, err := profile.Merge(ps...)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", all, err)
	}
	return p, all, nil
}

// ofProgram reports whether a function is the program's own, and without Own
// whether it is of any module.
func (o Options) ofProgram(symbol string) bool {
	if o.Own == "" {
		return !profile.Standard(symbol)
	}
	return o.owns(symbol)
}

// flameTypes are the types of samples that a kind has a flame graph of. Before
// may be nil.
func flameTypes(kind profile.Kind, p, before *profile.Profile) []profile.FlameOptions {
	switch kind {
	case profile.KindHeap:
		var out []profile.FlameOptions
		for _, typ := range []string{"alloc_space", "alloc_objects", "inuse_space"} {
			if typ == "inuse_space" && (changes(p) || before != nil && changes(before)) {
				continue
			}
			if slices.Contains(p.Types(), typ) {
				out = append(out, profile.FlameOptions{Type: typ})
			}
		}
		return out
	case profile.KindMutex, profile.KindBlock:
		return []profile.FlameOptions{{Type: "delay", Resource: string(kind)}}
	}
	typ, _ := column(kind, p)
	return []profile.FlameOptions{{Type: typ}}
}
