package sign

import "github.com/pawl-dev/pawl/internal/read/profile"

// leastDelay is the wait below which a profile of waits is not worth reading:
// nanoseconds. A profile that says how long it was taken for must show a
// hundredth of that as well.
const leastDelay = 10e6

// leastGoroutines is how many must wait alike before it stands out.
const leastGoroutines = 1000

func waitSigns() []Sign {
	list := delaySigns()
	for i := range list {
		list[i].What, list[i].Threshold, list[i].Least = "time waited", 0.05, leastDelay
	}
	parked := parkedSigns()
	for i := range parked {
		parked[i].Kind, parked[i].What = profile.KindGoroutine, "goroutines"
		parked[i].Threshold, parked[i].Least = 0.10, leastGoroutines
	}
	return append(append(list, parked...), leakSigns()...)
}

// delaySigns are those of mutex and block profiles.
func delaySigns() []Sign {
	return []Sign{
		{
			Name: "lock", Kind: profile.KindMutex, Title: "mutexes that others wait for",
			Meaning: "Goroutines wait while others hold a lock. The lines are those that give it back.",
			Lever:   "Hold the lock for less: no I/O, no formatting, no allocation under it. Then shards, or an atomic or a copy for what is read mostly.",
			Before:  "The wait is on the way of something that somebody waits for. The sum is over all goroutines, and may exceed the time on the clock.",
			Gap:     "Two locks where there was one can be taken in two orders, and what was read together may no longer fit together.",
			Rules:   []string{"lockio", "falsesharing"},
		},
		{
			Name: "runtimelock", Kind: profile.KindMutex, Title: "locks inside the runtime",
			Meaning: "Threads wait for locks of the runtime: of the heap, the scheduler, timers, channels.",
			Lever:   "What these lines do so often: allocate large objects, start goroutines, set timers, share one channel.",
			Before:  "A CPU profile shows the same lines.",
			Gap:     "Depends on the lever: see the signatures of CPU profiles.",
			Rules:   []string{"channelcounter", "goroutineperitem", "timeafter"},
		},
		{
			Name: "lock", Kind: profile.KindBlock, Title: "waiting for mutexes",
			Meaning: "Goroutines wait for locks on these lines. Who holds them is in the mutex profile.",
			Lever:   "Hold the lock for less where it is held; shards; an atomic or a copy for what is read mostly.",
			Before:  "The wait is on the way of something that somebody waits for. The sum is over all goroutines.",
			Gap:     "Two locks where there was one can be taken in two orders, and what was read together may no longer fit together.",
			Rules:   []string{"lockio", "falsesharing"},
		},
		{
			Name: "channel", Kind: profile.KindBlock, Title: "waiting on channels", Idle: true,
			Meaning: "Goroutines wait on channels. A worker that waits for work is at rest, and that is no loss; a producer that waits for room is.",
			Lever:   "For senders: a faster or a second consumer. For receivers on a request's way: start what they wait for earlier.",
			Before:  "The line is on the way of a request, and not a worker at rest.",
			Gap:     "A larger buffer moves the wait and does not end it.",
			Rules:   []string{"queuebound", "channelcounter"},
		},
		{
			Name: "select", Kind: profile.KindBlock, Title: "waiting in selects", Idle: true,
			Meaning: "Goroutines wait in selects, which is where most workers rest.",
			Lever:   "As for channels.",
			Before:  "The line is on the way of a request, and not a worker at rest.",
			Gap:     "A larger buffer moves the wait and does not end it.",
			Rules:   []string{"queuebound"},
		},
		{
			Name: "group", Kind: profile.KindBlock, Title: "waiting for others to be done", Idle: true,
			Meaning: "Goroutines wait in WaitGroup.Wait or Cond.Wait.",
			Lever:   "The slowest of those that are waited for: split its work, or start it first.",
			Before:  "The line is on the way of a request.",
			Gap:     "More goroutines at a time need more memory, and more of whatever they call.",
			Rules:   []string{"goroutineperitem"},
		},
	}
}

// parkedSigns are those of goroutine profiles. One profile shows how many
// there are, two show whether they grow.
func parkedSigns() []Sign {
	const twice = "Take a second profile some minutes later, under the same load: a leak is what grows, and pawl diagnose -base OLD NEW shows it. Where pprof lists goroutineleak (Go 1.27; Go 1.26 with GOEXPERIMENT=goroutineleakprofile), it proves one."
	return []Sign{
		{
			Name: "channel", Title: "goroutines that wait on channels",
			Meaning: "Many goroutines wait on one line for a channel. Each holds its stack, and the collector looks through it.",
			Lever:   "An end for each: a context in a select, a channel that is closed, a buffer of one for an answer that may come too late.",
			Before:  twice,
			Gap:     "A receiver that stops must not leave the sender waiting instead.",
			Rules:   []string{"goroutineleak", "queuebound", "goroutineperitem"},
		},
		{
			Name: "select", Title: "goroutines that wait in selects",
			Meaning: "Many goroutines wait on one line in a select. In servers, connections at rest look like that.",
			Lever:   "An end for each (a context that is cancelled); for clients, one http.Client for all, and bodies that are read and closed.",
			Before:  twice,
			Gap:     "A receiver that stops must not leave the sender waiting instead.",
			Rules:   []string{"goroutineleak", "transportpercall", "drainbody"},
		},
		{
			Name: "lock", Title: "goroutines that wait for mutexes",
			Meaning: "Many goroutines queue for a lock: work comes in faster than the lock lets it through, or somebody does not give it back.",
			Lever:   "Look at who holds it (mutex profile): I/O under the lock, or a return without Unlock.",
			Before:  "It is so in more than one profile: a queue that passes is no trouble.",
			Gap:     "Two locks where there was one can be taken in two orders.",
			Rules:   []string{"lockio", "goroutineperitem"},
		},
		{
			Name: "group", Title: "goroutines that wait for others to be done",
			Meaning: "Many goroutines wait in WaitGroup.Wait or Cond.Wait.",
			Lever:   "The goroutines that should be done: a Done that is missed on an error, a Signal that comes too early.",
			Before:  twice,
			Gap:     "A Done too many panics.",
			Rules:   []string{"goroutineleak", "goroutineperitem"},
		},
		{
			Name: "io", Title: "goroutines that wait for I/O",
			Meaning: "Many goroutines wait for the network or a pipe. A server with as many connections looks like that.",
			Lever:   "Deadlines and timeouts for idle connections; one http.Client for all.",
			Before:  twice,
			Gap:     "A timeout ends slow clients as well as dead ones.",
			Rules:   []string{"transportpercall", "clientpercall", "drainbody"},
		},
		{
			Name: "sleep", Title: "goroutines that sleep",
			Meaning: "Many goroutines sleep. Each that wakes costs the scheduler a turn.",
			Lever:   "One ticker that goes through a list, or time.AfterFunc, which needs no goroutine while it waits.",
			Before:  "They are many on purpose: retries without an end look the same.",
			Gap:     "One goroutine for all does one at a time.",
			Rules:   []string{"goroutineperitem", "goroutineleak"},
		},
		{
			Name: "running", Title: "goroutines that run, or could",
			Meaning: "Many goroutines run, are ready to, or are in system calls: more work was started than there are cores.",
			Lever:   "A bound: a fixed number of workers, errgroup.SetLimit, and a plan for what is too much.",
			Before:  "It is so in more than one profile.",
			Gap:     "What is refused must be told so; what waits in a queue grows old in it.",
			Rules:   []string{"goroutineperitem", "queuebound"},
		},
	}
}
