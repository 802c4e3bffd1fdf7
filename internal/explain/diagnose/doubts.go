package diagnose

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// empty says why a profile of some seconds may have no samples.
func empty(kind profile.Kind, seconds float64) model.Warning {
	w := model.Warning{Seen: "the profile has no samples"}
	switch kind {
	case profile.KindCPU:
		w.Cause = "the program did nothing while it was taken, or for less than 10 ms"
		w.Try = "take it for longer, under load: -seconds 30 with a URL"
	case profile.KindMutex:
		w.Cause = "no goroutine waited for a mutex, or they are not recorded, which is the default"
		w.Try = "runtime.SetMutexProfileFraction(100) at the start of the program; for a block profile, runtime.SetBlockProfileRate(1e6)"
	case profile.KindBlock:
		w.Cause = "no goroutine waited, or waits are not recorded, which is the default"
		w.Try = "runtime.SetBlockProfileRate(1e6) at the start of the program: waits from about a millisecond on"
	case profile.KindLeak:
		w.Seen, w.Cause = "the profile has no goroutines", "the collector found none that nothing can wake; one that a global variable or a timer could wake is not found"
	case profile.KindHeap:
		w.Cause = "the program allocated less than 512 KiB, or runtime.MemProfileRate is 0"
		if seconds > 0 {
			w.Cause = "the program allocated less than 512 KiB in that time, or no cycle of the collector ended in it: the figures are as of the last one"
			w.Try = "a longer time, under load; or the profile without seconds, which is of all since the program started"
		}
	}
	return w
}

func doubts(kind profile.Kind, p *profile.Profile, sy *model.Symptoms) []model.Warning {
	var ws []model.Warning
	switch {
	case kind == profile.KindHeap && changes(p):
		return []model.Warning{{
			Seen:  "the heap profile is of what was allocated in a stretch of time: what is alive is left out",
			Cause: "its live side is a difference, below zero for objects that were made before",
			Try:   "the profile without seconds for what is alive; -points for what grows",
		}}
	case kind != profile.KindCPU:
		return nil
	}
	if sy.Samples < 100 {
		ws = append(ws, model.Warning{
			Seen: fmt.Sprintf("the profile has %d samples: shares are rough", sy.Samples),
			Try:  "take it for 30 s or longer, under load, or give several profiles: they are added up",
		})
	}
	if !hasRuntime(p) {
		ws = append(ws, model.Warning{
			Seen:  "no function of the runtime is in the profile, and signatures go by these",
			Cause: "a tool has cut them off (-hide, -ignore, drop_frames)",
			Try:   "the profile as runtime/pprof or net/http/pprof writes it",
		})
	}
	if busy := sy.Total / 1e9 / sy.Seconds; sy.Seconds > 0 && busy < 0.05 {
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("the program used %.1f %% of a core", 100*busy),
			Cause: "it was nearly idle: then the scheduler and the collector have large shares of little",
			Try:   "a profile under load",
		})
	}
	return ws
}

// counted says which profiles are of one process, as far as it can be told: heap,
// mutex and block profiles count from its start, and the sum counts the same
// again.
func counted(kind profile.Kind, sources []profile.Source, o Options) []model.Warning {
	var again func(first, next profile.Source, o Options) *model.Warning
	switch kind {
	case profile.KindHeap:
		again = heapAgain
	case profile.KindMutex, profile.KindBlock:
		again = delaysAgain
	default:
		return nil
	}
	inOrder := slices.Clone(sources)
	sorted.By(inOrder, func(a, b profile.Source) int { return a.Profile.Taken().Compare(b.Profile.Taken()) })
	for i := 1; i < len(inOrder); i++ {
		if w := again(inOrder[i-1], inOrder[i], o); w != nil {
			return []model.Warning{*w}
		}
	}
	return nil
}

// heapAgain compares two heap profiles: objects of the earlier one are in the
// later one, so that it can be told.
func heapAgain(first, next profile.Source, o Options) *model.Warning {
	if made, _, err := first.Profile.Total("alloc_space"); err != nil || made == 0 {
		return nil
	}
	if _, err := Growth([]profile.Source{first, next}, o); err != nil {
		return nil // of another process, or of a stretch of time
	}
	return &model.Warning{
		Seen:  fmt.Sprintf("%s has all that is in %s, and they are added up", next.Name, first.Name),
		Cause: "they are of one process: a heap profile counts from the start of the program",
		Try:   "the last one alone, or -base with the first one for what grew",
	}
}

// delaysAgain compares two mutex or block profiles. Counts of events are all that
// there is to go by, and those of two hosts may be so as well.
func delaysAgain(first, next profile.Source, _ Options) *model.Warning {
	if !within(first, next) {
		return nil
	}
	return &model.Warning{
		Seen:  fmt.Sprintf("%s has at least the events of %s in each stack, and they are added up", next.Name, first.Name),
		Cause: "they may be of one process: these profiles count from the start of the program",
		Try:   "if they are, the last one alone; of a stretch of time, ?seconds=30 in the URL",
	}
}

// within reports whether a profile of delays may be an earlier one of the process
// that next is of.
func within(first, next profile.Source) bool {
	if ofTime(first) || ofTime(next) || first.Profile.Build() != next.Profile.Build() {
		return false
	}
	before, err := events(first.Profile)
	after, err2 := events(next.Profile)
	if err != nil || err2 != nil || len(before) == 0 {
		return false
	}
	for stack, n := range before {
		if after[stack] < n {
			return false
		}
	}
	return true
}

// events returns how often each stack of a profile of delays waited.
func events(p *profile.Profile) (map[[16]byte]float64, error) {
	by := map[[16]byte]float64{}
	err := p.Stacks("contentions", func(stack []model.Frame, n float64) { by[short(stack)] += n })
	return by, err
}

// hasRuntime reports whether there are frames of the runtime inside the
// program: main and goexit are on any stack.
func hasRuntime(p *profile.Profile) bool {
	return slices.ContainsFunc(p.Functions(), func(f model.Frame) bool {
		return f.Func != "runtime.main" && f.Func != "runtime.goexit" && ofRuntime(f.Func) && profile.Package(f.Func) == "runtime"
	})
}
