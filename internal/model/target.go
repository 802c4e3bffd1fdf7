package model

// A Reason is why a line costs, in one word that tools can match, with the
// sentence that people read.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	Text string     `json:"text"`
	// Also has what is true of the line besides: that it is in a loop, that
	// the cost is a library's.
	Also []ReasonKind `json:"also,omitempty"`
}

// A ReasonKind classifies what allocates or burns CPU on a line.
type ReasonKind string

// The reasons. The ones below ReasonEscape have no escape record of the
// compiler and are read from the syntax.
const (
	ReasonEscape     ReasonKind = "escape"      // the compiler says why
	ReasonAppend     ReasonKind = "append"      // growth of a slice
	ReasonMap        ReasonKind = "map"         // growth of a map
	ReasonConversion ReasonKind = "conversion"  // []byte(s), string(b)
	ReasonConcat     ReasonKind = "concat"      // s + t
	ReasonMake       ReasonKind = "make"        // make of a size the compiler cannot see
	ReasonNew        ReasonKind = "new"         // &T{…}, new(T) or a slice literal, without an escape record
	ReasonClosure    ReasonKind = "closure"     // func literal or method value
	ReasonGo         ReasonKind = "go"          // a goroutine is started
	ReasonTiny       ReasonKind = "tiny"        // tiny allocations that share a block: profiles show some of them
	ReasonOutside    ReasonKind = "outside"     // allocated below a call that leaves the module
	ReasonUnknown    ReasonKind = "unexplained" // named, not dropped
	ReasonHot        ReasonKind = "hot"         // CPU time
	ReasonLibrary    ReasonKind = "library"     // most of the cost is in another module's or the standard library's package, called here
	ReasonBoxing     ReasonKind = "boxing"      // a value is put into an interface, without an escape record
	ReasonLoop       ReasonKind = "loop"        // it is in a loop, and costs each time round
	ReasonLock       ReasonKind = "lock"        // waiting for a mutex, or getting and giving it
	ReasonChannel    ReasonKind = "channel"     // a channel is made, sent to or received from
	ReasonBounds     ReasonKind = "bounds"      // CPU time of a line with bounds checks in a loop
	ReasonRune       ReasonKind = "rune"        // UTF-8 is decoded
	ReasonBytewise   ReasonKind = "bytewise"    // bytes are appended one at a time in a loop
)

// A Target is a source line of the user's module that costs, and why.
type Target struct {
	ID        string    `json:"id"` // stable within a run: T1, T2, …
	Benchmark Benchmark `json:"benchmark"`
	Resource  Resource  `json:"resource"`
	// At is the line in the user's module. Of a value that a test file makes
	// and that the module causes to escape, it is the line that does so.
	At Pos `json:"at"`
	// After is how many changes the run had kept in the file of At when the benchmark was profiled: its lines are
	// others than before.
	After int    `json:"after,omitempty"`
	Func  string `json:"func"` // symbol of the function it stands in
	Leaf  Frame  `json:"leaf"` // where the cost arises; inside a dependency it differs from At
	// Stack leads from the leaf outwards to the benchmark, with Module set on
	// the frames of the user's module; At is the first of those.
	Stack    []Frame `json:"stack"`
	PerOp    float64 `json:"per_op"`
	Bytes    float64 `json:"bytes,omitempty"` // per op, for Allocs
	Block    int64   `json:"block,omitempty"` // bytes of an object, as in Cost
	Share    float64 `json:"share"`           // of the benchmark's total of this resource
	CPUShare float64 `json:"cpu_share"`       // of the benchmark's CPU time that goes if the cost goes, at most
	Reason   Reason  `json:"reason"`
	Notes    []Note  `json:"notes,omitempty"`
	// Ceiling is the largest fraction of the benchmark's resource that can be
	// saved here, by Amdahl's law: nothing done to this line saves more.
	Ceiling float64 `json:"ceiling"`
	// Rank is the place of the target's statement among those of its benchmark,
	// from 1: all targets of a statement have the same.
	Rank    int    `json:"rank,omitempty"`
	Skipped string `json:"skipped,omitempty"` // why nothing will be tried here
	Leads   []Lead `json:"leads,omitempty"`   // what may help where nothing is tried, the nearest first
}

// An Edit replaces the bytes [Start, End) of a file by New.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// An Obligation is one thing that must hold for a change to keep behaviour,
// and how it was established.
type Obligation struct {
	Text string `json:"text"`
	// How is "proven" when the code shows it, "assumed" when it follows from a
	// documented contract of a package that was not read.
	How string `json:"how"`
	Why string `json:"why,omitempty"` // the fact that proves it, or the contract
}

// A Change is one hypothesis with one edit set: what is tried and, if it
// fails, rolled back as a whole.
type Change struct {
	ID          string       `json:"id"`         // stable over runs: a hash of kind, place and edits
	Kind        string       `json:"kind"`       // the transformation's name, "patch", or "proposal"
	Title       string       `json:"title"`      // imperative, one line
	Hypothesis  string       `json:"hypothesis"` // what should happen: "allocs/op of WriteMessage falls by 2"
	Class       string       `json:"class"`      // fix class: A proven, B offered
	Targets     []Target     `json:"targets"`    // what it aims at; empty for a patch
	Edits       []Edit       `json:"edits"`
	Tests       []Edit       `json:"tests,omitempty"` // that it brings: they are run and not kept
	Obligations []Obligation `json:"obligations,omitempty"`
	Retains     string       `json:"retains,omitempty"` // what stays allocated because of it, in words
	// MustDrive says that it is kept only if base and candidate of what it
	// changes were run side by side.
	MustDrive bool `json:"must_drive,omitempty"`
	// MustSave is how many objects per op of its benchmark it has to save at least, where it does
	// the same at several places; 0 for others.
	MustSave float64 `json:"must_save,omitempty"`
	// Inlines is the function whose calls the compiler should come to inline,
	// when that is the point of the change.
	Inlines *Declared `json:"inlines,omitempty"`
}

// A Declared is a declared function of the tree.
type Declared struct {
	File string `json:"file"`
	Name string `json:"name"` // "F", "(*T).M", "T.M"; type parameters left out
}
