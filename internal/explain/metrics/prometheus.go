package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A sample is a line of the text format of Prometheus. It is only valid until
// the next one is read.
type sample struct {
	name   string
	labels []label
	value  float64
}

type label struct{ name, value string }

func (s sample) label(name string) (string, bool) {
	for _, l := range s.labels {
		if l.name == name {
			return l.value, true
		}
	}
	return "", false
}

// whose are the labels but those that tell the lines of one family apart.
func (s sample) whose() string {
	var b strings.Builder
	for _, l := range s.labels {
		if l.name != "le" && l.name != "quantile" {
			b.WriteString(l.name + "=" + strconv.Quote(l.value) + ",")
		}
	}
	return b.String()
}

// samples reads text in the format of Prometheus, or in that of OpenMetrics, and
// calls visit for each sample. Time stamps and exemplars are passed over.
func samples(text string, visit func(sample)) error {
	var s sample
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.Trim(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.parse(line); err != nil {
			return fmt.Errorf("line %d is no metric: %w", n, err)
		}
		visit(s)
	}
	return nil
}

func (s *sample) parse(line string) error {
	s.labels = s.labels[:0]
	i := strings.IndexAny(line, "{ \t")
	if i < 0 {
		return errors.New("it has no value")
	}
	s.name = line[:i]
	rest := line[i:]
	if rest[0] == '{' {
		var err error
		if rest, err = s.parseLabels(rest[1:]); err != nil {
			return err
		}
	}
	if !validName(s.name) {
		return errors.New("its name is none")
	}
	f := strings.Fields(rest)
	if len(f) == 0 {
		return errors.New("it has no value")
	}
	v, err := strconv.ParseFloat(f[0], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return errors.New("its value is no number")
	}
	s.value = v
	return nil
}

// validName allows what any language's client writes, quoted names with dots
// included.
func validName(name string) bool {
	return name != "" && !strings.ContainsAny(name, "\"{},=<>() \t")
}

// parseLabels reads what is between the braces and returns what follows. A
// quoted string without a value is the metric's name.
func (s *sample) parseLabels(text string) (rest string, err error) {
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			return "", errors.New("its labels do not end")
		}
		if text[0] == '}' {
			return text[1:], nil
		}
		var name string
		if text[0] == '"' {
			if name, text, err = quoted(text); err != nil {
				return "", err
			}
			text = strings.TrimLeft(text, " \t")
			if !strings.HasPrefix(text, "=") {
				s.name = name
				continue
			}
		} else {
			i := strings.IndexByte(text, '=')
			if i <= 0 {
				return "", errors.New("a label has no value")
			}
			name, text = strings.TrimRight(text[:i], " \t"), text[i:]
		}
		text = strings.TrimLeft(text[1:], " \t")
		var value string
		if value, text, err = quoted(text); err != nil {
			return "", err
		}
		s.labels = append(s.labels, label{name, value})
	}
}

// quoted reads a string in quotation marks.
func quoted(text string) (value, rest string, err error) {
	if text == "" || text[0] != '"' {
		return "", "", errors.New("a label's value is not quoted")
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			value = text[1:i]
			if strings.IndexByte(value, '\\') >= 0 {
				value = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(value)
			}
			return value, text[i+1:], nil
		}
	}
	return "", "", errors.New("a quotation does not end")
}

// prometheus reads a page of metrics. It is an error when they are of several
// programs, as on a page that collects them.
func prometheus(text string) (*Reading, error) {
	p := newPage()
	if err := samples(text, p.take); err != nil {
		return nil, err
	}
	if len(p.others) > 0 {
		return nil, fmt.Errorf("it has metrics of several programs (%s and %s): name the address of one",
			cmp.Or(strings.TrimSuffix(p.whose, ","), "no label"), strings.TrimSuffix(p.others, ","))
	}
	return p.reading(), nil
}

// A page is metrics being read.
type page struct {
	out    *Reading
	byName map[string]alias
	rank   map[string]int // by key: which of its names was taken
	bounds map[string][][2]float64
	whose  string // the labels of the first sample of the runtime
	seen   bool
	others string // those of another program
}

// An alias is a name of a figure; the least rank counts.
type alias struct {
	name
	rank int
}

func newPage() *page {
	p := &page{out: newReading("prometheus"), byName: map[string]alias{}, rank: map[string]int{}, bounds: map[string][][2]float64{}}
	for _, n := range names() {
		for i, prom := range append(slices.Clone(n.prom), promName(n.key, n.kind)) {
			if prom != "" {
				p.byName[prom] = alias{n, i}
			}
		}
	}
	return p
}

func (p *page) take(s sample) {
	base, bucket := strings.CutSuffix(s.name, "_bucket")
	if s.name == "go_info" {
		p.out.Go, _ = s.label("version")
	}
	a, ok := p.byName[base]
	switch {
	case !ok || bucket != (a.kind == histogram) || bucket && !cumulative(s) || !p.same(s):
	case bucket:
		p.bucket(a.key, s)
	case a.key == pauseLast:
		if q, _ := s.label("quantile"); q == "1" && !math.IsNaN(s.value) { // before the first cycle there is none
			p.out.put(a.key, s.value)
		}
	default:
		if r, taken := p.rank[a.key]; taken && r <= a.rank {
			return
		}
		p.rank[a.key] = a.rank
		p.out.put(a.key, s.value)
	}
}

// cumulative reports whether a bucket is of a histogram as the format has it:
// some clients write others.
func cumulative(s sample) bool {
	_, ok := s.label("le")
	return ok
}

// same reports whether a sample is of the same program as those before.
func (p *page) same(s sample) bool {
	w := s.whose()
	if !p.seen {
		p.whose, p.seen = w, true
	}
	if w != p.whose && p.others == "" {
		p.others = w
		if w == "" {
			p.others = "no label"
		}
	}
	return w == p.whose
}

// bucket keeps a cumulative count by its upper bound.
func (p *page) bucket(key string, s sample) {
	le, _ := s.label("le")
	bound, err := strconv.ParseFloat(le, 64)
	if err != nil && !math.IsInf(bound, 0) || len(p.bounds[key]) >= mostBuckets {
		p.out.odd(key)
		return
	}
	p.bounds[key] = append(p.bounds[key], [2]float64{bound, s.value})
}

func (p *page) reading() *Reading {
	for key, bounds := range p.bounds {
		h := Histogram{Buckets: []float64{math.Inf(-1)}}
		before := 0.0
		for _, b := range bounds {
			h.Buckets = append(h.Buckets, b[0])
			h.Counts = append(h.Counts, b[1]-before)
			before = b[1]
		}
		if !h.valid() {
			p.out.odd(key)
			continue
		}
		p.out.Hists[key] = h
	}
	return p.out
}
