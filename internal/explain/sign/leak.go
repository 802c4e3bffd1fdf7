package sign

import "github.com/pawl-dev/pawl/internal/read/profile"

// leakSigns are those of goroutineleak profiles. Each goroutine in one is
// blocked on something that no goroutine which can still run reaches, and so
// one is enough.
func leakSigns() []Sign {
	const (
		before = "Nothing has to: the collector proved that nothing can wake them. A goroutine whose channel or lock a global variable or a running goroutine still reaches is not in this profile."
		gap    = "A receiver that stops must not leave the sender waiting instead."
	)
	list := []Sign{
		{
			Name: "channel", Title: "leaked goroutines, on a channel that nobody else has",
			Meaning: "These goroutines send to or receive from a channel that nothing else can reach. They never go on, and never free what they hold.",
			Lever:   "A buffer of one where the answer may come too late; a close by the sender; a select with the context that is cancelled.",
			Rules:   []string{"goroutineleak", "queuebound"},
		},
		{
			Name: "select", Title: "leaked goroutines, in a select without a way out",
			Meaning: "These goroutines wait in a select, and nothing else can reach any of its channels.",
			Lever:   "A case for a context that somebody cancels, or a channel that somebody closes; call what WithCancel returned.",
			Rules:   []string{"goroutineleak"},
		},
		{
			Name: "lock", Title: "leaked goroutines, on a mutex that nobody gives back",
			Meaning: "These goroutines wait for a mutex, and the goroutine that held it is gone.",
			Lever:   "Unlock on each way out: defer it behind Lock.",
			Rules:   []string{"goroutineleak"},
		},
		{
			Name: "group", Title: "leaked goroutines, waiting for others to be done",
			Meaning: "These goroutines wait in WaitGroup.Wait or Cond.Wait, and nothing is left that could call Done or Signal.",
			Lever:   "Done on each way out (WaitGroup.Go does it); Signal after the change that is waited for.",
			Rules:   []string{"goroutineleak"},
		},
		{
			Name: "forever", Title: "goroutines that wait for ever, in select {}", Idle: true,
			Meaning: "A select without cases never ends, and the collector counts it as a leak. In main it is how many programs wait while others work.",
			Lever:   "None in main. Elsewhere a return, or a case for a context.",
			Rules:   []string{"goroutineleak"},
		},
		{
			Name: "other", Title: "leaked goroutines",
			Meaning: "These goroutines wait for something that nothing else can reach.",
			Lever:   "An end for each.",
			Rules:   []string{"goroutineleak"},
		},
	}
	for i := range list {
		list[i].Kind, list[i].What, list[i].Least = profile.KindLeak, "leaked goroutines", 1
		list[i].Before, list[i].Gap = before, gap
	}
	return list
}
