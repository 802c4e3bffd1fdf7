package pawldrive

import (
	"cmp"
	"reflect"
	"slices"
	"time"
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

// A dating is a place of a recorded input for an awkward moment. What an input asks of a
// time, as a format does, matters as much as the time, so that all have their turn.
type dating struct {
	of        *input
	arg, site int
	moment    int
}

const (
	mostCuts  = 512 // of a function
	cutEvery  = 8   // inputs, one is a cutting
	longToCut = 48  // bytes
)

// cutUp notes the cuttings of a site, or its datings.
func (m *mutator) cutUp(in *input, arg, site int) {
	s := m.sites[site]
	n := 0
	switch {
	case s.t == timeType:
		for i := range awkward {
			m.dates = append(m.dates, dating{in, arg, site, i})
		}
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

// sortCuts orders the cuttings and the datings, and keeps as many as are driven.
func (m *mutator) sortCuts() {
	slices.SortStableFunc(m.dates, func(a, b dating) int { return cmp.Compare(a.moment, b.moment) })
	slices.SortStableFunc(m.cuts, func(a, b cutting) int { return cmp.Compare(a.from, b.from) })
	m.cuts = slices.Clip(m.cuts[:min(len(m.cuts), mostCuts)])
}

// cut returns the next cutting, one time in cutEvery, as often the next dating, and nil otherwise.
func (m *mutator) cut() *input {
	m.made++
	at := m.made/cutEvery - 1
	switch {
	case m.extreme || at < 0:
	case m.made%cutEvery == 0 && at < len(m.cuts):
		c := m.cuts[at]
		return m.varied(c.of, c.arg, c.site, c.shorten)
	case m.made%cutEvery == cutEvery/2 && at < len(m.dates):
		d := m.dates[at]
		return m.varied(d.of, d.arg, d.site, func(s site) { *(*time.Time)(s.p) = awkward[d.moment] })
	}
	return nil
}

// shorten cuts a text.
func (c cutting) shorten(s site) {
	if isBytes(s.t) {
		b := (*[]byte)(s.p)
		*b = slices.Clip((*b)[:min(c.n, len(*b))])
	} else {
		text := (*string)(s.p)
		*text = (*text)[:min(c.n, len(*text))]
	}
}

// varied returns a recorded input with another value at one place.
func (m *mutator) varied(of *input, arg, at int, edit func(site)) *input {
	list, err := duplicate(of.args)
	if err != nil {
		return nil
	}
	m.reset(list, arg)
	if at >= len(m.sites) {
		return nil
	}
	edit(m.sites[at])
	m.sites[at].put()
	return &input{args: list, cand: of.cand, base: of.base, generated: true}
}
