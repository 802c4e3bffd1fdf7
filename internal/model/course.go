package model

// A Course is how a verdict came about: the units one by one, and what was
// known after so many of them.
type Course struct {
	// Ratios are the units' candidate ÷ base, in the order in which they were
	// measured.
	Ratios []float64 `json:"ratios"`
	// Steps are the interval after some of the units, the last one among them:
	// after each while there are few, and less often later.
	Steps []CourseStep `json:"steps,omitempty"`
}

// A CourseStep is the estimate and its interval after Units units, as relative
// changes.
type CourseStep struct {
	Units  int     `json:"units"`
	Change float64 `json:"change"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}
