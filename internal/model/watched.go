package model

import "time"

// A Watched is what pawl watch has kept of one service.
type Watched struct {
	Name     string        `json:"name"`
	From     time.Time     `json:"from"`
	Until    time.Time     `json:"until"`
	Captures int           `json:"captures"`
	Bytes    int64         `json:"bytes"` // of the profiles
	Profiles []WatchedKind `json:"profiles"`
	Gaps     []WatchGap    `json:"gaps"`
	// Taking is the part of the program's CPU time that taking profiles cost it, as far
	// as its own CPU profiles show it, and TakingCore the same as a part of one core.
	Taking     float64 `json:"taking"`
	TakingCore float64 `json:"taking_core"`
}

// A WatchedKind is how much there is of one kind of profile.
type WatchedKind struct {
	Kind     string `json:"kind"`
	Profiles int    `json:"profiles"`
	Bytes    int64  `json:"bytes"`
}

// A WatchGap is a time in which nothing was captured.
type WatchGap struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	Why   string    `json:"why"`
}

// A CanaryVerdict is what is to be done with a new version.
type CanaryVerdict string

// The verdicts of a canary.
const (
	CanaryPass      CanaryVerdict = "pass"
	CanaryFail      CanaryVerdict = "fail"
	CanaryUndecided CanaryVerdict = "undecided"
)

// A Canary is what two programs that did the same work cost, side by side.
type Canary struct {
	Schema   int           `json:"schema"`
	Tool     string        `json:"tool"`
	Started  time.Time     `json:"started"`
	Seconds  float64       `json:"seconds"`
	Baseline string        `json:"baseline"`
	Canary   string        `json:"canary"`
	Per      string        `json:"per"`  // the counter, or "second"
	From     string        `json:"from"` // where CPU time is from: metrics or profile
	Verdict  CanaryVerdict `json:"verdict"`
	Why      string        `json:"why"`

	Before    float64   `json:"before"` // median CPU time per unit of work, in ns
	After     float64   `json:"after"`
	Change    float64   `json:"change"`
	Lo        float64   `json:"lo"`
	Hi        float64   `json:"hi"`
	Alpha     float64   `json:"alpha"`
	Tolerated float64   `json:"tolerated"`  // a slowdown that is let pass
	MinEffect float64   `json:"min_effect"` // a slowdown that is not
	Units     int       `json:"units"`
	Left      int       `json:"left,omitempty"` // windows that were left out
	NoiseSD   float64   `json:"noise_sd"`
	Ratios    []float64 `json:"ratios"` // of each window, canary ÷ baseline
	// Compared are the CPU profiles of both sides.
	Compared []ProfileComparison `json:"compared,omitempty"`
	Warnings []Warning           `json:"warnings,omitempty"`
}
