package sign

func commandSigns() []Sign {
	return append(gctraceSigns(), systemSigns()...)
}

// gctraceSigns are those of the lines of GODEBUG=gctrace=1.
func gctraceSigns() []Sign {
	return []Sign{
		{
			Kind: Command, Name: "collector", What: "CPU time of the command", Threshold: 0.10, Least: 10e6,
			Counts: "This is the collector's own account, without sweeping and the price of allocating, which come on top.",
		},
		{Kind: Command, Name: "assist", What: "CPU time of the collector", Threshold: 0.20, Least: 10e6},
		{
			Kind: Command, Name: "smallheap", Title: "collecting a heap that is hardly there", What: "collections", Threshold: 0.50, Least: 20,
			Meaning: "Almost nothing is alive, so the goal is the least that there is, 4 MB, and each 4 MB that are allocated start a cycle.",
			Lever:   "GOGC: at 400 the least goal is 16 MB. For commands that end soon, GOGC=off with a GOMEMLIMIT.",
			Before:  "The memory is there, for as many of these programs as run at a time.",
			Gap:     "GOGC=off without a GOMEMLIMIT lets the heap grow without end.",
			Rules:   []string{"gogc", "gomemlimit"},
		},
		{Kind: Command, Name: "forced", What: "collections", Threshold: 0.20, Least: 5},
		{
			Kind: Command, Name: "stops", Title: "stops of the world", What: "time that it ran", Threshold: 0.01, Least: 10e6,
			Meaning: "Twice in each cycle all goroutines stand still. That is tens of microseconds; where it is more, some thread was late to stop: it had no core, or was in a loop that cannot be interrupted.",
			Lever:   "Fewer cycles (see the collector), and GOMAXPROCS no higher than the cores that the program gets.",
			Before:  "What a trace shows of the longest stops: pawl trace.",
			Gap:     "Fewer processors make less at a time.",
			Rules:   []string{"gomaxprocs", "gogc", "gcrequest"},
		},
	}
}

// systemSigns are those of what the system counts.
func systemSigns() []Sign {
	return []Sign{
		{
			Kind: Command, Name: "cores", Title: "threads that had work and no core", What: "time of threads with work", Threshold: 0.10, Least: 100e6,
			Meaning: "The threads wanted more cores than they got. Others use them, or the program runs more threads than there are cores: busy processors, system calls, C.",
			Lever:   "Cores, or fewer threads that work at a time: GOMAXPROCS at what is there, fewer workers that call C or block in system calls; nothing else on the machine.",
			Before:  "What else runs on the machine is known: the measure counts both.",
			Gap:     "A lower GOMAXPROCS gives away cores that are free at other times.",
			Rules:   []string{"gomaxprocs", "lockosthread", "cgobatch"},
		},
		{Kind: Command, Name: "throttled", What: "periods of the CPU limit", Threshold: 0.05, Least: 5},
		{
			Kind: Command, Name: "memory", Title: "memory that is not the heap's", What: "memory resident at most", Threshold: 0.50, Least: 256 << 20,
			Meaning: "More is resident than the collector ever aimed at: stacks of goroutines, what C or mmap hold, pages of files, or heap that was freed and not yet given back.",
			Lever:   "A goroutine profile for stacks, the C side's own tools for C; a GOMEMLIMIT makes the runtime give back sooner.",
			Before:  "Which of them it is: runtime/metrics has them apart, /memory/classes.",
			Gap:     "Pages of files are the system's to take away: they cost nothing until then.",
			Rules:   []string{"gomemlimit", "freememory", "goroutineleak"},
		},
	}
}
