package sign

// shared are the texts of signs that are seen in several ways, by their names. The
// rows of these signs have no text of their own.
func shared() map[string]Sign {
	return map[string]Sign{
		"collector": {
			Title:   "collecting garbage",
			Meaning: "The collector marks and sweeps, in workers of its own and in goroutines that allocate (assist). What it costs is the number of cycles times what is alive, by its pointers.",
			Lever:   "Allocate fewer bytes (a heap profile says on which lines), or keep fewer pointers alive. Where memory is to spare, raise GOGC: twice the value, about half the cycles. A GOMEMLIMIT alone can only make cycles more frequent; it is what makes a high GOGC safe.",
			Before:  "There is memory for the peak of the heap, (1 + GOGC/100) times what is alive; in a container, below its limit.",
			Gap:     "A higher GOGC takes more memory for good, and without a GOMEMLIMIT a spike of what is alive ends in a kill. A limit close to what is alive makes the collector run without end.",
			Rules:   []string{"gogc", "gomemlimit", "pointermap", "pointerslice", "gcrequest", "escapes"},
		},
		"assist": {
			Title:   "goroutines made to help the collector",
			Meaning: "A goroutine that allocates faster than the workers mark has to mark before it gets its memory. Requests wait for that while a cycle runs.",
			Lever:   "Allocate less on the lines of a CPU profile that lead to gcAssistAlloc; a higher GOGC begins cycles with more room. With GOMAXPROCS below 4, the workers' quarter of the processors comes late: more processors.",
			Before:  "Latency matters. For a batch it is the same work, done by somebody else.",
			Gap:     "A higher GOGC takes more memory for good.",
			Rules:   []string{"gogc", "escapes", "slicesize", "scratch", "gomaxprocs"},
		},
		"forced": {
			Title:   "collections that the program asks for",
			Meaning: "The program calls runtime.GC or debug.FreeOSMemory, or somebody asks for heap profiles with gc=1: a whole collection, and the caller waits for its end. Those that the runtime starts after two minutes without one do not count.",
			Lever:   "Leave the calls out, or make them once after a batch. A GOMEMLIMIT does what they are meant for.",
			Before:  "Who calls is known (pawl find, or a CPU profile), and nobody reads finalizers' effects or heap figures right after the call, as tests do.",
			Gap:     "The heap is larger between cycles that come by themselves.",
			Rules:   []string{"gcrequest", "freememory"},
		},
		"throttled": {
			Title:   "the CPU quota is used up",
			Meaning: "The control group used up its CPU time within a period (100 ms, as a rule), and all of its threads stood still until the next.",
			Lever:   "Where GOMAXPROCS is above the quota, go 1.25 or later in go.mod lets it follow; before that, set it. Else a larger quota, or less work: a CPU profile says which. The collector's bursts use a quota up too: fewer cycles (GOGC) where memory is to spare.",
			Before:  "The latency matters that it costs: a batch at the end of its quota is as it was meant.",
			Gap:     "A larger quota takes from others on the machine. Fewer processors do less in a burst that the quota would have allowed.",
			Rules:   []string{"gomaxprocs", "gogc"},
		},
	}
}
