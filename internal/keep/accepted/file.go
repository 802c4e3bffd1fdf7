package accepted

import (
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A File is a file of accepted regressions. It remembers which of its entries
// were of use and is for one goroutine at a time.
type File struct {
	name  string
	lines []line
	used  map[int]bool // by Entry.Line
}

// A line is an entry, or else a comment, or nothing.
type line struct {
	entry   *Entry
	comment string
}

func (f *File) entries() []Entry {
	var out []Entry
	for _, l := range f.lines {
		if l.entry != nil {
			out = append(out, *l.entry)
		}
	}
	return out
}

// Accept says whether a regression is an accepted one, and by which reason.
// Pkg, name and metric are those of the verdict; change is the relative
// increase, +Inf where there was nothing before. An entry that names the
// metric goes before one for all of them.
func (f *File) Accept(now time.Time, pkg, name, metric string, change float64) (reason string, ok bool) {
	var found *Entry
	for _, l := range f.lines {
		e := l.entry
		if e == nil || e.Pkg != pkg || e.Benchmark != name || !e.accepts(now, metric, change) {
			continue
		}
		if found == nil || found.Metric == Any {
			found = e
		}
	}
	if found == nil {
		return "", false
	}
	f.used[found.Line] = true
	return found.Reason, true
}

// unused returns the entries that have accepted nothing so far.
func (f *File) unused() []Entry {
	var out []Entry
	for _, e := range f.entries() {
		if !f.used[e.Line] {
			out = append(out, e)
		}
	}
	return out
}

// Warnings says which entries have expired, and which others accepted nothing
// in a comparison that could tell: their benchmark was judged and needed no
// entry, or it was not found in a package that was looked at. It is to be
// asked after the last Accept.
func (f *File) Warnings(now time.Time, c *model.Comparison) []model.Warning {
	var out []model.Warning
	for _, e := range f.unused() {
		about := e.Benchmark + " " + e.Metric
		switch {
		case e.expired(now):
			out = append(out, model.Warning{
				Seen:  fmt.Sprintf("%s: %s of %s expired on %s", f.name, e.where(), about, e.Until.Format(time.DateOnly)),
				Cause: "it was to hold until that day only",
				Try:   "remove it, or decide anew and give it a later day",
			})
		case settled(e, c):
			out = append(out, model.Warning{
				Seen:  fmt.Sprintf("%s: %s accepts nothing: remove it", f.name, e.where()),
				Cause: about + " got worse in no way that the entry accepts; what it was for is in the base by now, or is gone",
			})
		case missing(e, c):
			out = append(out, model.Warning{
				Seen:  fmt.Sprintf("%s: %s names %s, which this run did not find", f.name, e.where(), e.Benchmark),
				Cause: "it is misspelt or gone, or -bench leaves it out",
				Try:   "write the name as go test prints it, without the -N at its end, or remove the entry",
			})
		}
	}
	return out
}

// settled reports whether the comparison came to an answer on the benchmark of
// e that needs no entry. A regression that the entry does not cover, for one,
// is no reason to remove it.
func settled(e Entry, c *model.Comparison) bool {
	for _, b := range c.Benchmarks {
		switch b.Standing {
		case model.Clean, model.Improved, model.Unchanged, model.Accepted:
			if is(e, b) {
				return true
			}
		}
	}
	return false
}

// missing reports whether the comparison looked at the package of e and did not
// see its benchmark.
func missing(e Entry, c *model.Comparison) bool {
	looked := false
	for _, b := range c.Benchmarks {
		if b.Benchmark.Pkg != e.Pkg {
			continue
		}
		looked = true
		if is(e, b) {
			return false
		}
	}
	return looked
}

// is reports whether a row of a comparison is about the benchmark of e. Rows of
// benchmarks that were not run name the function, and stand for all that is
// below it.
func is(e Entry, b model.Compared) bool {
	if b.Benchmark.Pkg != e.Pkg {
		return false
	}
	function, _, _ := strings.Cut(e.Benchmark, "/")
	whole := b.Verdict == nil && b.Benchmark.Name == function
	return b.Benchmark.Name == e.Benchmark || whole
}
