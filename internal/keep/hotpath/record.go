package hotpath

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// version is the version of the format, in the first line of each file.
const version = 1

// Dir is the directory of the records, relative to the module's, with forward
// slashes.
const Dir = "perf/records"

// Ext is how the names of records' files end.
const Ext = ".txt"

// A Record is one hot path.
type Record struct {
	Name  string `json:"name"`           // of the file, without Ext
	File  string `json:"file,omitempty"` // as it was loaded, for messages
	Place Place  `json:"place"`
	Why   string `json:"why,omitempty"` // for people; lines end in "\n" but for the last
	Pkg   string `json:"pkg"`           // import path of the benchmarks
	Bench string `json:"bench"`         // which of them, as go test -bench
	// Command is the line that measures with stock tools, for people.
	Command  string      `json:"command,omitempty"`
	Better   []Direction `json:"better,omitempty"`
	Measured Measured    `json:"measured"`
	Guards   []Guard     `json:"guards,omitempty"`

	comments map[string][]string // by the key that they stand above; "" for those at the end
}

// A Place is where a hot path is.
type Place struct {
	Pkg  string    `json:"pkg"`            // import path
	Func string    `json:"func,omitempty"` // "F", "T.F" or "(*T).F", without type parameters
	Line string    `json:"line,omitempty"` // the text of the line, without blanks at its ends
	At   model.Pos `json:"at"`             // where it was when it was recorded, relative to the module
}

// Measured is what was measured, when, and on what. Its figures are empty for
// a record that nobody has measured.
type Measured struct {
	Date    time.Time `json:"date"`             // the day, UTC
	Go      string    `json:"go,omitempty"`     // "go1.26.8 linux/amd64"
	CPU     string    `json:"cpu,omitempty"`    // with the number of CPUs
	Run     string    `json:"run,omitempty"`    // ID of the run of pawl
	Commit  string    `json:"commit,omitempty"` // which the tree was at; " with edits" behind it where there were any
	Figures []Figures `json:"figures,omitempty"`
}

// Figures are those of one benchmark.
type Figures struct {
	Benchmark string   `json:"benchmark"` // "BenchmarkX/sub"
	Values    []Figure `json:"values"`
}

// A Figure is one of them, per op.
type Figure struct {
	Metric string  `json:"metric"`
	Value  float64 `json:"value"` // ns for times, bytes, or objects
	// Spread is how far runs lay apart, as a fraction of the value; 0 where it
	// is not known. Of cpu/op it is the standard deviation of the ratio of two
	// processes that ran at the same time, of wall/op half the range of several
	// runs one after the other. It is not a confidence interval.
	Spread float64 `json:"spread,omitempty"`
	Varies bool    `json:"varies,omitempty"` // a count that differed from run to run
}

// The metrics that a record knows.
const (
	CPU      = "cpu/op"
	Wall     = "wall/op"
	Allocs   = "allocs/op"
	Bytes    = "B/op"
	Retained = "retained-B"
)

// metrics returns the names of the metrics, in the order of their figures.
func metrics() []string { return []string{CPU, Wall, Allocs, Bytes, Retained} }

// IsTime reports whether a metric is a time, which depends on the machine.
func IsTime(metric string) bool { return metric == CPU || metric == Wall }

// Of returns the figure of a metric.
func (f Figures) Of(metric string) (Figure, bool) {
	for _, v := range f.Values {
		if v.Metric == metric {
			return v, true
		}
	}
	return Figure{}, false
}

func (m Measured) of(benchmark string) (Figures, bool) {
	for _, f := range m.Figures {
		if f.Benchmark == benchmark {
			return f, true
		}
	}
	return Figures{}, false
}

// ref returns the commit without what is said of edits.
func (m Measured) ref() string {
	ref, _, _ := strings.Cut(m.Commit, " ")
	return ref
}

// Wants reports whether a direction of the record is about a metric.
func (r Record) Wants(metric string) bool {
	return slices.ContainsFunc(r.Better, func(d Direction) bool { return d.Metric == metric })
}

// A Guard is a guardrail: a command that must end with 0.
type Guard struct {
	Name    string        `json:"name"`
	Timeout time.Duration `json:"timeout_ns"`
	Command string        `json:"command"` // for sh -c
}

// DefaultTimeout is the time of a guardrail that names none.
const DefaultTimeout = 2 * time.Minute

// maxTimeout is the longest time that a guardrail may take.
const maxTimeout = 24 * time.Hour
