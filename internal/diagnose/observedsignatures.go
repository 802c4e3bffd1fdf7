package diagnose

import "github.com/pawl-dev/pawl/internal/profile"

// ofRun is the kind of what is seen of a command from outside: it is no profile.
const ofRun profile.Kind = "command"

// What is seen of a command from outside.
const (
	atLeastHeap = "smallheap"
	onRequest   = "forced"
	stopped     = "stops"
	assisting   = "assist"
	waitingCore = "cores"
	throttled   = "throttled"
	beyondHeap  = "memory"
)

func observedSignatures() []Signature {
	return append(gctraceSignatures(), systemSignatures()...)
}

// gctraceSignatures are those of the lines of GODEBUG=gctrace=1.
func gctraceSignatures() []Signature {
	return []Signature{
		{
			Kind: ofRun, Name: collecting, Title: "collecting garbage", What: "CPU time of the command", Threshold: 0.10, Least: 10e6,
			Meaning: "What the collector's own lines say it used: marking by workers, marking that allocating goroutines had to help with, and the stops. Sweeping and the price of allocating come on top.",
			Lever:   "Allocate fewer bytes, or keep fewer pointers alive: a heap profile has the lines. Where memory is to spare, raise GOGC: twice the value, about half the cycles. GOMEMLIMIT is what makes a high GOGC safe.",
			Before:  "The memory is there: with GOGC=200 the heap peaks at three times what is live, and not at twice.",
			Gap:     "A GOMEMLIMIT near what is live makes it collect all the time.",
			Rules:   []string{"gogc", "gomemlimit", "pointermap", "pointerslice", "escapes"},
		},
		{
			Kind: ofRun, Name: assisting, Title: "goroutines made to help the collector", What: "CPU time of the collector", Threshold: 0.20, Least: 10e6,
			Meaning: "A goroutine that allocates faster than the workers mark has to mark before it gets its memory. Users see it as latency.",
			Lever:   "Fewer bytes on the lines that allocate most while a cycle runs; a higher GOGC, so that cycles begin earlier and are fewer; a core to spare.",
			Before:  "The heap profile's lines are known; GOMAXPROCS is not below the cores that are there.",
			Gap:     "A higher GOGC holds more memory.",
			Rules:   []string{"gogc", "slicesize", "scratch", "gomaxprocs"},
		},
		{
			Kind: ofRun, Name: atLeastHeap, Title: "collecting a heap that is hardly there", What: "collections", Threshold: 0.50, Least: 20,
			Meaning: "Almost nothing is alive, so the goal is the least that there is, 4 MB, and each 4 MB that are allocated start a cycle.",
			Lever:   "GOGC: at 400 the least goal is 16 MB. For commands that end soon, GOGC=off with a GOMEMLIMIT.",
			Before:  "The memory is there, for as many of these programs as run at a time.",
			Gap:     "GOGC=off without a GOMEMLIMIT lets the heap grow without end.",
			Rules:   []string{"gogc", "gomemlimit"},
		},
		{
			Kind: ofRun, Name: onRequest, Title: "collections that the program asks for", What: "collections", Threshold: 0.20, Least: 5,
			Meaning: "runtime.GC or debug.FreeOSMemory: a whole collection, and the caller waits for its end.",
			Lever:   "Leave the calls out, or make them rarer. A GOMEMLIMIT does what they are meant for.",
			Before:  "Who calls is known: pawl find, or a CPU profile.",
			Gap:     "A test that waits for finalizers needs the call.",
			Rules:   []string{"gcrequest", "freememory"},
		},
		{
			Kind: ofRun, Name: stopped, Title: "stops of the world", What: "time that it ran", Threshold: 0.01, Least: 10e6,
			Meaning: "Twice in each cycle all goroutines stand still. That is tens of microseconds; where it is more, some thread was late to stop: it had no core, or was in a loop that cannot be interrupted.",
			Lever:   "Fewer cycles (see the collector), and GOMAXPROCS no higher than the cores that the program gets.",
			Before:  "What a trace shows of the longest stops: pawl trace.",
			Gap:     "Fewer processors make less at a time.",
			Rules:   []string{"gomaxprocs", "gogc", "gcrequest"},
		},
	}
}

// systemSignatures are those of what the system counts.
func systemSignatures() []Signature {
	return []Signature{
		{
			Kind: ofRun, Name: waitingCore, Title: "threads that had work and no core", What: "time of threads with work", Threshold: 0.10, Least: 100e6,
			Meaning: "The threads wanted more cores than they got. Others use them, or the program runs more threads than there are cores: busy processors, system calls, C.",
			Lever:   "Cores, or fewer threads that work at a time: GOMAXPROCS at what is there, fewer workers that call C or block in system calls; nothing else on the machine.",
			Before:  "What else runs on the machine is known: the measure counts both.",
			Gap:     "A lower GOMAXPROCS gives away cores that are free at other times.",
			Rules:   []string{"gomaxprocs", "lockosthread", "cgobatch"},
		},
		{
			Kind: ofRun, Name: throttled, Title: "stopped for its CPU limit", What: "periods of the CPU limit", Threshold: 0.05, Least: 5,
			Meaning: "The control group used up its time within a period (100 ms, as a rule), and all of its threads stood still until the next.",
			Lever:   "go 1.25 or later in go.mod lets GOMAXPROCS follow the limit; before that, set it. Else a higher limit, or less work at a time.",
			Before:  "GOMAXPROCS is above the limit, or the work comes in bursts.",
			Gap:     "Bursts that today use more cores for a moment take longer.",
			Rules:   []string{"gomaxprocs", "gogc"},
		},
		{
			Kind: ofRun, Name: beyondHeap, Title: "memory that is not the heap's", What: "memory resident at most", Threshold: 0.50, Least: 256 << 20,
			Meaning: "More is resident than the collector ever aimed at: stacks of goroutines, what C or mmap hold, pages of files, or heap that was freed and not yet given back.",
			Lever:   "A goroutine profile for stacks, the C side's own tools for C; a GOMEMLIMIT makes the runtime give back sooner.",
			Before:  "Which of them it is: runtime/metrics has them apart, /memory/classes.",
			Gap:     "Pages of files are the system's to take away: they cost nothing until then.",
			Rules:   []string{"gomemlimit", "freememory", "goroutineleak"},
		},
	}
}
