package diagnose

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

const (
	inObjects = "objects"
	inSpace   = "bytes"
	inUse     = "live"
)

// bigLine is the share from which a line holds much of a whole.
const bigLine = 0.05

// changes reports whether a heap profile is of what changed in a stretch of
// time, as with the parameter seconds, or the difference of two. Its live side
// says nothing by itself then: it is below zero for objects that were made
// before and have gone meanwhile.
func changes(p *profile.Profile) bool {
	if p.Seconds() > 0 {
		return true
	}
	_, _, err := p.Total("inuse_space")
	return err != nil && slices.Contains(p.Types(), "inuse_space")
}

// lookAtHeap looks for lines that hold much of a heap profile.
func lookAtHeap(p *profile.Profile, sy *model.Symptoms, o Options) error {
	for _, c := range []struct{ name, typ, unit string }{
		{inObjects, "alloc_objects", "objects"},
		{inSpace, "alloc_space", "bytes"},
		{inUse, "inuse_space", "bytes"},
	} {
		if !slices.Contains(p.Types(), c.typ) || c.name == inUse && changes(p) {
			continue
		}
		if err := heapLines(p, sy, o, c.name, c.typ, c.unit); err != nil {
			return err
		}
	}
	byGain(sy.Signs)
	byGain(sy.Below)
	return nil
}

func heapLines(p *profile.Profile, sy *model.Symptoms, o Options, name, typ, unit string) error {
	total, _, err := p.Total(typ)
	if err != nil || total == 0 {
		return err
	}
	all := newCallers()
	err = p.Stacks(typ, func(stack []model.Frame, value float64) {
		if at, via, ok := o.line(stack); ok {
			all.add(at, via, value)
		}
	})
	if err != nil {
		return err
	}
	big := newCallers()
	for l, sum := range all.byLine {
		if sum.value >= bigLine*total {
			big.byLine[l] = sum
		}
	}
	parts, err := p.Parts(typ, func(stack []model.Frame) string {
		at, _, ok := o.line(stack)
		if _, in := big.byLine[line{at.Func, at.File, at.Line}]; ok && in {
			return name
		}
		return own
	})
	if err != nil || len(big.byLine) == 0 {
		return err
	}
	sig, _ := sign.Of(profile.KindHeap, name)
	part := parts[name]
	s := seen(sig)
	s.Share, s.Lo, s.Hi, s.Unit, s.Amount = part.Share, part.Lo, part.Hi, unit, part.Share*total
	big.put(&s, total)
	put(sy, s, part)
	return nil
}
