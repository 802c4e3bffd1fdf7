package model

import "strings"

// A Driven is what driving base and candidate of one changed function side by
// side showed: the same inputs into both, and everything observable compared.
type Driven struct {
	Func string `json:"func"` // import path and name: "example.com/m.(*T).F"
	At   Pos    `json:"at"`
	// Inputs is how many inputs were recorded from tests and benchmarks, Pairs
	// how many calls of both sides were compared, recorded and generated, and
	// Calls how often the function was called while recording.
	Inputs int `json:"inputs"`
	Pairs  int `json:"pairs"`
	Calls  int `json:"calls"`
	// Concurrent says that calls at the same time on one receiver were compared,
	// and NoConcurrent why they were not.
	Concurrent   bool         `json:"concurrent,omitempty"`
	NoConcurrent string       `json:"no_concurrent,omitempty"`
	Differences  []Difference `json:"differences,omitempty"`
	// Skipped is why it could not be driven at all; Uncompared names the parts
	// of its behaviour that were not compared.
	Skipped    string   `json:"skipped,omitempty"`
	Uncompared []string `json:"uncompared,omitempty"`
	// Fresh is what inputs cost that were not seen before.
	Fresh *Fresh `json:"fresh,omitempty"`
	// Judged is what the benchmarks that judge the change call it with.
	Judged []Judged `json:"judged,omitempty"`
}

// A Judged says what of the calls was compared that a judging benchmark makes of a
// function.
type Judged struct {
	Benchmark string `json:"benchmark"`
	Calls     int    `json:"calls"`
	Inputs    int    `json:"inputs"`        // of a few of the calls, that were copied and compared
	Why       string `json:"why,omitempty"` // why others, or all, were not
}

// InternalState ends the Where of a difference in fields of a value that only
// its own package sees.
const InternalState = ", internal state"

// LiveResults is the Where of a difference in what the results of one call keep
// alive.
const LiveResults = "memory that the results of one call keep alive"

// Consent returns the kind by which a user may allow the difference, "" for one
// that is never let through.
func (d Difference) Consent() SuspicionKind {
	switch {
	case strings.Contains(d.Where, InternalState): // of a later call, too
		return SuspectInternal
	case d.Where == LiveResults:
		return SuspectState
	case d.Kind == DiffErrorText:
		return SuspectErrorText
	case d.Kind == DiffBeside:
		return SuspectBeside
	case d.Kind == DiffNil:
		return SuspectNil
	case d.Kind == DiffDeleted:
		return SuspectUncompared
	case d.Kind == DiffPanic && strings.HasPrefix(d.Base, "panics") && strings.HasPrefix(d.Candidate, "returns"):
		return SuspectBetter
	}
	return ""
}

// OK reports whether nothing differed.
func (d Driven) OK() bool { return len(d.Differences) == 0 }

// A DifferenceKind classifies how base and candidate differ.
type DifferenceKind string

// The kinds of differences.
const (
	DiffResult      DifferenceKind = "result"          // a result that is no error
	DiffError       DifferenceKind = "error"           // wrapping, type or nil-ness of an error
	DiffErrorText   DifferenceKind = "error text"      // both fail for the same reason as far as a program can tell, in other words
	DiffBeside      DifferenceKind = "beside an error" // another result beside an error that both return
	DiffNil         DifferenceKind = "nilness"         // one gives a nil slice, the other an empty one
	DiffPanic       DifferenceKind = "panic"           // one panics, or with another value
	DiffArgument    DifferenceKind = "argument"        // an argument, or the receiver, is left in another state
	DiffAliasing    DifferenceKind = "aliasing"        // memory that was returned earlier changes later
	DiffLeak        DifferenceKind = "leak"            // writing to what was returned, or to an argument after the call, changes later results
	DiffConcurrent  DifferenceKind = "concurrent"      // races, or differs, when called at the same time
	DiffCalls       DifferenceKind = "calls"           // calls what it was given (a func parameter) in another way
	DiffHang        DifferenceKind = "hang"            // only the candidate does not return
	DiffGoroutines  DifferenceKind = "goroutines"      // leaves goroutines behind
	DiffDescriptors DifferenceKind = "descriptors"     // leaves file descriptors open
	DiffHeap        DifferenceKind = "heap"            // keeps more and more memory
	DiffDeleted     DifferenceKind = "deleted"         // a branch that guarded something is gone, and no input took it
)

// A Difference is one way in which the candidate does not behave as the base.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	// Where names the part: "result 0", "argument 1 (p)", "receiver", "call 3".
	Where     string `json:"where"`
	Base      string `json:"base"` // as Go-like text, shortened
	Candidate string `json:"candidate"`
	Input     string `json:"input"`               // the arguments, as Go-like text, shortened
	Generated bool   `json:"generated,omitempty"` // the input was generated from a recorded one
	Times     int    `json:"times"`               // of how many pairs this holds
}

// A Fresh compares what inputs cost that no call has seen before with what the
// same inputs cost when they come again. A candidate that only wins on repeats
// remembers answers.
type Fresh struct {
	Inputs int `json:"inputs"`
	// Objects allocated per call, as medians: of inputs that come for the first time, and of
	// the same inputs when they come again. Where they are a fifth or more, only
	// those count on which the candidate saves an object when they come again.
	// Bytes are of distinct inputs.
	BaseAllocs       float64 `json:"base_allocs"`
	CandAllocs       float64 `json:"cand_allocs"`
	BaseBytes        float64 `json:"base_bytes"`
	CandBytes        float64 `json:"cand_bytes"`
	RepeatBaseAllocs float64 `json:"repeat_base_allocs"`
	RepeatCandAllocs float64 `json:"repeat_cand_allocs"`
	// CPU time of the candidate over that of the base, the same way: medians of
	// interleaved passes.
	CPURatio       float64 `json:"cpu_ratio"`
	RepeatCPURatio float64 `json:"repeat_cpu_ratio"`
}

// A State is memory of the candidate that lives across calls and that the base
// does not have: a cache, a pool, a buffer that is used again.
type State struct {
	At   Pos    `json:"at"`
	Name string `json:"name"` // "Conn.scratch", "bufPool"
	Kind string `json:"kind"` // "field", "package variable", "pool", "map", "closure"
	// Bound says what keeps it from growing, or "" when nothing was found.
	Bound string `json:"bound,omitempty"`
	// Retained is how many bytes one instance kept after it was driven, and
	// Instances how many were alive at once while recording; -1 where unknown.
	Retained  int64  `json:"retained"`
	Instances int    `json:"instances"`
	Grows     bool   `json:"grows,omitempty"` // it still grew with every fresh input at the end
	Detail    string `json:"detail,omitempty"`
}

// A Suspicion is something in a change that looks as if it wins the benchmark
// and not the work: it is refused unless the user allows its kind by name.
type Suspicion struct {
	Kind   SuspicionKind `json:"kind"`
	At     Pos           `json:"at"`
	Detail string        `json:"detail"` // one line: what was seen
	Code   string        `json:"code,omitempty"`
	Try    string        `json:"try,omitempty"` // what would make it acceptable
}

// A SuspicionKind is one kind of cheat; -allow takes the same word.
type SuspicionKind string

// The kinds of suspicions.
const (
	SuspectFrozen      SuspicionKind = "frozen"      // touches what judges it: tests, benchmarks, testdata, module files
	SuspectDirective   SuspicionKind = "directive"   // build tags, compiler directives, linkname, cgo
	SuspectRuntime     SuspicionKind = "runtime"     // GC settings, GOMAXPROCS, runtime and debug knobs
	SuspectDetect      SuspicionKind = "detect"      // asks whether a benchmark or a test is running
	SuspectSetup       SuspicionKind = "setup"       // work moved out of the timed region: init, package variables, constructors, goroutines
	SuspectCount       SuspicionKind = "count"       // behaves differently after so many calls (b.N)
	SuspectPrecomputed SuspicionKind = "precomputed" // knows the benchmark's input or its answer
	SuspectState       SuspicionKind = "state"       // new state that lives across calls
	SuspectUnsafe      SuspicionKind = "unsafe"      // unsafe where the base had none
	SuspectSafeguard   SuspicionKind = "safeguard"   // a lock, a copy, randomness or a comparison for secrets that is gone or weaker
	SuspectAPI         SuspicionKind = "api"         // exported API differs
	SuspectInternal    SuspicionKind = "internal"    // a receiver, an argument or a result has another internal state
	SuspectErrorText   SuspicionKind = "errortext"   // errors say the same in other words
	SuspectBeside      SuspicionKind = "beside"      // results beside an error differ
	SuspectNil         SuspicionKind = "nil"         // a nil slice instead of an empty one, or the other way round
	SuspectBetter      SuspicionKind = "better"      // a result or an error where the base panics
	SuspectUncompared  SuspicionKind = "uncompared"  // no changed function could be driven side by side with the base
	SuspectTrade       SuspicionKind = "trade"       // a benchmark gets slower or allocates more objects, and another figure gains
)

// Lets says what differs where -allow lets through a difference in behaviour, ""
// for other kinds.
func (k SuspicionKind) Lets() string {
	return map[SuspicionKind]string{
		SuspectInternal:  "another internal state",
		SuspectErrorText: "other words in an error",
		SuspectBeside:    "another result beside an error",
		SuspectNil:       "nil in place of an empty slice, or the other way round",
		SuspectBetter:    "a result where the base panics",
	}[k]
}

// A Worth is what a change is worth in a production profile: share × gain.
type Worth struct {
	Profile string   `json:"profile"` // the file
	Funcs   []string `json:"funcs"`   // changed functions that the profile shows
	// Share is the part of the profile that is spent in and below the changed
	// functions, Gain the part of their cost that the change saves, and Saves
	// their product: what all of production saves at most.
	Resource string  `json:"resource"` // "cpu" or "alloc_space"
	Share    float64 `json:"share"`
	Gain     float64 `json:"gain"`
	Saves    float64 `json:"saves"`
	Samples  int64   `json:"samples"` // of the whole profile
	In       int64   `json:"in"`      // of these, in and below the changed functions
	// The intervals, at 95 %. They are combined end by end.
	ShareLo float64 `json:"share_lo"`
	ShareHi float64 `json:"share_hi"`
	GainLo  float64 `json:"gain_lo"`
	GainHi  float64 `json:"gain_hi"`
	SavesLo float64 `json:"saves_lo"`
	SavesHi float64 `json:"saves_hi"`
	// Estimate says that a gain in allocations was weighed by a CPU profile, by
	// the time that allocating and collecting take.
	Estimate bool `json:"estimate,omitempty"`
	// Likeness is how like production the benchmark is by which the gain was measured.
	Likeness *Likeness `json:"likeness,omitempty"`
}

// Allowable returns the kinds that a user may consent to: what they name can be
// what a good change does. The others are never let through.
func Allowable() []SuspicionKind {
	return []SuspicionKind{SuspectState, SuspectSetup, SuspectUnsafe, SuspectSafeguard, SuspectRuntime, SuspectDirective, SuspectAPI, SuspectInternal, SuspectErrorText, SuspectBeside, SuspectNil, SuspectBetter, SuspectUncompared, SuspectTrade}
}
