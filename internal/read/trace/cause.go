package trace

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A cause is the index of a model.WaitCause in causes.
type cause uint8

const (
	causeSync cause = iota
	causeChannel
	causeSelect
	causeNetwork
	causeSyscall
	causeSleep
	causeSched
	causeAssist
	causeGC
	causeOther
	numCauses
)

// A causeInfo is what is said about a cause.
type causeInfo struct {
	name    model.WaitCause
	meaning string
	lever   string
	rules   []string
}

var causes = [numCauses]causeInfo{
	causeSync: {
		name:    model.WaitSync,
		meaning: "Goroutines waited for a mutex, a condition or a WaitGroup.",
		lever:   "Do less while the lock is held, above all no I/O, or give each part of the data a lock of its own. A WaitGroup's waiter only waits for others: look at them.",
		rules:   []string{"lockio", "falsesharing"},
	},
	causeChannel: {
		name:    model.WaitChannel,
		meaning: "Goroutines waited to send to, or to receive from, a channel.",
		lever:   "Receivers that wait are idle, and cost nothing. Where senders wait, the receiver is the bottleneck: make it faster, start more of them, or send many items at a time.",
		rules:   []string{"itemalloc", "channelcounter", "queuebound"},
	},
	causeSelect: {
		name:    model.WaitSelect,
		meaning: "Goroutines waited in a select.",
		lever:   "Loops that wait for work stand here, and cost nothing. If results come late, follow the goroutine that sends them; look for timers where an event would do.",
		rules:   []string{"timeafter", "busyselect"},
	},
	causeNetwork: {
		name:    model.WaitNetwork,
		meaning: "Goroutines waited for a connection or a pipe to become ready.",
		lever:   "Servers wait for requests here, which costs nothing. Where a request waits for another service: keep connections, send requests at the same time or in one, save round trips.",
		rules:   []string{"clientpercall", "transportpercall", "drainbody", "unbuffered"},
	},
	causeSyscall: {
		name:    model.WaitSyscall,
		meaning: "Goroutines were in system calls, or in C.",
		lever:   "Make fewer and larger calls: buffer, look a file up once, sync once for many writes, batch calls of C.",
		rules:   []string{"unbuffered", "statopen", "statafterreaddir", "fsyncfile", "cgobatch"},
	},
	causeSleep: {
		name:    model.WaitSleep,
		meaning: "Goroutines were in time.Sleep.",
		lever:   "If something is polled, let it wake the goroutine instead: a channel, a condition, a context. A pause between retries may be meant.",
	},
	causeSched: {
		name:    model.WaitSched,
		meaning: "Goroutines were ready to run and had no processor.",
		lever:   "If the processors are busy, find what takes the CPU (a CPU profile) or run fewer goroutines at a time. If they are not, look for stops of the world and for a CPU limit of the container.",
		rules:   []string{"goroutineperitem", "gosched", "lockosthread", "gomaxprocs"},
	},
	causeAssist: {
		name:    model.WaitGCAssist,
		meaning: "Goroutines that allocate had to mark for the collector, since it did not keep up.",
		lever:   "Allocate less (pawl find -profile mem.pprof), or give the heap more room with GOGC and GOMEMLIMIT.",
		rules:   []string{"mapsize", "slicesize", "scratch", "sprintf", "gogc", "gomemlimit"},
	},
	causeGC: {
		name:    model.WaitGC,
		meaning: "Goroutines swept before they got memory, or waited for the collector.",
		lever:   "Allocate less, and do not ask for collections: runtime.GC, debug.FreeOSMemory and runtime.ReadMemStats wait for the collector, or stop the world.",
		rules:   []string{"gcrequest", "readmemstats", "freememory"},
	},
	causeOther: {
		name:    model.WaitOther,
		meaning: "Goroutines waited for something that the trace does not name: coroutines of iter.Pull, a nil channel, select{}, or what began before the trace.",
		lever:   "See the stacks, and for what began before it record a longer trace.",
	},
}

// causeOf says what a wait is for, by the runtime's reason. The trace has no
// reason for waits that began before it: "" is causeOther.
func causeOf(reason string) cause {
	switch {
	case reason == "network":
		return causeNetwork
	case reason == "select":
		return causeSelect
	case reason == "sleep":
		return causeSleep
	case strings.HasPrefix(reason, "chan "):
		return causeChannel
	case strings.HasPrefix(reason, "sync"): // sync, sync.(*Cond).Wait, synctest
		return causeSync
	case reason == "GC mark assist wait for work":
		return causeAssist
	case strings.HasPrefix(reason, "GC "), reason == "wait until GC ends", reason == "preempted":
		return causeGC // a goroutine is preempted for its stack to be scanned
	}
	return causeOther
}

// parkedIn tells the cause by the functions that park a goroutine.
var parkedIn = map[string]cause{
	"runtime.chanrecv1":                     causeChannel,
	"runtime.chanrecv2":                     causeChannel,
	"runtime.chanrecv":                      causeChannel,
	"runtime.chansend1":                     causeChannel,
	"runtime.chansend":                      causeChannel,
	"runtime.selectgo":                      causeSelect,
	"runtime.netpollblock":                  causeNetwork,
	"internal/poll.runtime_pollWait":        causeNetwork,
	"internal/poll.(*pollDesc).wait":        causeNetwork,
	"time.Sleep":                            causeSleep,
	"sync.runtime_Semacquire":               causeSync,
	"sync.runtime_SemacquireMutex":          causeSync,
	"sync.runtime_SemacquireWaitGroup":      causeSync,
	"sync.runtime_SemacquireRWMutex":        causeSync,
	"sync.runtime_SemacquireRWMutexR":       causeSync,
	"sync.runtime_notifyListWait":           causeSync,
	"internal/sync.runtime_SemacquireMutex": causeSync,
	"internal/poll.runtime_Semacquire":      causeSync,
	"sync.(*WaitGroup).Wait":                causeSync,
	"sync.(*Cond).Wait":                     causeSync,
	"sync.(*Mutex).Lock":                    causeSync,
	"internal/sync.(*Mutex).lockSlow":       causeSync,
	"sync.(*RWMutex).Lock":                  causeSync,
	"sync.(*RWMutex).RLock":                 causeSync,
	"runtime.gcAssistAlloc":                 causeAssist,
	"runtime.GC":                            causeGC,
}

// innermost is how many frames of a stack are looked at for the function that
// parks.
const innermost = 8

// isCollector reports whether the runtime's locks around the collector are taken
// there: their reason is that of all locks.
func isCollector(frames []frame) bool {
	for i, f := range frames {
		if i == innermost {
			break
		}
		switch f.fn {
		case "runtime.gcStart", "runtime.gcMarkDone", "runtime.GC", "runtime.stopTheWorld", "runtime.stopTheWorldGC":
			return true
		}
	}
	return false
}

// causeIn tells the cause of a wait by its stack, innermost first.
func causeIn(frames []frame) cause {
	for i, f := range frames {
		if i == innermost {
			break
		}
		if c, ok := parkedIn[f.fn]; ok {
			return c
		}
	}
	return causeOther
}
