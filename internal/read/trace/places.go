package trace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

func (c *collector) order() []site {
	return sorted.Of(maps.Keys(c.sites), func(a, b site) int {
		return cmp.Or(cmp.Compare(c.sites[b].longest, c.sites[a].longest), cmp.Compare(a.cause, b.cause), cmp.Compare(a.kind, b.kind), cmp.Compare(a.stack, b.stack), boolOrder(a.own, b.own))
	})
}

// A spot is the sites that share a line outside the standard library: the ways
// to a line are many, and the line is one.
type spot struct {
	site // with the longest wait
	waits
}

// A line is what the sites of a spot share. Sites without a line of their own
// share the function that they were started as, and the innermost frame.
type line struct {
	cause cause
	at    frame
	group *group
}

// spots returns the places of the program's waits, the one with the longest
// wait first.
func (c *collector) spots() []*spot {
	var out []*spot
	at := make(map[line]*spot)
	for _, key := range c.order() {
		t := c.sites[key]
		if !key.own || t.group.known().runtime || t.longest == 0 || key.cause == causeOther && t.group.nameless() {
			continue
		}
		where := c.line(key, t)
		s, ok := at[where]
		if !ok {
			s = &spot{site: key}
			at[where] = s
			out = append(out, s)
		}
		s.merge(t.waits)
	}
	return out
}

func (c *collector) line(key site, t *tally) line {
	st := &c.stacks.all[key.stack]
	l := line{cause: key.cause}
	switch home := st.home(); {
	case home >= 0:
		l.at = st.frames[home]
		l.at.pc = 0 // one line has several
	case len(st.frames) > 0:
		l.at, l.group = st.frames[0], t.group.known()
	default:
		l.group = t.group.known()
	}
	return l
}

func (c *collector) stalls(spots []*spot) []model.TracePlace {
	out := []model.TracePlace{}
	for _, s := range spots[:min(len(spots), topStalls)] {
		out = append(out, c.place(s))
	}
	return out
}

// places returns, of each cause, the places with most of the time.
func (c *collector) places(spots []*spot) [numCauses][]model.TracePlace {
	var out [numCauses][]model.TracePlace
	byTotal := slices.SortedStableFunc(slices.Values(spots), func(a, b *spot) int { return cmp.Compare(b.total, a.total) })
	for _, s := range byTotal {
		if len(out[s.cause]) < topPlaces {
			out[s.cause] = append(out[s.cause], c.place(s))
		}
	}
	return out
}

func (c *collector) place(s *spot) model.TracePlace {
	t, at := c.sites[s.site], &c.stacks.all[s.stack]
	by := t.group.known()
	return model.TracePlace{
		Cause: causes[s.cause].name, Reason: t.reason, Func: by.name, By: by.by,
		Goroutine: int64(t.goroutine), AtNs: int64(t.at - c.start), Stack: at.model(), Home: at.home(), Waits: s.model(),
	}
}
