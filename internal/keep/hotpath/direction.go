package hotpath

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Direction says which way is better, and what must not be lost.
type Direction struct {
	Benchmark string `json:"benchmark,omitempty"` // "" for each that the record's pattern selects
	Metric    string `json:"metric"`
	Op        Op     `json:"op"`
	// Limit is a number, such as objects or bytes per op, or with Relative a fraction
	// beyond the figure in the record, below it for AtLeast: 0 is that figure, 0.03
	// three per cent more, or less.
	Limit    float64 `json:"limit"`
	Relative bool    `json:"relative,omitempty"`
}

// An Op relates a figure to a limit.
type Op string

const (
	Equals  Op = "="
	AtMost  Op = "<="
	AtLeast Op = ">=" // of a metric that a benchmark reports
)

// String returns the direction as the value of its key.
func (d Direction) String() string {
	limit := number(d.Limit)
	switch {
	case d.Relative && d.Limit == 0:
		limit = "recorded"
	case d.Relative:
		limit = d.sign() + number(percent(d.Limit)) + "%"
	}
	s := d.Metric + " " + string(d.Op) + " " + limit
	if d.Benchmark != "" {
		s = d.Benchmark + " " + s
	}
	return s
}

// sign is that of a relative limit.
func (d Direction) sign() string {
	if d.Op == AtLeast {
		return "-"
	}
	return "+"
}

// percent returns a fraction in per cent without what the multiplication leaves
// behind the digits that somebody wrote.
func percent(x float64) float64 { return math.Round(x*100*1e6) / 1e6 }

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// operators are the ways in which people write the operators, longest first.
var operators = []struct {
	text string
	op   Op
}{
	{"must not be above", AtMost}, {"not above", AtMost}, {"at most", AtMost},
	{"at least", AtLeast}, {">=", AtLeast}, {"≥", AtLeast},
	{"must stay", Equals}, {"stays", Equals}, {"<=", AtMost}, {"≤", AtMost}, {"==", Equals}, {"=", Equals},
}

var errDirection = errors.New("a direction is [BENCHMARK] METRIC OP LIMIT, such as “allocs/op = 0”, “cpu/op <= +3%” or “B/op <= recorded”")

func ParseDirection(s string) (Direction, error) {
	var d Direction
	rest := strings.TrimSpace(s)
	word, after := cutWord(rest)
	if strings.HasPrefix(word, "Benchmark") {
		d.Benchmark, rest = word, strings.TrimSpace(after)
		word, after = cutWord(rest)
	}
	if i := strings.IndexAny(word, "=<≤>≥"); i > 0 { // written without blanks
		word, after = word[:i], rest[i:]
	}
	if word == "" {
		return d, errDirection
	}
	if err := metricError(word); err != nil {
		return d, fmt.Errorf("%w, of %s", err, strings.Join(metrics(), ", "))
	}
	d.Metric, rest = word, strings.TrimSpace(after)
	for _, o := range operators {
		if after, ok := strings.CutPrefix(rest, o.text); ok {
			d.Op, rest = o.op, strings.TrimSpace(after)
			break
		}
	}
	if d.Op == "" || rest == "" {
		return d, errDirection
	}
	return d, d.limit(strings.ReplaceAll(rest, " ", ""))
}

// metricError returns an error for a word that is no metric. What is none of
// pawl's may be one that a benchmark reports, unless it looks misspelt.
func metricError(word string) error {
	near := nearestMetric(word)
	switch {
	case slices.Contains(metrics(), word):
		return nil
	case word == "ns/op", word == "sec/op", distance([]rune(word), []rune(near)) <= 1, len([]rune(word)) > 60:
		return fmt.Errorf("%q is no metric: the nearest is %q", shorten(word), near)
	}
	return nil
}

// nearestMetric knows that testing's name for a time is none of pawl's.
func nearestMetric(word string) string {
	if word == "ns/op" || word == "sec/op" {
		return CPU
	}
	return nearest(word, metrics())
}

var (
	relativeForm = regexp.MustCompile(`^[-+−]([0-9]{1,6}(?:\.[0-9]{1,6})?)%$`)
	numberForm   = regexp.MustCompile(`^[0-9]{1,15}(?:\.[0-9]{1,6})?$`)
)

// limit reads the limit.
func (d *Direction) limit(s string) error {
	m := relativeForm.FindStringSubmatch(s)
	switch {
	case s == "recorded":
		d.Relative = true
	case m != nil:
		x, _ := strconv.ParseFloat(m[1], 64) // the form allows nothing else
		d.Limit, d.Relative = x/100, true
		if (s[0] == '+') == (d.Op == AtLeast) {
			return fmt.Errorf("%s with %s allows nothing worse: write “<= +3%%”, or “>= -3%%” where more is better", d.Op, shorten(s))
		}
	case !numberForm.MatchString(s):
		return fmt.Errorf("%q is no limit: write a number, “recorded”, or +3%% for three per cent above the recorded figure", shorten(s))
	case IsTime(d.Metric):
		return fmt.Errorf("%s has a limit of %s, and a time holds on one machine only: write it relative to the record, such as +3%%", d.Metric, shorten(s))
	default:
		d.Limit, _ = strconv.ParseFloat(s, 64)
	}
	if d.Op == Equals && d.Relative && d.Limit != 0 {
		return errors.New("= takes a number or “recorded”; for a limit in per cent write <=")
	}
	if d.Op == AtLeast && slices.Contains(metrics(), d.Metric) {
		return fmt.Errorf("less is better of %s: write <=", d.Metric)
	}
	if d.Op == Equals && IsTime(d.Metric) {
		return fmt.Errorf("no two runs take the same time: write <= for %s", d.Metric)
	}
	return nil
}

// cutWord splits off the first word.
func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}
