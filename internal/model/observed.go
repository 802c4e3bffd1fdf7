package model

// An Observed is a run of a program that pawl has watched: its benchmarks, the
// program with profiles taken inside, or any command from outside.
type Observed struct {
	Form    string  `json:"form"`    // benchmarks, program or command
	Target  string  `json:"target"`  // the package as named, or the command
	Seconds float64 `json:"seconds"` // of wall time that it ran
	CPUNs   float64 `json:"cpu_ns"`  // of all its processes that were waited for
	// Ended says how it ended: "exit code 3", "by pawl after 10 s".
	Ended       string         `json:"ended"`
	Interrupted bool           `json:"interrupted,omitempty"` // pawl was: there would be more
	Code        int            `json:"code"`                  // -1 when a signal ended it
	Benchmarks  []RanBenchmark `json:"benchmarks,omitempty"`
	Empty       []string       `json:"empty,omitempty"`   // kinds of profiles that were taken and have no samples
	Process     *ProcessUse    `json:"process,omitempty"` // of commands, where the system tells
	GC          *GCLines       `json:"gc,omitempty"`      // of commands that are Go programs
	Signs       []Sign         `json:"signs,omitempty"`   // of commands: what stands out
	Below       []Sign         `json:"below,omitempty"`   // and what is there and does not
	Hint        string         `json:"hint,omitempty"`    // a way to see more
	Warnings    []Warning      `json:"warnings,omitempty"`
}

// A RanBenchmark is a benchmark that ran under the profilers.
type RanBenchmark struct {
	Pkg     string  `json:"pkg"`
	Name    string  `json:"name"` // with the suffix -N of testing
	N       int64   `json:"n"`
	Seconds float64 `json:"seconds"` // of its last round, which has all N iterations
}

// A ProcessUse is what the system says about a command and what it started.
type ProcessUse struct {
	Samples     int     `json:"samples"`      // looks that were taken
	Processes   int     `json:"processes"`    // the most at a time
	Threads     int     `json:"threads"`      // the most at a time
	PeakRSS     float64 `json:"peak_rss"`     // bytes, of all together
	LastRSS     float64 `json:"last_rss"`     // bytes, when it was last looked at
	Voluntary   float64 `json:"voluntary"`    // context switches of threads that had nothing to do
	Involuntary float64 `json:"involuntary"`  // context switches of threads that were made to leave a core
	RunNs       float64 `json:"run_ns"`       // that threads ran, and
	WaitNs      float64 `json:"wait_ns"`      // that they were ready and had no core
	Periods     float64 `json:"periods"`      // of the CPU limit of its control group; 0 without a limit
	Throttled   float64 `json:"throttled"`    // of these, in which it was stopped
	ThrottledNs float64 `json:"throttled_ns"` // that it was stopped for
	Cores       float64 `json:"cores"`        // that the limit allows; 0 without one
}

// GCLines is what the lines of GODEBUG=gctrace=1 add up to.
type GCLines struct {
	Cycles        int64   `json:"cycles"`
	Forced        int64   `json:"forced"`    // by runtime.GC and the like
	Least         int64   `json:"least"`     // cycles at least heap goal that there is, 4 MB
	CPUNs         float64 `json:"cpu_ns"`    // of the collector, without idle workers
	AssistNs      float64 `json:"assist_ns"` // of that, goroutines that had to help
	IdleNs        float64 `json:"idle_ns"`   // of workers on cores that had nothing else to do
	StopNs        float64 `json:"stop_ns"`   // of wall time that the world stood still
	LongestStopNs float64 `json:"longest_stop_ns"`
	LiveBytes     float64 `json:"live_bytes"`      // the most that was live after a cycle, in steps of 1 MB
	LastLiveBytes float64 `json:"last_live_bytes"` // after the last cycle
	GoalBytes     float64 `json:"goal_bytes"`      // the greatest goal
	Processors    int     `json:"processors"`      // GOMAXPROCS
	Programs      int     `json:"programs"`        // that wrote such lines
}
