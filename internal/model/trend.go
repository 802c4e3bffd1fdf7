package model

import "time"

// A Trend is the figures of a module, or of files, over time.
type Trend struct {
	Schema   int           `json:"schema"`
	Tool     string        `json:"tool"`
	Of       []string      `json:"of"`   // the module, or the files
	Rate     float64       `json:"rate"` // of steady series, the part that has a shift by chance
	Series   []TrendSeries `json:"series"`
	Warnings []Warning     `json:"warnings,omitempty"`
}

// A TrendSeries is one figure of one benchmark on one machine.
type TrendSeries struct {
	Benchmark Benchmark    `json:"benchmark"`
	Metric    string       `json:"metric"`            // "cpu/op", "wall/op", or a unit as in the file
	Machine   string       `json:"machine,omitempty"` // where it matters for the metric
	Better    int          `json:"better"`            // -1: less is, 1: more is, 0: not known
	Points    []TrendPoint `json:"points"`            // the oldest first
	Shifts    []TrendShift `json:"shifts,omitempty"`
}

// TrendLeast is how many points a series has at least in which a shift can be found: three
// for each of two levels.
const TrendLeast = 6

// Short reports whether a series has too few points to tell whether it shifted.
func (s TrendSeries) Short() bool { return len(s.Points) < TrendLeast }

// A TrendPoint is what was measured once. Times are nanoseconds.
type TrendPoint struct {
	Time  time.Time `json:"time,omitzero"`
	Of    string    `json:"of"` // commit, run or file
	Value float64   `json:"value"`
}

// A TrendShift is a place where the level of a series changed. Before and After are
// the medians on both sides, as far as the next shift.
type TrendShift struct {
	At     int     `json:"at"` // index of the first point behind it
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	P      float64 `json:"p"`
}
