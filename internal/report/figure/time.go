package figure

import (
	"github.com/pawl-dev/pawl/internal/model"
)

// Stamp is how a time of day is written: that of the run's own clock.
const Stamp = "2006-01-02 15:04"

// A Part is one use of a run's time.
type Part struct {
	Name    string
	Seconds float64
}

// Split lists the uses of a run's time.
func Split(sp model.Split) []Part {
	return []Part{{"measuring", sp.Measure}, {"building", sp.Build}, {"testing", sp.Test}, {"other", sp.Other}}
}
