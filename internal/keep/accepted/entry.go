package accepted

import (
	"fmt"
	"time"
)

// An Entry is one accepted regression.
type Entry struct {
	Line      int    // in the file, from 1
	Pkg       string // import path
	Benchmark string // "BenchmarkSend/size=1024"
	Metric    string // one of metrics, one that the benchmark reports, or Any
	// Limit is the largest relative increase that is accepted: 0.08 is eight
	// per cent, +Inf is any.
	Limit float64
	// Until is the last day on which the entry holds, at midnight UTC; zero for
	// an entry that does not expire.
	Until  time.Time
	Reason string
}

// Any stands for every metric.
const Any = "*"

// metrics returns the names of the metrics that pawl takes itself. An entry may name
// another one, which a benchmark reports.
func metrics() []string { return []string{"cpu/op", "wall/op", "allocs/op", "B/op", "peak-heap"} }

// unlimited is the word for a limit of +Inf.
const unlimited = "any"

// expired reports whether the last day of the entry is over.
func (e Entry) expired(now time.Time) bool {
	return !e.Until.IsZero() && !now.Before(e.Until.AddDate(0, 0, 1))
}

// slack is what a change may exceed a limit by because both were rounded: from
// 25 to 27 objects is a little more than eight per cent in binary.
const slack = 1e-9

// accepts reports whether the entry covers a change of a metric of its
// benchmark.
func (e Entry) accepts(now time.Time, metric string, change float64) bool {
	return (e.Metric == metric || e.Metric == Any) && !e.expired(now) && change <= e.Limit+slack
}

// where names the entry in a message.
func (e Entry) where() string { return fmt.Sprintf("entry on line %d", e.Line) }
