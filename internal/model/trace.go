package model

import "time"

// A Trace is what an execution trace says about waiting: of goroutines for
// each other, for the system, for the collector and for a processor. Times are
// nanoseconds of wall time, summed over goroutines where the name does not say
// otherwise.
type Trace struct {
	Schema     int          `json:"schema"`
	Tool       string       `json:"tool"`
	File       string       `json:"file"`
	Format     string       `json:"format"`            // of the file: "1.26" is what Go 1.26 writes
	Started    *time.Time   `json:"started,omitempty"` // by the wall clock; traces before Go 1.25 do not have it
	DurationNs int64        `json:"duration_ns"`
	Bytes      int64        `json:"bytes"` // that were read
	Events     int64        `json:"events"`
	Goroutines int          `json:"goroutines"` // seen, the runtime's own apart
	RunningNs  int64        `json:"running_ns"` // of these goroutines
	Causes     []TraceCause `json:"causes"`     // the largest first
	Groups     []TraceGroup `json:"groups"`     // the one that waited or ran longest first
	Stalls     []TracePlace `json:"stalls"`     // the longest wait first
	Parked     []TracePark  `json:"parked"`     // goroutines that waited from the first event to the last
	GC         TraceGC      `json:"gc"`
	Processors TraceProcs   `json:"processors"`
	Warnings   []Warning    `json:"warnings,omitempty"`
	Stopped    string       `json:"stopped,omitempty"` // why reading ended before the trace did
}

// Waited returns the time of all causes together.
func (t *Trace) Waited() int64 {
	var sum int64
	for _, c := range t.Causes {
		sum += c.TotalNs
	}
	return sum
}

// A WaitCause is why a goroutine did not get on.
type WaitCause string

// The causes.
const (
	WaitSync     WaitCause = "sync"      // mutexes, conditions, wait groups
	WaitChannel  WaitCause = "channel"   // send and receive
	WaitSelect   WaitCause = "select"    // select with several cases
	WaitNetwork  WaitCause = "network"   // the poller: connections, pipes, terminals
	WaitSyscall  WaitCause = "syscall"   // inside a system call or cgo
	WaitSleep    WaitCause = "sleep"     // time.Sleep
	WaitSched    WaitCause = "scheduler" // runnable, and not running yet
	WaitGCAssist WaitCause = "gc-assist" // marking for the collector, or waiting to
	WaitGC       WaitCause = "gc-wait"   // sweeping, or waiting for a phase of the collector
	WaitOther    WaitCause = "other"     // coroutines, waits without end, what is not known
)

// Waits counts the waits for one cause.
type Waits struct {
	Count     int64 `json:"count"`
	TotalNs   int64 `json:"total_ns"`
	LongestNs int64 `json:"longest_ns"`
	// LongestCut: the longest one did not begin, or did not end, in the trace.
	LongestCut bool `json:"longest_cut,omitempty"`
	// Cut is how many began before the trace or went on after it: they were
	// longer than they count here.
	Cut int64 `json:"cut,omitempty"`
}

// A TraceCause is all waiting for one cause.
type TraceCause struct {
	Cause   WaitCause `json:"cause"`
	Share   float64   `json:"share"` // of the time of all causes
	Meaning string    `json:"meaning"`
	Lever   string    `json:"lever"`
	Rules   []string  `json:"rules,omitempty"` // names of the catalogue
	Waits
	Places []TracePlace `json:"places"` // where most of that time is, the largest first
}

// A TraceGroup is the goroutines that one function was started as.
type TraceGroup struct {
	Func       string         `json:"func"`
	By         string         `json:"by,omitempty"` // who had them started, where Func is a closure of a library such as errgroup
	Goroutines int            `json:"goroutines"`
	Runtime    bool           `json:"runtime,omitempty"` // the runtime's own: not part of the causes
	RunningNs  int64          `json:"running_ns"`
	Waits      []TraceGrouped `json:"waits"` // the largest first
}

// Waited returns the time of all causes together.
func (g *TraceGroup) Waited() int64 {
	var sum int64
	for _, w := range g.Waits {
		sum += w.TotalNs
	}
	return sum
}

// A TraceGrouped is the waits of a group for one cause.
type TraceGrouped struct {
	Cause WaitCause `json:"cause"`
	Waits
}

// A TracePlace is a stack at which goroutines waited, with its longest wait.
// For the scheduler the stack is that of the goroutine that made it runnable.
type TracePlace struct {
	Cause     WaitCause `json:"cause"`
	Reason    string    `json:"reason,omitempty"` // the runtime's own word
	Func      string    `json:"func"`             // the start function of the goroutine that waited longest
	By        string    `json:"by,omitempty"`     // as for a group
	Goroutine int64     `json:"goroutine"`
	AtNs      int64     `json:"at_ns"` // when that wait began, from the start of the trace
	Stack     []Frame   `json:"stack"` // innermost first
	Home      int       `json:"home"`  // index in Stack of the innermost frame outside the standard library; -1 when there is none
	Waits
}

// A TracePark is goroutines that never ran: they waited for the same cause at
// the same place for as long as the trace lasts.
type TracePark struct {
	Cause      WaitCause `json:"cause"`
	Func       string    `json:"func"`
	By         string    `json:"by,omitempty"` // as for a group
	Goroutines int       `json:"goroutines"`
	Stack      []Frame   `json:"stack"`
	Home       int       `json:"home"` // as for a place
}

// A TraceGC is what the collector did.
type TraceGC struct {
	Cycles        int        `json:"cycles"`
	MarkNs        int64      `json:"mark_ns"`    // wall time with a mark phase
	MarkShare     float64    `json:"mark_share"` // of the trace
	WorkerNs      int64      `json:"worker_ns"`  // of processors, by dedicated and fractional workers
	IdleNs        int64      `json:"idle_ns"`    // by workers on processors with nothing else to do
	AssistNs      int64      `json:"assist_ns"`  // goroutines marking, or waiting to
	Assists       int64      `json:"assists"`
	SweepNs       int64      `json:"sweep_ns"` // goroutines sweeping before they get memory
	CPUShare      float64    `json:"cpu_share"`
	Stops         []TraceSTW `json:"stops"` // of the world, the longest in all first
	StoppedNs     int64      `json:"stopped_ns"`
	LongestStopNs int64      `json:"longest_stop_ns"`
}

// A TraceSTW is the stops of the world for one reason.
type TraceSTW struct {
	Reason string `json:"reason"`
	Waits
}

// A TraceProcs is how the processors (Ps) were used.
type TraceProcs struct {
	Max       int     `json:"max"`     // GOMAXPROCS, the largest in the trace
	BusyNs    int64   `json:"busy_ns"` // goroutines ran on them
	BusyShare float64 `json:"busy_share"`
	// SaturatedShare is the part of the trace in which all were busy while
	// goroutines were ready to run; QueueMean and QueueMax are how many were.
	SaturatedShare float64     `json:"saturated_share"`
	QueueMean      float64     `json:"queue_mean"`
	QueueMax       int         `json:"queue_max"`
	Each           []TraceProc `json:"each"`
}

// A TraceProc is one processor.
type TraceProc struct {
	ID        int64   `json:"id"`
	BusyShare float64 `json:"busy_share"`
}
