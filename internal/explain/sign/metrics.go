package sign

import "slices"

// metricSigns are those of figures, in the order in which they are looked at:
// what can stop a program first.
func metricSigns() []Sign {
	list := slices.Concat(growthSigns(), timeSigns(), queueSigns())
	for i := range list {
		list[i].Kind = Metrics
	}
	return list
}

// growthSigns are those of memory and of goroutines that become more.
func growthSigns() []Sign {
	return []Sign{
		{
			Name: "memorylimit", Title: "memory close to GOMEMLIMIT", Metric: "memory_held", What: "memory that the runtime holds, of GOMEMLIMIT", Threshold: 0.9, Unit: "share",
			Meaning: "The nearer what is alive comes to the limit, the more often the collector runs for the same work, whatever GOGC says. At the limit it may take up to half of the CPU time, and beyond that the runtime lets the heap grow over the limit.",
			Lever:   "A higher limit where the container has room (some 10 % below its own), or less that is alive: bounds for caches and queues.",
			Before:  "The collector's share is high as well. A heap that fills its limit between few cycles is intended, above all with GOGC=off.",
			Gap:     "Above the container's limit the kernel kills the process. Memory that the runtime does not know of (C, mmap) is in the container's account and not in GOMEMLIMIT's.",
			Rules:   []string{"gomemlimit", "unboundedcache", "gogc"},
		},
		{
			Name: "outside", Title: "memory that the runtime does not know of", Metric: "rss", What: "resident memory beyond what the runtime holds, of all resident memory", Threshold: 0.5, Unit: "share", Besides: "64 MiB",
			Meaning: "More is resident than the runtime has from the system: what C allocated, mapped files, the program's own code. Neither GOGC nor GOMEMLIMIT changes it, and heap profiles do not show it.",
			Lever:   "A profile of the C side (the allocator's own, or heaptrack); fewer or smaller mappings; for files, reading them as streams.",
			Before:  "It is no mapped file: such pages count as resident, and the system takes them back when it needs them (RssFile in /proc/PID/status).",
			Gap:     "What is freed on the Go side while C still holds a pointer to it is a crash later on.",
			Rules:   []string{"nocgo", "gomemlimit"},
		},
		{
			Name: "idleheap", Title: "memory that is idle and not given back", Metric: "heap_idle", What: "idle memory of the heap, of what the runtime holds", Threshold: 0.5, Unit: "share", Besides: "64 MiB",
			Meaning: "The heap was larger than it is: the runtime keeps the pages for its next peak and gives them back slowly, down to a tenth above the goal.",
			Lever:   "Lower peaks: reading as a stream, fewer large requests at once. A GOMEMLIMIT has the pages given back as it is neared.",
			Before:  "Another program is short of memory. By itself, idle memory costs nothing.",
			Gap:     "debug.FreeOSMemory on a timer costs a full cycle each time, and page faults afterwards.",
			Rules:   []string{"gomemlimit", "readall", "freememory"},
		},
		{
			Name: "heapgrowth", Title: "a heap that grows", Metric: "heap_goal", What: "the heap at which a cycle ends, of three readings or more, lower at none than at the one before; at the last, of that at the first", Threshold: 1.5, Unit: "times", Besides: "64 MiB more",
			Meaning: "That size follows what was alive after each cycle. Something is kept that was not there before: a cache that fills, a queue in front of work that takes longer than it comes, a leak.",
			Lever:   "pawl diagnose -points 5 …/debug/pprof/heap says which lines' objects stay. A bound for queues and caches; a full queue must tell its producers.",
			Before:  "The program did not just start, and the load did not just rise: a second look a minute later.",
			Gap:     "A bound turns growth into waiting or into errors: somebody has to handle these.",
			Rules:   []string{"queuebound", "unboundedcache", "goroutineleak"},
		},
		{
			Name: "goroutinegrowth", Title: "goroutines that become more and more", Metric: "goroutines", What: "more goroutines at each reading; at the last, of those at the first", Threshold: 1.1, Unit: "times", Besides: "100 more",
			Meaning: "More are started than end. Each keeps its stack, at least 2 KiB and most often 8, and what it points to.",
			Lever:   "A goroutine profile says where they wait (pawl diagnose …/debug/pprof/goroutine): an end for each, by a context or a channel that is closed.",
			Before:  "The load did not just rise: a second look a minute later, or over a longer time (-seconds 120).",
			Gap:     "What ends a goroutine early must leave what it began in order.",
			Rules:   []string{"goroutineleak", "goroutineperitem", "queuebound"},
		},
	}
}

// timeSigns are those of CPU time and of stops.
func timeSigns() []Sign {
	return []Sign{
		{
			Name: "gomaxprocs", Title: "more processors than the quota pays for", Metric: "throttled_share", What: "periods of the quota in which it was used up", Threshold: 0.05, Unit: "share", Besides: "GOMAXPROCS above the quota (rounded up, 2 at least)",
			Meaning: "The threads use up the quota of a period early, and then all of them stand still until the next one, requests and collector alike: tens of milliseconds that no profile shows.",
			Lever:   "go 1.25 or later in go.mod, with which GOMAXPROCS follows the quota. Where it is set by hand, by the environment or by automaxprocs: take that out, or set it to the quota.",
			Before:  "It is this process that uses the quota up: the group may hold others.",
			Gap:     "Fewer processors do less in a burst that the quota would have allowed.",
			Rules:   []string{"gomaxprocs"},
		},
		{Name: "throttled", Metric: "throttled_share", What: "periods of the quota in which it was used up", Threshold: 0.05, Unit: "share", Besides: "GOMAXPROCS not above the quota, or not known"},
		{
			Name: "collector", Metric: "gc_cpu_share", What: "the collector's share of the CPU time used; where that is not known, of GOMAXPROCS since the start", Threshold: 0.10, Unit: "share", Besides: "5 % of a core, where known",
			Counts: "Marking by processors that had nothing to do is not counted.",
		},
		{Name: "assist", Metric: "gc_assist_share", What: "mark assist, of the CPU time used", Threshold: 0.01, Unit: "share"},
		{Name: "forced", Metric: "gc_forced", What: "cycles asked for, per second", Threshold: 0.1, Unit: "cycles/s", Besides: "two of them"},
		{
			Name: "pauses", Title: "the world stands still for long", Metric: "gc_stopped_share", What: "time in which the world was stopped for the collector", Threshold: 0.01, Unit: "share",
			Meaning: "A pause is a tenth of a millisecond where all threads stop at once. Longer ones wait for a thread that does not get a processor (throttling, a full machine), or cycles are very many.",
			Lever:   "Fewer cycles: a higher GOGC is cheap where the heap is small. A quota that is not used up. Else an execution trace of some seconds: pawl trace says for what the world stopped.",
			Before:  "The machine has a processor to spare: on a full one, pauses are the wait for a turn.",
			Gap:     "A higher GOGC takes more memory for good; a cycle's pauses stay as long as they were.",
			Rules:   []string{"gomaxprocs", "gogc", "gcrequest"},
		},
	}
}

// queueSigns are those of waiting, of threads and of calls.
func queueSigns() []Sign {
	return []Sign{
		{
			Name: "schedlatency", Title: "goroutines wait for a processor", Metric: "sched_latency_p99", What: "99th percentile of the time from ready to running, the lower bound of its bucket", Threshold: 0.0009, Unit: "s", Besides: "100 goroutines made ready",
			Meaning: "One of a hundred goroutines that could run waits about a millisecond or longer for its turn. All processors are busy, or the system does not let the threads run.",
			Lever:   "Less CPU work, or more processors; long loops of little worth in workers of their own, few of them. With a quota: see throttling.",
			Before:  "The processors are busy with the program itself: CPU time used comes near GOMAXPROCS. If not, the machine is full with others.",
			Gap:     "More processors at the same quota are throttled instead.",
			Rules:   []string{"gomaxprocs", "goroutineperitem", "gosched"},
		},
		{
			Name: "mutexwait", Title: "goroutines wait for mutexes", Metric: "mutex_wait", What: "seconds that goroutines waited for mutexes, per second", Threshold: 0.1, Unit: "s/s",
			Meaning: "The time of all waiters added up: 1 is one goroutine that always waits. Locks inside the runtime do not count.",
			Lever:   "A mutex profile says which line holds the lock (runtime.SetMutexProfileFraction(100), pawl diagnose …/debug/pprof/mutex). Hold it for less: no I/O, no formatting, no allocation under it.",
			Before:  "Requests wait on that lock. Workers at rest in a queue behind a mutex cost nothing.",
			Gap:     "Two locks where there was one can be taken in two orders, and what was read together may no longer fit together.",
			Rules:   []string{"lockio", "falsesharing"},
		},
		{
			Name: "threads", Title: "many threads", Metric: "threads", What: "threads of the process", Threshold: 100, Unit: "threads", Besides: "four times GOMAXPROCS, where known",
			Meaning: "A thread is made when all others are inside system calls or C, and is kept. A hundred of them mean as many at once: slow disks, name lookups through C, LockOSThread.",
			Lever:   "A bound for what blocks in system calls and C: a semaphore before files, the resolver in Go (GODEBUG=netdns=go), fewer locked threads.",
			Before:  "They are at work now: the count never goes down by itself, so that one bad moment remains to be seen.",
			Gap:     "A bound is a queue: what waits there waits longer.",
			Rules:   []string{"lockosthread", "nocgo", "cgobatch"},
		},
		{
			Name: "cgo", Title: "very many calls of C", Metric: "cgo_calls", What: "calls of C functions", Threshold: 1e6, Unit: "calls/s",
			Meaning: "A call costs some 50 ns on top of what it does: a million of them in a second are a twentieth of a core.",
			Lever:   "Call C once for many items. “#cgo noescape” and “#cgo nocallback” make a call cheaper.",
			Before:  "The calls are short: a CPU profile shows runtime.cgocall and little below it.",
			Gap:     "A batch must give an error for each item, and C must check the lengths that Go checked before.",
			Rules:   []string{"cgobatch", "nocgo"},
		},
	}
}
