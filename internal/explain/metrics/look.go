package metrics

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A look is at all that was read, by key. Where several pages have a figure,
// the first one counts, from its first reading to its last.
type look struct {
	all []*series
	out *model.RuntimeMetrics
}

// with returns the first series whose first and last reading have a key.
func (l *look) with(key string) (first, last *Reading, ok bool) {
	for _, s := range l.all {
		_, ok1 := s.readings[0].Values[key]
		_, ok2 := s.last().Values[key]
		if ok1 && ok2 {
			return s.readings[0], s.last(), true
		}
	}
	return nil, nil, false
}

// level returns the last value, and the first.
func (l *look) level(key string) (last, first float64, ok bool) {
	a, b, ok := l.with(key)
	if !ok {
		return 0, 0, false
	}
	return b.Values[key], a.Values[key], true
}

// grew returns by how much a counter grew, and in how many seconds. It is not
// ok where there is one reading, or the counter fell.
func (l *look) grew(key string) (by, seconds float64, ok bool) {
	a, b, ok := l.with(key)
	if !ok {
		return 0, 0, false
	}
	by, seconds = b.Values[key]-a.Values[key], b.At.Sub(a.At).Seconds()
	return by, seconds, by >= 0 && seconds > 0
}

// shareOf returns what part of the growth of some counters that of another is.
// All are taken from one page; it is not ok where they did not grow.
func (l *look) shareOf(part func(grew func(string) float64) float64, whole func(grew func(string) float64) float64, keys ...string) (share float64, ok bool) {
	for _, s := range l.all {
		a, b := s.readings[0], s.last()
		if slices.ContainsFunc(keys, func(k string) bool {
			v1, ok1 := a.Values[k]
			v2, ok2 := b.Values[k]
			return !ok1 || !ok2 || v2 < v1
		}) {
			continue
		}
		grew := func(k string) float64 { return b.Values[k] - a.Values[k] }
		if all := whole(grew); all > 0 {
			return min(1, max(0, part(grew)/all)), true
		}
	}
	return 0, false
}

// during returns what was added to a histogram.
func (l *look) during(key string) (h Histogram, ok bool) {
	for _, s := range l.all {
		a, ok1 := s.readings[0].Hists[key]
		b, ok2 := s.last().Hists[key]
		if ok1 && ok2 && len(s.readings) > 1 {
			if h, ok := b.since(a); ok && h.total() > 0 {
				return h, true
			}
		}
	}
	return Histogram{}, false
}

// rising reports whether a level was higher at each reading than at the one
// before, of three or more.
func (l *look) rising(key string) bool {
	for _, s := range l.all {
		n := 0
		for i, r := range s.readings {
			v, ok := r.Values[key]
			if !ok || i > 0 && v <= s.readings[i-1].Values[key] {
				n = 0
				break
			}
			n++
		}
		if n >= 3 {
			return true
		}
	}
	return false
}

// growing reports whether a level rose, and was lower at none of three readings
// or more than at the one before. It is for levels that move in steps.
func (l *look) growing(key string) bool {
	for _, s := range l.all {
		n := 0
		for i, r := range s.readings {
			v, ok := r.Values[key]
			if !ok || i > 0 && v < s.readings[i-1].Values[key] {
				n = 0
				break
			}
			n++
		}
		if n >= 3 && s.last().Values[key] > s.readings[0].Values[key] {
			return true
		}
	}
	return false
}

// from is the form of the page that has a key.
func (l *look) from(key string) string {
	for _, s := range l.all {
		_, value := s.last().Values[key]
		_, hist := s.last().Hists[key]
		if value || hist {
			return s.last().Form
		}
	}
	return ""
}

func (l *look) figure(name string) (model.Metric, bool) {
	i := slices.IndexFunc(l.out.Figures, func(m model.Metric) bool { return m.Name == name })
	if i < 0 {
		return model.Metric{}, false
	}
	return l.out.Figures[i], true
}
