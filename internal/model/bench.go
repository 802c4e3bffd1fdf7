package model

import (
	"cmp"
	"regexp"
	"strings"
)

// A Benchmark names one benchmark: a leaf that is timed, not a parent of
// sub-benchmarks.
type Benchmark struct {
	Pkg  string `json:"pkg"`  // import path
	Name string `json:"name"` // as go test prints it, without the -N of GOMAXPROCS: "BenchmarkX/sub"
}

// String returns the name without its package, the way benchstat prints it; "Benchmark"
// for a function that is called so.
//
//go:noinline
func (b Benchmark) String() string { return cmp.Or(strings.TrimPrefix(b.Name, "Benchmark"), b.Name) }

// Regexp returns the -test.bench pattern that selects this benchmark alone.
func (b Benchmark) Regexp() string {
	parts := strings.Split(b.Name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// A Clock says which clock a sample's CPU time was read from.
type Clock string

const (
	// ClockProcess is CLOCK_PROCESS_CPUTIME_ID read where the testing package
	// starts and stops its timer, by an overlay of testing/benchmark.go.
	ClockProcess Clock = "process-cpu"
	// ClockRusage is the CPU time of the whole process less that of a process
	// that runs one iteration. It is used where the overlay cannot be built.
	ClockRusage Clock = "rusage"
	// ClockWall is the wall clock, for benchmarks that sleep, do I/O or run
	// in parallel.
	ClockWall Clock = "wall"
)

// An Arm is the side of a comparison that a sample belongs to.
type Arm string

// The two arms.
const (
	Base      Arm = "base"
	Candidate Arm = "candidate"
)

// A Sample is one timed slice of one benchmark in one fresh process.
type Sample struct {
	Benchmark Benchmark `json:"benchmark"`
	Arm       Arm       `json:"arm"`
	N         int64     `json:"n"`          // iterations
	CPUNs     float64   `json:"cpu_ns"`     // process CPU time per op
	WallNs    float64   `json:"wall_ns"`    // wall time per op
	Allocs    uint64    `json:"allocs"`     // heap objects in all N iterations
	Bytes     uint64    `json:"bytes"`      // heap bytes in all N iterations
	GCs       int64     `json:"gcs"`        // garbage collections in the timed region
	Stops     int64     `json:"stops"`      // calls of StopTimer in the timed region
	AllCPUNs  float64   `json:"all_cpu_ns"` // CPU time of the whole process, set-up included
	Clock     Clock     `json:"clock"`
	Unit      int       `json:"unit"` // index of the duet or pair it belongs to
	// Link is the number of the pair of fresh links that the sample was taken
	// on, from 1; 0 for the build's own link.
	Link int `json:"link,omitempty"`
	// Ordered says that both links of the pair have their functions in one order.
	Ordered bool `json:"ordered,omitempty"`
	// GCCPUNs is the CPU time of the collector per op, the help of allocating
	// goroutines included, and a part of CPUNs; 0 where the clock cannot tell.
	// Only collections that ended within the slice are in it.
	GCCPUNs float64 `json:"gc_cpu_ns,omitempty"`
	// ThrottledNs is for how long the system kept the control group of the
	// processes from running while this unit ran: its quota was used up.
	ThrottledNs float64 `json:"throttled_ns,omitempty"`
	// Metrics are the figures that the benchmark reported by b.ReportMetric, by unit.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// AllocsPerOp returns the heap objects per iteration, with their fraction:
// testing rounds down, and 0.97 is not 0.
func (s Sample) AllocsPerOp() float64 { return float64(s.Allocs) / float64(s.N) }

// BytesPerOp returns the heap bytes per iteration, with their fraction.
func (s Sample) BytesPerOp() float64 { return float64(s.Bytes) / float64(s.N) }

// A Mode is how the two arms of a comparison are run.
type Mode string

const (
	// Duet runs both arms at the same time on one core and compares CPU time.
	Duet Mode = "duet"
	// Parallel runs both arms at the same time on all cores, with the user's
	// GOMAXPROCS, and compares the CPU time of all threads. It is for benchmarks
	// that keep every processor busy: where one waits, that does not show.
	Parallel Mode = "parallel"
	// Alternate runs the arms one after the other, in random order, and
	// compares wall time.
	Alternate Mode = "alternate"
)

// A Plan is how one benchmark is sampled: found once, by calibration, and the
// same for both arms.
type Plan struct {
	Benchmark Benchmark `json:"benchmark"`
	N         int64     `json:"n"`              // iterations of a slice
	SliceNs   float64   `json:"slice_ns"`       // CPU time of a slice as predicted
	SetupNs   float64   `json:"setup_ns"`       // untimed CPU time of a process: start-up and set-up
	TimedNs   float64   `json:"timed_setup_ns"` // set-up that the benchmark times by mistake
	Mode      Mode      `json:"mode"`
	Clock     Clock     `json:"clock"`
	Warnings  []Warning `json:"warnings,omitempty"`
}

// A Scaling is how a parallel benchmark does with more processors: the wall
// time per op with Procs of them against that with one. 1/Procs is perfect, and
// 1 is no gain.
type Scaling struct {
	Procs int     `json:"procs"`
	Ratio float64 `json:"ratio"` // median of the pairs
	Lo    float64 `json:"lo"`    // the range of the pairs
	Hi    float64 `json:"hi"`
	Pairs int     `json:"pairs"`
}

// Stats are one benchmark's figures on one tree, per op.
type Stats struct {
	CPUNs    float64 `json:"cpu_ns"`
	WallNs   float64 `json:"wall_ns,omitempty"` // of runs that had a core to themselves
	Allocs   float64 `json:"allocs"`
	Bytes    float64 `json:"bytes"`
	Retained float64 `json:"retained_bytes"` // see Retention
}

// A Warning is something that was seen and that weakens or explains a result.
type Warning struct {
	Seen  string `json:"seen"`            // what was observed, with its figure
	Cause string `json:"cause,omitempty"` // the likely cause
	Try   string `json:"try,omitempty"`   // what to do about it
}
