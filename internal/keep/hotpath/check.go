package hotpath

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// ReportSchema is the version of the JSON form of a Report and of records.
const ReportSchema = 1

// A Standing is what a check says about a record, or of one part of it.
type Standing string

// The standings, the best first.
const (
	Holds  Standing = "holds"
	Open   Standing = "undecided" // it could not be told
	NotRun Standing = "not run"   // a guardrail or a benchmark could not be run
	Broken Standing = "broken"    // a guardrail failed, or an exact direction is not kept
)

// worse returns the worse of two standings.
func worse(a, b Standing) Standing {
	rank := map[Standing]int{Holds: 0, Open: 1, NotRun: 2, Broken: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// Now is what one benchmark does on the tree that is checked.
type Now struct {
	Benchmark string
	Counts    map[string]Range // by metric; a metric that was not measured is not in it
	// Times are verdicts on times against a base, by metric. Change, Lo and Hi
	// are relative to that base, and Base says what it is.
	Times  map[string]model.Verdict
	Base   string
	Failed string // why it gave no figures
}

// A Range is a count as it was seen: the least and the most of several runs,
// which are the same for a count that repeats exactly. Tolerance is what the
// runtime itself may add.
type Range struct{ Lo, Hi, Tolerance float64 }

// A Measurer measures the benchmarks of a record on the tree that is checked: all that
// its pattern selects now.
type Measurer interface {
	Measure(ctx context.Context, r Record) ([]Now, error)
}

// A CheckOptions says what is checked, and where.
type CheckOptions struct {
	Records []Record
	Dir     string       // the module's directory in a copy of the tree: guardrails run there
	Env     []string     // their whole environment
	Meter   *gocmd.Meter // may be nil
	// Measure may be nil: then directions are left out, and only the places are
	// looked for and the guardrails run.
	Measure Measurer
	// Partial leaves out directions that Measure has no figures for, instead of
	// calling them undecided.
	Partial bool
	Stage   func(name, detail string) // is told what is being done; may be nil
}

// A Report is what a check found.
type Report struct {
	Schema   int             `json:"schema"`
	Tool     string          `json:"tool,omitempty"`
	Module   string          `json:"module,omitempty"`
	Records  []Checked       `json:"records"`
	Warnings []model.Warning `json:"warnings,omitempty"`
	Stopped  string          `json:"stopped,omitempty"`
}

// A Checked is one record.
type Checked struct {
	Name       string            `json:"name"`
	File       string            `json:"file"`
	Standing   Standing          `json:"standing"`
	Place      Found             `json:"place"`
	Guards     []GuardResult     `json:"guards,omitempty"`
	Directions []DirectionResult `json:"directions,omitempty"`
	// Error is why its benchmarks could not be measured, in the words of what
	// could not do it; the guardrails ran all the same.
	Error    string          `json:"error,omitempty"`
	Warnings []model.Warning `json:"warnings,omitempty"`
}

// A DirectionResult is what became of one direction on one benchmark.
type DirectionResult struct {
	Direction Direction `json:"direction"`
	Benchmark string    `json:"benchmark,omitempty"`
	Standing  Standing  `json:"standing"`
	Why       string    `json:"why"`
	Try       string    `json:"try,omitempty"`
}

// Standing is that of the worst record.
func (r *Report) Standing() Standing {
	s := Holds
	for _, c := range r.Records {
		s = worse(s, c.Standing)
	}
	return s
}

func (r *Report) count(s Standing) int {
	n := 0
	for _, c := range r.Records {
		if c.Standing == s {
			n++
		}
	}
	return n
}

// Answer is what the report says, in one line.
func (r *Report) Answer() string {
	n := len(r.Records)
	t := ""
	switch s := r.Standing(); {
	case n == 0:
		t = "no records"
	case s == Holds:
		t = fmt.Sprintf("holds: %s", words.Plural(n, "record"))
	default:
		t = fmt.Sprintf("%s: %d of %s", s, r.count(s), words.Plural(n, "record"))
	}
	if r.Stopped != "" {
		t += " (" + r.Stopped + ")"
	}
	return t
}

// Check looks for the places of records, runs their guardrails and, with a
// Measurer, compares their figures with their directions. A command that stands
// in several records runs once. When ctx ends, what was found comes with its
// error, and what was not reached is undecided.
func Check(ctx context.Context, opt CheckOptions) (*Report, error) {
	rep := &Report{Schema: ReportSchema, Module: ModulePath(opt.Dir), Records: []Checked{}}
	ran := make(map[Guard]GuardResult)
	for i, r := range opt.Records {
		c, err := checkOne(ctx, opt, r, ran)
		rep.Records = append(rep.Records, c)
		if err == nil {
			continue
		}
		rep.Stopped = "interrupted"
		for _, rest := range opt.Records[i+1:] {
			rep.Records = append(rep.Records, Checked{
				Name: rest.Name, File: rest.File, Standing: Open, Place: Found{Where: Unknown}, Error: "not checked: interrupted",
			})
		}
		return rep, err
	}
	return rep, nil
}

// checkOne checks one record. The error is ctx's.
func checkOne(ctx context.Context, opt CheckOptions, r Record, ran map[Guard]GuardResult) (Checked, error) {
	c := Checked{Name: r.Name, File: r.File, Standing: Holds, Place: Find(opt.Dir, r.Place)}
	c.place()
	if opt.Measure != nil && len(r.Better) > 0 {
		opt.stage("measuring", r.Name)
		now, err := opt.Measure.Measure(ctx, r)
		switch {
		case ctx.Err() != nil:
			c.Standing, c.Error = worse(c.Standing, Open), "interrupted"
			return c, ctx.Err()
		case err != nil:
			c.Standing, c.Error = worse(c.Standing, NotRun), lastLines(err.Error())
		default:
			c.Directions = judge(r, now, opt.Partial)
		}
		for _, d := range c.Directions {
			c.Standing = worse(c.Standing, d.Standing)
		}
	}
	for _, g := range r.Guards {
		key := g
		key.Name = ""
		res, done := ran[key]
		if !done {
			opt.stage("guardrail", r.Name+": "+g.Name)
			var err error
			if res, err = RunGuard(ctx, g, opt.Dir, opt.Env, opt.Meter); err != nil {
				c.Standing, c.Error = worse(c.Standing, Open), "interrupted"
				return c, err
			}
			ran[key] = res
		}
		res.Guard = g
		c.Guards = append(c.Guards, res)
		c.Standing = worse(c.Standing, res.Standing())
	}
	return c, nil
}

// Standing returns the standing of a guardrail.
func (g GuardResult) Standing() Standing {
	switch {
	case g.OK:
		return Holds
	case g.Failed:
		return Broken
	default:
		return NotRun
	}
}

// place says what is to be said of where the code is. A line that was rewritten
// is what optimizing is; a function that is gone leaves the record without an
// object.
func (c *Checked) place() {
	switch c.Place.Where {
	case Moved:
		c.Warnings = append(c.Warnings, model.Warning{
			Seen: c.Place.Detail, Try: "pawl record " + c.Name + " measures it anew, and writes where it is now",
		})
	case Changed:
		c.Warnings = append(c.Warnings, model.Warning{
			Seen: c.Place.Detail, Try: "pawl record " + c.Name + " -at FILE.go:LINE, with the line that costs now",
		})
	case Gone:
		c.Standing = worse(c.Standing, Open)
		c.Warnings = append(c.Warnings, model.Warning{
			Seen: c.Place.Detail, Cause: "it was renamed, moved to another package, or removed",
			Try: "pawl record " + c.Name + " -at [PACKAGE.]FUNC, or remove " + c.File,
		})
	}
}

func (o CheckOptions) stage(name, detail string) {
	if o.Stage != nil {
		o.Stage(name, detail)
	}
}

// judge holds each direction against each benchmark that it is about: those
// that are there and, unless figures are partial, those that the record has
// figures of.
func judge(r Record, now []Now, partial bool) []DirectionResult {
	var out []DirectionResult
	for _, d := range r.Better {
		about := 0
		for _, n := range now {
			if (d.Benchmark == "" || d.Benchmark == n.Benchmark) && (!partial || n.has(d.Metric)) {
				out = append(out, d.hold(r, n))
				about++
			}
		}
		if partial {
			continue
		}
		for _, f := range r.Measured.Figures {
			if (d.Benchmark == "" || d.Benchmark == f.Benchmark) && !has(now, f.Benchmark) {
				out = append(out, gone(r, d, f.Benchmark))
				about++
			}
		}
		if about == 0 {
			out = append(out, gone(r, d, d.Benchmark))
		}
	}
	return out
}

// has reports whether something is known about a metric.
func (n Now) has(metric string) bool {
	_, counted := n.Counts[metric]
	_, timed := n.Times[metric]
	return counted || timed || n.Failed != ""
}

func has(now []Now, benchmark string) bool {
	return slices.ContainsFunc(now, func(n Now) bool { return n.Benchmark == benchmark })
}

func gone(r Record, d Direction, benchmark string) DirectionResult {
	res := DirectionResult{Direction: d, Benchmark: benchmark, Standing: Open, Why: "there is no such benchmark any more"}
	if benchmark == "" {
		res.Why = "no benchmark of " + r.Pkg + " matches " + r.Bench
	}
	res.Try = "pawl record " + r.Name + " -bench REGEXP, with the name it has now"
	return res
}

// hold compares what a benchmark does now with the limit.
func (d Direction) hold(r Record, n Now) DirectionResult {
	res := DirectionResult{Direction: d, Benchmark: n.Benchmark, Standing: Open}
	if n.Failed != "" {
		res.Why = n.Failed
		return res
	}
	_, counted := n.Counts[d.Metric]
	if IsTime(d.Metric) || !counted && !slices.Contains(metrics(), d.Metric) {
		d.holdTime(r, n, &res)
		return res
	}
	limit := d.Limit
	if d.Relative {
		f, _ := r.Measured.of(n.Benchmark)
		was, ok := f.Of(d.Metric)
		if !ok {
			res.Why = "the record has no " + d.Metric + " of it"
			res.Try = "pawl record " + r.Name + ", which measures it"
			return res
		}
		limit = was.Value * (1 + d.Limit)
		if d.Op == AtLeast {
			limit = was.Value * (1 - d.Limit)
		}
	}
	have, ok := n.Counts[d.Metric]
	if !ok {
		res.Why = d.Metric + " was not measured"
		return res
	}
	// What the file says was rounded: to the next thousandth, and a metric that the
	// benchmark reports to six digits.
	have.Tolerance = math.Max(have.Tolerance, 0.0005)
	if !slices.Contains(metrics(), d.Metric) {
		have.Tolerance = 1e-5 * math.Abs(limit)
	}
	res.Standing = d.compare(have, limit)
	res.Why = have.text(d.Metric) + d.against(limit)
	if res.Standing == Open {
		res.Why += ": it differs from run to run"
	}
	return res
}

// compare holds a count against a limit.
func (d Direction) compare(have Range, limit float64) Standing {
	if d.Op == AtLeast {
		d.Op, limit, have.Lo, have.Hi = AtMost, -limit, -have.Hi, -have.Lo
	}
	above, below := have.Lo-limit > have.Tolerance, limit-have.Hi > have.Tolerance
	within := have.Hi-limit <= have.Tolerance && (d.Op == AtMost || limit-have.Lo <= have.Tolerance)
	switch {
	case above, d.Op == Equals && below:
		return Broken
	case within:
		return Holds
	default:
		return Open
	}
}

// against says in words what the limit is.
func (d Direction) against(limit float64) string {
	s := ", limit "
	if d.Op == Equals {
		s = ", to be "
	}
	s += number(round(limit))
	if d.Relative {
		s += " (" + strings.TrimPrefix(d.String(), d.prefix()) + ")"
	}
	return s
}

// prefix is what String writes before the limit.
func (d Direction) prefix() string {
	p := d.Metric + " " + string(d.Op) + " "
	if d.Benchmark != "" {
		p = d.Benchmark + " " + p
	}
	return p
}

// text writes a count as it was seen.
func (r Range) text(metric string) string {
	if round(r.Lo) == round(r.Hi) {
		return metric + " " + number(round(r.Lo))
	}
	return fmt.Sprintf("%s %s to %s", metric, number(round(r.Lo)), number(round(r.Hi)))
}

// holdTime takes the verdict of the run that measured both versions.
func (d Direction) holdTime(r Record, n Now, res *DirectionResult) {
	v, ok := n.Times[d.Metric]
	if !ok {
		what := "a figure that varies"
		if IsTime(d.Metric) {
			what = "a time"
		}
		res.Why = d.Metric + " was not measured: " + what + " compares with one that was taken beside it, never with a figure in a file"
		res.Try = fmt.Sprintf("pawl compare %s . -bench '%s' %s", refOr(r.Measured.ref()), model.Benchmark{Name: n.Benchmark}.Regexp(), r.Pkg)
		return
	}
	res.Why = fmt.Sprintf("%s %+.1f %% [%+.1f, %+.1f] against %s, limit %s%s%%", d.Metric, 100*v.Change, 100*v.Lo, 100*v.Hi, n.Base, d.sign(), number(percent(d.Limit)))
	lo, hi := v.Lo, v.Hi
	if d.Op == AtLeast {
		lo, hi = -v.Hi, -v.Lo
	}
	switch {
	case !d.Relative: // an absolute limit says nothing of a change
	case lo > d.Limit:
		res.Standing = Broken
	case hi <= d.Limit:
		res.Standing = Holds
	}
}

func refOr(ref string) string {
	if ref == "" {
		return "REF"
	}
	return words.Commit(ref)
}
