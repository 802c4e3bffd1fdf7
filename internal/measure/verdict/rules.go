package verdict

import (
	"cmp"

	"github.com/pawl-dev/pawl/judge"
)

// A Source is where units come from. It decides how they are called, and what
// to do where they say too little.
type Source int

// The sources.
const (
	Trial Source = iota // duets, or pairs of fresh links, as they are measured
	Files               // the same, read from two files
	Load                // load runs against two programs
)

// Rules are what evidence is read by. They must be fixed before the first unit
// is looked at.
type Rules struct {
	// Judge are the rules of the sequence that answers. Alpha is this question's
	// share of the error rate, and MinEffect the smallest effect that counts.
	Judge judge.Rules
	// Level is the confidence of the interval that is shown; 0 means that of
	// Judge. A search spends its error over many questions, and the intervals
	// that go with it are wider than what a reader expects of one.
	Level float64
	// Floor, where it is above zero, also asks whether a slowdown by more than
	// this is excluded. With AtFloor that is all that is asked, as in a gate: the
	// rest would only narrow the interval.
	Floor   float64
	AtFloor bool
	// MinUnits is the smallest number of units after which Series.Enough is true.
	MinUnits int
	// OwnLayout says that the question is about two binaries, not about their
	// sources: what the layout of their code does is theirs.
	OwnLayout bool
	// GainOnly says that a change is dropped unless it gains. One that is slower on one
	// link of each side is dropped there, as one without a worthwhile effect is: fresh
	// links would only say for certain by how much.
	GainOnly bool
	// AnySlowdown says that a slowdown counts however small it is.
	AnySlowdown bool
	// GuardsDoubt says that a guard that trips leaves the question open. It is a
	// regression otherwise.
	GuardsDoubt bool
	From        Source
}

// level returns the confidence of the interval that is shown.
func (r Rules) level() float64 { return cmp.Or(r.Level, r.Judge.Level()) }
