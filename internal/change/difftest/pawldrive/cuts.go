package pawldrive

import (
	"cmp"
	"reflect"
	"slices"
)

// A cutting is a text of a recorded input that ends early: what a parser looks for
// behind a mark is not there any more. Where a text is cut matters, so that all places
// have their turn, the shortest texts first.
type cutting struct {
	of        *input
	arg, site int
	n         int // bytes that are left
	from      int // and that there were
}

const (
	mostCuts  = 512 // of a function
	cutEvery  = 8   // inputs, one is a cutting
	longToCut = 48  // bytes
)

// cutUp notes the cuttings of a site.
func (m *mutator) cutUp(in *input, arg, site int) {
	s := m.sites[site]
	n := 0
	switch {
	case isBytes(s.t):
		n = len(*(*[]byte)(s.p))
	case s.t.Kind() == reflect.String:
		n = len(*(*string)(s.p))
	}
	if n > longToCut {
		return
	}
	for left := n - 1; left > 0; left-- {
		m.cuts = append(m.cuts, cutting{in, arg, site, left, n})
	}
}

// sortCuts orders the cuttings, and keeps as many as are driven.
func (m *mutator) sortCuts() {
	slices.SortStableFunc(m.cuts, func(a, b cutting) int { return cmp.Compare(a.from, b.from) })
	m.cuts = slices.Clip(m.cuts[:min(len(m.cuts), mostCuts)])
}

// cut returns the next cutting, one time in cutEvery, and nil otherwise.
func (m *mutator) cut() *input {
	m.made++
	at := m.made/cutEvery - 1
	if m.extreme || m.made%cutEvery != 0 || at >= len(m.cuts) {
		return nil
	}
	c := m.cuts[at]
	list, err := duplicate(c.of.args)
	if err != nil {
		return nil
	}
	m.reset(list, c.arg)
	if c.site >= len(m.sites) {
		return nil
	}
	s := m.sites[c.site]
	if isBytes(s.t) {
		b := (*[]byte)(s.p)
		*b = slices.Clip((*b)[:min(c.n, len(*b))])
	} else {
		text := (*string)(s.p)
		*text = (*text)[:min(c.n, len(*text))]
	}
	s.put()
	return &input{args: list, cand: c.of.cand, base: c.of.base, generated: true}
}
