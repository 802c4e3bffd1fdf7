package sign

import "github.com/pawl-dev/pawl/internal/read/profile"

func cpuSigns() []Sign {
	list := append(memorySigns(), concurrencySigns()...)
	for i := range list {
		list[i].Kind, list[i].What = profile.KindCPU, "CPU time"
	}
	return list
}

// memorySigns are those of the heap, of stacks and of calls. What a pool takes is of arrays of bytes and of pointers, medians
// of three rounds in turn, go1.26.8 on amd64.
func memorySigns() []Sign {
	return []Sign{
		{
			Name: "allocation", Title: "allocating on the heap", Threshold: 0.05,
			Meaning: "The program makes objects on the heap: finding room, clearing it, copying what grows. The collector's work for them is counted as “collector”, and goes down with them.",
			Lever:   "Make fewer objects on these lines: size slices and maps when they are made, use a buffer again, keep values from escaping. pawl optimize does it where a benchmark runs the line.",
			Before:  "The line is called often for what it does, and the compiler says that the value escapes (pawl find -bench shows its note). In a loop, a sync.Pool of pointers takes 0.6 of the time of new objects of 16 bytes, 0.2 of it at 64, and no less below 8.",
			Gap:     "A reused buffer holds the data of its last user until it is reset, and no reader may keep it.",
			Rules:   []string{"slicesize", "mapsize", "scratch", "scratchfield", "boxing", "sprintf", "readall", "escapes"},
			ByCall:  true, Always: []string{"escapes"},
		},
		{
			Name: "collector", Threshold: 0.10,
			Counts: "Marking by idle workers (gcDrainMarkWorkerIdle) counts, and takes cores that had nothing to do: it is no loss while there are such.",
		},
		{
			Name: "stackgrowth", Title: "growing stacks", Threshold: 0.01,
			Meaning: "Goroutines outgrow their stacks. The runtime copies a stack to one of twice the size and adjusts the pointers in it; nobody else stops for that. It happens once for each goroutine and size, so a large share means that goroutines are new and go deep.",
			Lever:   "Let goroutines live longer and take more work each. After that, recurse less deeply, or keep large arrays out of frames that recurse.",
			Before:  "The goroutines are short-lived and the recursion is deep. A warm goroutine that recurses does not grow again.",
			Gap:     "A loop with a stack of its own is easily wrong where the recursion returned: at closing brackets, on errors.",
			Rules:   []string{"deeprecursion", "goroutineperitem"},
		},
		{
			Name: "defer", Title: "defers with a record each", Threshold: 0.02,
			Meaning: "Deferred calls are kept in a list and taken from it when the function returns. That happens with a defer in a loop, more than eight of them in a function, or many defers with many returns. Others are compiled into the function and cost about a nanosecond.",
			Lever:   "Move the body of the loop into a function, so that each iteration runs its own defer.",
			Before:  "The defer is in a loop. Unlocking by hand instead of a plain defer is not worth it.",
			Gap:     "Deferred calls run earlier and in another order. A call that is no longer deferred does not run after a panic.",
			Rules:   []string{"deferloop"},
		},
		{
			Name: "cgo", Title: "calling C", Threshold: 0.05,
			Meaning: "Time in C functions and on the way to them. A profile does not tell the two apart unless the C code gives its stacks; a call costs some 50 ns on top of what it does.",
			Lever:   "Call C once for many items. “#cgo noescape” and “#cgo nocallback” make a call cheaper. For name lookups, the resolver in Go (GODEBUG=netdns=go).",
			Before:  "The calls are short and many: count them, or measure one with a C function that does nothing. If C itself takes the time, this lever moves nothing.",
			Gap:     "A batch must give an error for each item, and C must check the lengths that Go checked before. A long call keeps its thread.",
			Rules:   []string{"cgobatch", "nocgo", "lockosthread"},
		},
		{
			Name: "stoptheworld", Title: "stopping the world on request", Threshold: 0.01,
			Meaning: "The program calls what stops all its goroutines: runtime.ReadMemStats, runtime.GC, stacks of all goroutines, GOMAXPROCS. The profile shows the CPU time of the caller; the waiting of all others comes on top.",
			Lever:   "runtime/metrics instead of ReadMemStats; no runtime.GC outside tests; stacks of all goroutines on a panic or a timeout only.",
			Before:  "The call is on a path that runs often. Once after start-up or a batch is fine.",
			Gap:     "runtime/metrics gives each figure by itself, not all of one moment, and a slice of samples must not be shared by goroutines.",
			Rules:   []string{"readmemstats", "gcrequest", "stackall", "freememory"},
			ByCall:  true,
		},
	}
}

// concurrencySigns are those of goroutines and what they wait for.
func concurrencySigns() []Sign {
	return []Sign{
		{
			Name: "channel", Title: "sending and receiving on channels", Threshold: 0.02,
			Meaning: "Channel operations: a lock, a copy, and the goroutine on the other side to be woken.",
			Lever:   "Send more at once (a slice of items), give the channel a buffer so that neither side waits for each item, or count with an atomic where only the count is wanted.",
			Before:  "What is sent is small against what sending it costs, and nobody relies on both sides meeting at each item.",
			Gap:     "A channel also orders and slows down: an atomic does neither, and a buffer hides that the consumer is too slow until it is full.",
			Rules:   []string{"channelcounter", "itemalloc", "queuebound"},
		},
		{
			Name: "select", Title: "selecting among channels", Threshold: 0.02,
			Meaning: "Each select with two cases or more locks all its channels. With a default it never waits: in a loop, it spins.",
			Lever:   "Without a default, or with something to wait for, it does not spin. Take all that is there after each select; leave out cases that a context or a closed channel covers.",
			Before:  "The default does nothing that is needed while there is no item.",
			Gap:     "A select that waits no longer does what its default did.",
			Rules:   []string{"busyselect", "timeafter", "channelcounter"},
		},
		{
			Name: "lock", Title: "waiting for mutexes", Threshold: 0.02,
			Meaning: "Goroutines spin for locks that others hold, sleep, and are woken. The CPU profile shows what that costs, not how long they wait: a mutex profile does.",
			Lever:   "Hold the lock for less: no I/O, no formatting, no allocation under it. Then shards, or an atomic for what is read mostly.",
			Before:  "A mutex profile says which line holds the lock for so long.",
			Gap:     "Two locks where there was one can be taken in two orders, and what was read together may no longer fit together.",
			Rules:   []string{"lockio", "falsesharing"},
		},
		{
			Name: "goroutines", Title: "starting and ending goroutines", Threshold: 0.02,
			Meaning: "Goroutines are started for work that is small against the start: some hundred nanoseconds, and a stack that grows anew.",
			Lever:   "A fixed number of workers, or errgroup.SetLimit, and larger pieces of work.",
			Before:  "There are many items, and each takes no more than some microseconds of CPU time. Goroutines that wait for I/O are cheap.",
			Gap:     "A pool needs cancellation, must not wait for its own workers, and one slow item holds up those behind it. A panic ends a worker.",
			Rules:   []string{"goroutineperitem"},
		},
		{
			Name: "scheduler", Title: "the scheduler", Threshold: 0.05,
			Meaning: "Threads look for a goroutine to run, go to sleep and are woken. That is what remains after the share that channels, selects and locks cause (see there).",
			Lever:   "Fewer and larger pieces of work for fewer goroutines; fewer timers and wake-ups. In a container with a CPU limit, go 1.25 or later in go.mod lets GOMAXPROCS follow the limit.",
			Before:  "The program is busy. In one that is mostly idle this share is large by itself and costs little in absolute terms.",
			Gap:     "Fewer goroutines do less at the same time: work that waits for I/O gets slower.",
			Rules:   []string{"goroutineperitem", "gosched", "lockosthread", "gomaxprocs"},
		},
		{
			Name: "syscall", Title: "system calls", Threshold: 0.25,
			Meaning: "The kernel's work for reading, writing, opening and the like, and the way there. A program that passes data on spends much of its time there by nature.",
			Lever:   "Fewer and larger calls: a buffer around what reads or writes small pieces, several answers in one write, files and connections that stay open, no Stat before Open.",
			Before:  "The calls are small or say again what is known: strace -f -c counts them, pawl trace as well. Large ones cost what their bytes cost.",
			Gap:     "What is buffered arrives later, and not at all without a Flush. A file that stays open is not the one that replaced it.",
			Rules:   []string{"unbuffered", "statopen", "statafterreaddir", "drainbody", "clientpercall"},
		},
	}
}
