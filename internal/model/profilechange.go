package model

// A ProfileComparison is what differs between two sets of profiles of one kind.
type ProfileComparison struct {
	Kind string `json:"kind"` // cpu, heap, mutex or block
	What string `json:"what"` // what is compared: CPU time, objects allocated, bytes allocated, contentions
	Unit string `json:"unit"` // ns, objects, bytes or contentions
	// By is what figures are divided by: share (of the profile), op or second.
	By   string      `json:"by"`
	Base ProfileSide `json:"base"`
	Now  ProfileSide `json:"now"`
	// Total is the change of all that was profiled; not for shares.
	Total *ProfileChange `json:"total,omitempty"`
	// Functions, Lines and Signs are those that differ by more than noise, those
	// with the greatest change that is certain first.
	Functions []ProfileChange `json:"functions"`
	Lines     []ProfileChange `json:"lines"`
	Signs     []ProfileChange `json:"signs"`
	// Quiet is how many functions show no difference that is not noise, and
	// QuietLines how many lines. Few samples are a reason, too.
	Quiet      int `json:"quiet"`
	QuietLines int `json:"quiet_lines"`
	// Moved are functions whose lines cannot be matched, for their code changed.
	Moved []string     `json:"moved,omitempty"`
	Noise ProfileNoise `json:"noise"`
	// Neutral is the factor by which the share of most of the work changed: what
	// did not change itself has a share that did.
	Neutral  float64   `json:"neutral,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// A ProfileSide is the profiles before, or those after.
type ProfileSide struct {
	Sources []string `json:"sources"`
	Samples int64    `json:"samples"`
	Total   float64  `json:"total"`             // in the comparison's unit
	Seconds float64  `json:"seconds,omitempty"` // that were profiled, together
	Ops     float64  `json:"ops,omitempty"`     // operations, together
}

// A ProfileNoise is how differences were told from noise.
type ProfileNoise struct {
	Level  float64 `json:"level"`  // the probability that anything is named wrongly is at most this
	Tested int     `json:"tested"` // how many differences were looked at
	// Repeats is how many profiles there are beyond one on each side. With none,
	// the variation between runs is assumed, not measured.
	Repeats int `json:"repeats"`
	// Inflation is the variance between profiles of a side over the one that is
	// assumed without repeats; 1 there.
	Inflation float64 `json:"inflation"`
}

// A ProfileChange is the change of one function, line or signature. Before and
// After are inclusive: of all stacks that it is on, each counted once.
type ProfileChange struct {
	Func string `json:"func"` // or the signature
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`

	Before float64 `json:"before"` // share, or units per op or per second
	After  float64 `json:"after"`
	Change float64 `json:"change"` // After/Before − 1; 1000000 for what was not there before
	Lo     float64 `json:"lo"`     // its interval at 95 %, of this change alone
	Hi     float64 `json:"hi"`
	P      float64 `json:"p"` // the probability of such a difference by noise alone
	// Claimed says that it is more than noise, all that was tested considered. A
	// function is also named for its flat part alone.
	Claimed bool `json:"claimed"`
	// Flat is a function's own part, without what it calls.
	Flat *FlatChange `json:"flat,omitempty"`
	// BeforeDelay and AfterDelay are the time waited, in ns divided like Before
	// (or shares): of mutex and block profiles. Nothing is claimed about it.
	BeforeDelay float64 `json:"before_delay,omitempty"`
	AfterDelay  float64 `json:"after_delay,omitempty"`
	// ShareOnly says that it rose or fell no more than what did not change
	// itself: the rest of the profile fell or rose.
	ShareOnly bool `json:"share_only,omitempty"`
	// With are functions that changed with it, on the same stacks.
	With []string `json:"with,omitempty"`

	// Certain is the part of the change that is certain, in the unit of Before:
	// by the end of the interval that is nearer to none. Sorting is by it.
	Certain float64 `json:"certain"`
}

// A FlatChange is the change of a function's own part.
type FlatChange struct {
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Change  float64 `json:"change"`
	Lo      float64 `json:"lo"`
	Hi      float64 `json:"hi"`
	Claimed bool    `json:"claimed"`
}

// New reports whether it was not there before.
func (c ProfileChange) New() bool { return c.Before == 0 && c.After > 0 }

// Gone reports whether it is there no more.
func (c ProfileChange) Gone() bool { return c.After == 0 && c.Before > 0 }

// More reports whether it costs more than before. A function that is named for
// its flat part is judged by that.
func (c ProfileChange) More() bool {
	if c.Itself() {
		return c.Flat.After > c.Flat.Before
	}
	return c.After > c.Before
}

// Itself reports whether a function is named for its flat part alone.
func (c ProfileChange) Itself() bool { return !c.Claimed && c.Flat != nil && c.Flat.Claimed }
