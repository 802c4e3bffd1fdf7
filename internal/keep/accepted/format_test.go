package accepted

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// What was parsed is written again, to see that parsing loses nothing.

// String returns the entry as a line of a file, in the one form that Format
// writes.
func (e Entry) String() string {
	words := []string{e.Pkg, e.Benchmark, e.Metric, limitText(e.Limit)}
	if !e.Until.IsZero() {
		words = append(words, "until", e.Until.Format(time.DateOnly))
	}
	return strings.Join(words, " ") + ": " + e.Reason
}

func limitText(limit float64) string {
	if math.IsInf(limit, 1) {
		return unlimited
	}
	// Rounding takes off what multiplying by a hundred leaves behind.
	return "+" + strconv.FormatFloat(rounded(100*limit), 'f', -1, 64) + "%"
}

// rounded returns x with six digits behind the point, as many as a limit has
// at most.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// Format returns the file as text in one form: entries with single spaces,
// comments as they were, and no two empty lines in a row. Parsing it gives the
// same entries.
func (f *File) Format() string {
	var b strings.Builder
	empty := true // a file does not begin with an empty line
	pending := false
	for _, l := range f.lines {
		text := l.comment
		if l.entry != nil {
			text = l.entry.String()
		}
		if text == "" {
			pending = !empty
			continue
		}
		if pending {
			b.WriteByte('\n')
		}
		b.WriteString(text + "\n")
		empty, pending = false, false
	}
	return b.String()
}
