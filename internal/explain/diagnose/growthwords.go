package diagnose

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// say writes what suspects mean, and what changes them.
func say(g *model.Growth) {
	if len(g.Suspects) == 0 {
		return
	}
	var rules []string
	switch profile.Kind(g.Kind) {
	case profile.KindHeap:
		g.Meaning = "More of what these lines made is alive than before. The line allocates; what holds the object is elsewhere, and no profile shows it."
		g.Lever = "A bound or an age for a cache, and deleting what is done. A map never gives its room back: replace it once it was large. Copy the small part (strings.Clone, bytes.Clone) where a slice or a substring keeps a whole array. An end for goroutines that hold it. Close for bodies; no finalizers on objects that point to each other. Timers and tickers need a Stop only where go.mod says go 1.22 or less: later ones are collected once nobody holds them."
		g.Before = "It grows under an even load, after caches are warm, over more than two points. A goroutine profile at the same times grows with it, or rules goroutines out."
		g.Gap = "What a cache drops is made again. A map that is replaced must not be in use elsewhere."
		rules = []string{"unboundedcache", "goroutineleak", "drainbody", "finalizerclose"}
	case profile.KindGoroutine:
		g.Meaning = "More goroutines than before wait on these lines. Each holds its stack and whatever that points to."
		g.Lever = "An end for each: a context in the select, a channel that is closed, a buffer of one for an answer that may come too late, a deadline on the connection. A bound, where work is started faster than it ends."
		g.Before = "The load is the same at all points: the number of requests under way rises with it. /debug/pprof/goroutineleak proves a leak (Go 1.27; in Go 1.26 with GOEXPERIMENT=goroutineleakprofile)."
		g.Gap = "A receiver that stops must not leave the sender waiting instead."
		rules = []string{"goroutineleak", "goroutineperitem", "queuebound", "drainbody", "transportpercall"}
	case profile.KindLeak:
		g.Meaning = "More goroutines than before wait for what nothing can wake them from: the collector has proved it. Nothing but the end of the program frees them."
		g.Lever = "An end for each: a context in the select, a channel that is closed, a buffer of one for an answer that may come too late, an Unlock or a Done on each way out."
		g.Before = "Nothing: one is a bug."
		g.Gap = "A receiver that stops must not leave the sender waiting instead."
		rules = []string{"goroutineleak", "queuebound"}
	}
	g.Rules = sign.Rules(rules)
}

func (y *History) doubts(g *model.Growth) []model.Warning {
	var ws []model.Warning
	if y.stale > 0 {
		all := y.stale + len(y.names)
		if y.alike {
			all--
		}
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("%d of %d profiles show nothing new, and do not count", y.stale, all),
			Cause: "a heap profile is as of the last cycle of the collector that has ended, and there was none in between",
			Try:   "points further apart, or ?gc=1 in the URL, which has the program collect before each",
		})
	}
	if g.Seconds == 0 && y.stale == 0 {
		ws = append(ws, model.Warning{
			Seen:  "the profiles do not say when they were taken, or were taken at once: there are no rates",
			Cause: "a tool has written them anew",
			Try:   "the files as the program writes them",
		})
	}
	if y.kind == profile.KindHeap && y.period <= 0 {
		ws = append(ws, model.Warning{
			Seen: "the profile does not say how objects were sampled: intervals are too narrow",
			Try:  "the file as the program writes it",
		})
	}
	if len(g.Suspects) == 0 || y.kind == profile.KindLeak {
		return ws
	}
	if n := len(g.Points); n < 4 {
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("%d points show a difference and not whether it goes on", n),
			Cause: "a program that warms up, a cache that fills and a load that rises look like a leak for a while",
			Try:   "five profiles or more, minutes apart under an even load: pawl diagnose -points 5 -every 60s URL",
		})
	}
	return ws
}
