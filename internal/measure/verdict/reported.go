package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A Better is which way of a metric is better; empty where nobody says.
type Better string

// The directions of a metric that a benchmark reports.
const (
	Lower   Better = "lower"
	Higher  Better = "higher"
	Ignored Better = "ignore" // it is left out
)

// Directions say which way is better, by the unit of a metric.
type Directions map[string]Better

// ParseDirection reads "UNIT:lower", "UNIT:higher" or "UNIT:ignore". A unit may
// hold colons itself.
func ParseDirection(s string) (unit string, b Better, err error) {
	i := strings.LastIndexByte(s, ':')
	if i < 1 || strings.ContainsFunc(s[:i], func(r rune) bool { return r <= ' ' }) {
		return "", "", fmt.Errorf("%q is no metric with its direction: write it as 'p99-ns:lower', 'ops/s:higher' or 'UNIT:ignore'", s)
	}
	switch unit, b = s[:i], Better(s[i+1:]); b {
	case Lower, Higher, Ignored:
		return unit, b, nil
	}
	return "", "", fmt.Errorf("%q is no direction of %s: write lower, higher or ignore", b, unit)
}

// Of returns the direction of a unit: the one that is given, or for the units of
// time, memory and throughput that everybody reads alike the one that they have.
func (d Directions) Of(unit string) Better {
	if b, ok := d[unit]; ok {
		return b
	}
	return usual(unit)
}

// The units that have one direction everywhere, by the last word of what stands
// before the slash.
var (
	costs = strings.Fields("ns us µs ms s sec secs seconds b kb mb gb kib mib gib bytes allocs")
	flows = strings.Fields("b kb mb gb kib mib gib bytes bits op ops req reqs requests query queries qps rps tps row rows record records msg msgs messages event events item items line lines tx txs txns packets")
)

// usual is the direction of a unit such as ns/msg, p99-ms, peak-MB, MB/s or req/s.
func usual(unit string) Better {
	head, per, _ := strings.Cut(strings.ToLower(unit), "/")
	last := head[strings.LastIndexAny(head, "-_:. ")+1:]
	switch {
	case per == "s" || per == "sec" || per == "second":
		if slices.Contains(flows, last) {
			return Higher
		}
	case slices.Contains([]string{"qps", "rps", "tps"}, last):
		return Higher
	case slices.Contains(costs, last):
		return Lower
	}
	return ""
}

// A Reported is a metric that a benchmark reports, with its direction.
type Reported struct {
	Unit   string
	Better Better
}

// ReportedIn lists the metrics that any of the samples has, by unit, without those
// that are ignored.
func (d Directions) ReportedIn(pairs [][2]model.Sample) []Reported {
	var out []Reported
	for _, pair := range pairs {
		for _, s := range pair {
			for unit := range s.Metrics {
				r := Reported{unit, d.Of(unit)}
				if r.Better != Ignored && !slices.Contains(out, r) {
					out = append(out, r)
				}
			}
		}
	}
	sorted.By(out, func(a, b Reported) int { return strings.Compare(a.Unit, b.Unit) })
	return out
}

// Judged counts the metrics that have a direction, and so a part of the error rate.
func Judged(ms []Reported) int {
	n := 0
	for _, m := range ms {
		if m.Better != "" {
			n++
		}
	}
	return n
}

// LogRatio returns ln(candidate ÷ base) of what the metric costs: more is worse,
// whichever way the metric goes.
func (r Reported) LogRatio(pair [2]model.Sample) (float64, error) {
	b, c := pair[0].Metrics[r.Unit], pair[1].Metrics[r.Unit]
	if !(b > 0) || !(c > 0) {
		return 0, &NoRatio{r.Unit, b, c}
	}
	if r.Better == Higher {
		b, c = c, b
	}
	return math.Log(c / b), nil
}

// A NoRatio is the error for figures that have no ratio.
type NoRatio struct {
	Unit      string
	Base, Now float64
}

func (n *NoRatio) Error() string {
	return fmt.Sprintf("%s was %s and %s in one pair of runs, and only figures above zero have a ratio that can be judged", n.Unit, words.Plain(n.Base), words.Plain(n.Now))
}

// apartByChance returns the probability that of 2n figures of one kind, n of them drawn for each side, all that are
// alike fall on one side (permutation test): 1 in 126 for five pairs.
func apartByChance(n int) float64 {
	p := 2.0
	for i := 1; i <= n; i++ {
		p *= float64(i) / float64(n+i)
	}
	return p
}

// Exactly compares figures that repeat, and says what is left open otherwise. It
// returns false where more pairs, or the judge, can say more.
//
// A difference is claimed where each side repeats its figure in so many pairs that
// chance would bring them all to one side with a probability of alpha at most:
// a figure of a clock that ticks slowly may repeat a few times, and yet vary.
func (r Reported) Exactly(pairs [][2]model.Sample, alpha float64) (model.Reported, bool) {
	out := model.Reported{Unit: r.Unit, Better: string(r.Better), Standing: model.Open}
	var xs, ys []float64
	for _, p := range pairs {
		x, had := p[0].Metrics[r.Unit]
		y, has := p[1].Metrics[r.Unit]
		if had && has {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	out.Before, out.After = Median(xs), Median(ys)
	if n := len(pairs); n == 0 || len(xs) < n {
		out.Why = fmt.Sprintf("%s was reported on both sides in %d of %s of runs", r.Unit, len(xs), words.Plural(n, "pair"))
		return out, len(xs) == 0 || n >= judge.ConfirmRuns
	}
	out.Exact = repeats(xs) && repeats(ys)
	equal := near(out.Before, out.After)
	needs := 1
	for apartByChance(needs) > alpha {
		needs++
	}
	change := fmt.Sprintf("%s %s → %s", r.Unit, words.Plain(out.Before), words.Plain(out.After))
	switch {
	case out.Exact && equal && len(xs) >= judge.ConfirmRuns:
		out.Standing, out.Why = model.Clean, fmt.Sprintf("%s stays %s", r.Unit, words.Plain(out.After))
		return out, true
	case out.Exact && equal:
		out.Why = fmt.Sprintf("%s is %s in %s of runs: too few to show that it repeats", r.Unit, words.Plain(out.After), words.Plural(len(xs), "pair"))
		return out, false
	case r.Better == "":
		out.Why = fmt.Sprintf("%s is not judged: which way is better is not known; say -metric '%s:lower', higher or ignore", change, r.Unit)
		return out, true
	case !out.Exact:
		out.Why = change + " varies from run to run, and was not judged"
		return out, false
	case len(xs) < max(needs, judge.ConfirmRuns):
		out.Why = fmt.Sprintf("%s in %s of runs: too few to show that it repeats", change, words.Plural(len(xs), "pair"))
		return out, false
	}
	out.Standing, out.Why = model.Improved, change
	if (out.After > out.Before) == (r.Better == Lower) {
		out.Standing = model.Regressed
	}
	return out, true
}

// repeats reports whether figures are one, but for the last digits of a float.
func repeats(xs []float64) bool { return near(slices.Min(xs), slices.Max(xs)) }

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y)) }

// ReadReported adds to what is known of a metric what the judge said of it. The
// answer is one about its cost, as LogRatio has it.
func (r Rules) ReadReported(m model.Reported, a Answer) model.Reported {
	v := a.Verdict
	if m.Better == string(Higher) {
		v = reciprocal(v)
	}
	m.Verdict = &v
	so := m.Unit + " " + words.Signed(v.Change) + Interval(v)
	switch {
	case r.slower(a):
		m.Standing, m.Why = model.Regressed, so+", worse"
	case r.open(a):
		m.Standing, m.Why = model.Open, fmt.Sprintf("%s after %s is still open", so, words.Plural(v.Units, unitOf(a)))
		if a.Lacks != "" {
			m.Why += ": " + a.Lacks
		}
	case v.Answer == model.Faster:
		m.Standing, m.Why = model.Improved, so+", better"
	case v.Answer == model.Slower:
		m.Standing, m.Why = model.Clean, fmt.Sprintf("%s, worse by less than %s", so, words.Percent(r.Judge.MinEffect))
	default:
		m.Standing, m.Why = model.Clean, fmt.Sprintf("%s: a loss of %s or more is excluded", so, words.Percent(r.Judge.MinEffect))
	}
	return m
}

func unitOf(a Answer) string {
	if a.Linked {
		return "pair of fresh links"
	}
	return "pair"
}

// reciprocal turns a verdict on base ÷ candidate into one on candidate ÷ base. An
// open end stays open.
func reciprocal(v model.Verdict) model.Verdict {
	turn := func(x float64) float64 {
		if x <= -1 {
			return judge.MaxHi
		}
		if x >= judge.MaxHi {
			return -1
		}
		return 1/(1+x) - 1
	}
	v.Change, v.Lo, v.Hi = turn(v.Change), turn(v.Hi), turn(v.Lo)
	v.Course = nil // it is of the cost
	return v
}
