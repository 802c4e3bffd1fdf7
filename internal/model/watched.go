package model

import "time"

// A Watched is what pawl watch has kept of one service.
type Watched struct {
	Name     string        `json:"name"`
	From     time.Time     `json:"from"` // of the captures
	Until    time.Time     `json:"until"`
	Captures int           `json:"captures"` // their number
	Bytes    int64         `json:"bytes"`    // of the profiles
	Profiles []WatchedKind `json:"profiles"`
	Gaps     []WatchGap    `json:"gaps"`
	// Missing is what did not come in captures that are there.
	Missing []WatchedMiss `json:"missing,omitempty"`
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

// A WatchedMiss is how many captures lack one kind of profile, or the metrics.
type WatchedMiss struct {
	Kind     string `json:"kind"`
	Captures int    `json:"captures"`
	Why      string `json:"why"` // of the last one
}

// A WatchGap is a time in which nothing was captured.
type WatchGap struct {
	From     time.Time `json:"from"`
	Until    time.Time `json:"until"`
	Instance string    `json:"instance,omitempty"` // the one of several programs that it is of
	Why      string    `json:"why"`
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
	Seconds  float64       `json:"seconds"` // how long it took
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
	Tolerated float64   `json:"tolerated"`      // what two processes of one version may lie apart
	MinEffect float64   `json:"min_effect"`     // a slowdown that must not pass
	Units     int       `json:"units"`          // windows that count
	Left      int       `json:"left,omitempty"` // windows that were left out
	NoiseSD   float64   `json:"noise_sd"`       // of one window
	Ratios    []float64 `json:"ratios"`         // of each window, canary ÷ baseline
	// Compared are the CPU profiles of both sides.
	Compared []ProfileComparison `json:"compared,omitempty"`
	// Since is the commit that the change is asked of, and Edited what it did to the
	// functions that differ.
	Since    string           `json:"since,omitempty"`
	Edited   []EditedFunction `json:"edited,omitempty"`
	Warnings []Warning        `json:"warnings,omitempty"`
}

// An EditedFunction is a function that costs another amount of CPU time now, and whether
// it was changed.
type EditedFunction struct {
	Func string   `json:"func"`
	How  FuncEdit `json:"how"`
}

// A FuncEdit is what a change of the source did to a function.
type FuncEdit string

// The edits.
const (
	EditOwn   FuncEdit = "changed"
	EditBelow FuncEdit = "calls what was changed"
	EditNone  FuncEdit = "not changed"
)

// A ClaimVerdict says whether a promised gain is there after a deploy.
type ClaimVerdict string

// The verdicts of a claim.
const (
	ClaimArrived   ClaimVerdict = "arrived"
	ClaimMissing   ClaimVerdict = "did not arrive"
	ClaimUndecided ClaimVerdict = "undecided"
)

// A Claim is what the kept changes of a run promised, and what of it profiles of a
// service show after a deploy.
type Claim struct {
	Schema  int          `json:"schema"`
	Tool    string       `json:"tool"`
	Run     string       `json:"run"` // whose promises are looked at
	Service string       `json:"service"`
	Parted  string       `json:"parted"` // by what captures were put before and after: build, or deployed
	Before  ClaimSide    `json:"before"`
	After   ClaimSide    `json:"after"`
	Verdict ClaimVerdict `json:"verdict"`
	Alpha   float64      `json:"alpha"` // of all intervals together
	// Arrivals are the promises that there were, and Unpromised the kept changes that
	// promised nothing that profiles could show.
	Arrivals   []Arrival       `json:"arrivals"`
	Unpromised []ClaimedChange `json:"unpromised,omitempty"` // kept changes that promised nothing that profiles show
	Warnings   []Warning       `json:"warnings,omitempty"`
}

// A ClaimSide is the captures of one version.
type ClaimSide struct {
	Build    string    `json:"build,omitempty"`
	From     time.Time `json:"from"`
	Until    time.Time `json:"until"`
	Captures int       `json:"captures"` // their number
	Samples  int64     `json:"samples"`  // of CPU time
}

// A ClaimedChange is a kept change.
type ClaimedChange struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Commit string `json:"commit,omitempty"`
	Why    string `json:"why,omitempty"` // it promised nothing
}

// An Arrival is what became of the promise of one change, or of several that changed
// what runs on the same stacks.
type Arrival struct {
	Changes  []ClaimedChange `json:"changes"`
	Funcs    []string        `json:"funcs"`
	Resource string          `json:"resource"` // cpu, alloc_space or alloc_objects
	Verdict  ClaimVerdict    `json:"verdict"`
	Why      string          `json:"why"`
	Compared bool            `json:"compared"` // else Observed is not known
	// ShareBefore and ShareAfter are the part of the resource in and below the functions;
	// CPUBefore and CPUAfter that of CPU time.
	ShareBefore float64 `json:"share_before"`
	ShareAfter  float64 `json:"share_after"`
	CPUBefore   float64 `json:"cpu_before"`
	CPUAfter    float64 `json:"cpu_after"`
	// Promised is the part of the functions' cost that was to be saved, and Observed the
	// part that is, by what nobody changed. More is how many times as many samples
	// would settle an undecided one.
	Promised   float64 `json:"promised"`
	PromisedLo float64 `json:"promised_lo"`
	PromisedHi float64 `json:"promised_hi"`
	Observed   float64 `json:"observed"`
	Lo         float64 `json:"lo"`
	Hi         float64 `json:"hi"`
	More       float64 `json:"more,omitempty"`
}

// An Overhead is what watching costs a program, by stretches of time with a capture and
// without.
type Overhead struct {
	Schema   int       `json:"schema"`
	Tool     string    `json:"tool"`
	Service  string    `json:"service"`
	Per      string    `json:"per"` // the counter of work
	Started  time.Time `json:"started"`
	Took     float64   `json:"took"`           // seconds
	Seconds  int       `json:"seconds"`        // of CPU profile in a capture
	Interval float64   `json:"interval"`       // seconds from one capture to the next
	Pairs    int       `json:"pairs"`          // pairs of stretches that count
	Left     int       `json:"left,omitempty"` // pairs that were left out
	Ratios   []float64 `json:"ratios"`         // of each pair, with ÷ without
	// During is how much more CPU time a unit of work costs while a capture is taken, and
	// All the same over the whole interval, each with its interval at 95 %.
	During   float64 `json:"during"`
	DuringLo float64 `json:"during_lo"`
	DuringHi float64 `json:"during_hi"`
	All      float64 `json:"all"`
	AllLo    float64 `json:"all_lo"`
	AllHi    float64 `json:"all_hi"`
}

// Bounded reports whether there were enough pairs for an interval.
func (o *Overhead) Bounded() bool { return o.DuringLo > -1 }
