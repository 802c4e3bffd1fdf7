package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Counter is a counter of a page of Prometheus' text that a user names: of all its
// lines, or of those with some labels.
type Counter struct {
	text   string
	name   string
	labels []label
}

// ParseCounter reads a name, with labels or without: requests_total{code="200"}.
func ParseCounter(text string) (Counter, error) {
	var s sample
	if err := s.parse(text + " 0"); err != nil {
		return Counter{}, fmt.Errorf("%q is no counter: %w; write it like requests_total or requests_total{code=\"200\"}", text, err)
	}
	return Counter{text: text, name: s.name, labels: slices.Clone(s.labels)}, nil
}

// Sum adds up the lines of a page that are meant. It is an error where there is none.
func (c Counter) Sum(page []byte) (float64, error) {
	sum, lines := 0.0, 0
	err := samples(string(page), func(s sample) {
		if s.name == c.name && !slices.ContainsFunc(c.labels, func(l label) bool { v, ok := s.label(l.name); return !ok || v != l.value }) {
			sum += s.value
			lines++
		}
	})
	switch {
	case err != nil && strings.HasPrefix(strings.TrimSpace(string(page[:min(len(page), 64)])), "<"):
		return 0, errors.New("it is a page of HTML: metrics have their own address, such as /metrics")
	case err != nil:
		return 0, err
	case lines == 0:
		return 0, fmt.Errorf("the page has no %s", c.text)
	case math.IsNaN(sum) || math.IsInf(sum, 0) || sum < 0:
		return 0, fmt.Errorf("%s is %v, which no counter can be", c.text, sum)
	}
	return sum, nil
}

// Restarted reports whether the program was started again between two readings with
// these values: a counter that cannot fall has done so, or it says that it was
// started at another time.
func Restarted(before, after map[string]float64) bool {
	for _, key := range []string{cycles, allocBytes, allocObjects, processCPU} {
		a, ok1 := before[key]
		b, ok2 := after[key]
		if ok1 && ok2 && b < a {
			return true
		}
	}
	a, ok1 := before[started]
	b, ok2 := after[started]
	return ok1 && ok2 && (b-a > 1 || a-b > 1)
}

// Names returns the names of all samples on a page of Prometheus' text.
func Names(page []byte) (map[string]bool, error) {
	names := map[string]bool{}
	err := samples(string(page), func(s sample) { names[s.name] = true })
	return names, err
}
