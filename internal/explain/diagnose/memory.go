package diagnose

import (
	"cmp"
	"fmt"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile/memstats"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A part of memory stands out from this share of what Go holds, and this many
// bytes.
const (
	bigPart   = 0.25
	leastPart = 64 << 20
)

const (
	memLive    = "live"
	memGarbage = "garbage"
	memHoles   = "holes"
	memIdle    = "idle"
	memStacks  = "stacks"
	memRuntime = "runtime"
)

// Memory says what holds the memory that Go has from the system. Live is the
// bytes of the live heap, as the heap profile estimates them; below zero where
// there is no profile, and then live and garbage are one part.
func Memory(name string, m *memstats.Stats, live float64) *model.Memory {
	out := &model.Memory{
		Source: name, Sys: m.Sys, Released: m.HeapReleased, Held: m.Sys - m.HeapReleased, PeakRSS: m.MaxRSS,
		NextGC: m.NextGC, Cycles: m.NumGC, Forced: m.NumForcedGC, GCShare: m.GCCPUFraction, Parts: []model.MemoryPart{},
	}
	if m.MaxRSS > m.Sys {
		out.Outside = m.MaxRSS - m.Sys
	}
	alive := m.HeapAlloc
	if live >= 0 {
		alive = min(alive, uint64(live))
	}
	for _, p := range []struct {
		name  string
		bytes uint64
	}{
		{memLive, alive},
		{memGarbage, m.HeapAlloc - alive},
		{memHoles, m.HeapInuse - min(m.HeapInuse, m.HeapAlloc)},
		{memIdle, m.HeapIdle - m.HeapReleased},
		{memStacks, m.StackSys},
		{memRuntime, m.MSpanSys + m.MCacheSys + m.BuckHashSys + m.GCSys + m.OtherSys},
	} {
		if p.bytes == 0 {
			continue
		}
		part := aboutPart(p.name)
		if live < 0 && p.name == memLive {
			part.Title = "objects, not freed yet"
			part.Meaning = "All that is on the heap. A heap profile of what is alive, beside it, would tell the two apart."
		}
		part.Bytes, part.Share = p.bytes, float64(p.bytes)/float64(max(out.Held, 1))
		out.Parts = append(out.Parts, part)
	}
	sorted.By(out.Parts, func(a, b model.MemoryPart) int { return cmp.Compare(b.Bytes, a.Bytes) })
	for _, p := range out.Parts {
		if p.Share >= bigPart && p.Bytes >= leastPart {
			out.StandsOut++ // the first ones: they are sorted by size
		}
	}
	out.Warnings = memoryDoubts(out)
	return out
}

// memoryDoubts says what the figures of one moment cannot tell, or point to
// beyond the parts.
func memoryDoubts(m *model.Memory) []model.Warning {
	var ws []model.Warning
	if m.Cycles == 0 {
		ws = append(ws, model.Warning{
			Seen:  "no cycle of the collector has ended yet",
			Cause: "the program is young or allocates little: then all that it allocated counts as garbage or as live without proof",
			Try:   "ask again later, or once with ?gc=1 in the URL, which has the program collect first",
		})
	}
	if m.Outside >= leastPart {
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("at its peak the process had at least %d MiB that are not Go's", m.Outside>>20),
			Cause: "memory of C libraries (cgo), files mapped with mmap, and the program's own code; GOMEMLIMIT and heap profiles know nothing of it",
			Try:   "/proc/PID/smaps names mapped files; for C, its own profiler (jemalloc, heaptrack)",
		})
	}
	if m.PeakRSS > 0 && m.PeakRSS < m.Held-m.Held/10 {
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("Go holds %d MiB, and the RSS was never above %d MiB", m.Held>>20, m.PeakRSS>>20),
			Cause: "pages that were allocated and never written take no memory yet; those that were swapped out do not count",
		})
	}
	if m.PeakRSS > 0 && m.Held < m.PeakRSS/2 {
		ws = append(ws, model.Warning{
			Seen:  fmt.Sprintf("MaxRSS is %d MiB and Go holds %d MiB now", m.PeakRSS>>20, m.Held>>20),
			Cause: "MaxRSS is the peak since the start, and never falls: a burst has passed",
			Try:   "VmRSS in /proc/PID/status for what it is now; a heap profile during the burst for what made it",
		})
	}
	return ws
}

// aboutPart is what is known about a part, without its size.
func aboutPart(name string) model.MemoryPart {
	p := model.MemoryPart{Name: name}
	var rules []string
	switch name {
	case memLive:
		p.Title = "objects that are alive"
		p.Meaning = "What the last cycle found alive, by the heap profile: the program's data, its caches, and what it leaks."
		p.Lever = "The lines that hold most of it are the heap profile's “live”. A bound for caches; copies of small parts that keep large arrays."
		p.Before = "Whether it grows: pawl diagnose -points 5 -every 60s with the same URL."
		p.Gap = "A bounded cache computes again what it dropped."
		rules = []string{"unboundedcache", "pointermap", "goroutineleak"}
	case memGarbage:
		p.Title = "garbage and newer objects"
		p.Meaning = "Objects that died or came after the last cycle's mark; the next cycle frees the dead ones. With GOGC=100 this grows to the size of the live heap each time."
		p.Lever = "A GOMEMLIMIT somewhat below what the container may use lets cycles come earlier only when memory is short; a lower GOGC always does. Both pay with CPU time. Fewer allocations pay with nothing."
		p.Before = "The collector's share of the CPU time leaves room for more cycles."
		p.Gap = "A limit near the live heap makes the collector run without end."
		rules = []string{"gogc", "gomemlimit", "slicesize", "scratch"}
	case memHoles:
		p.Title = "holes between objects"
		p.Meaning = "Free places in pages that hold objects: Go never moves an object, so one that stays keeps its page. After a burst the survivors stand far apart."
		p.Lever = "Long-lived objects allocated together, before or after a burst and not during it; fewer sizes; one slice of values instead of many small objects."
		p.Before = "It stays so over several cycles: right after one, places to be swept count here."
		p.Gap = "A slice of values lives as long as any pointer into it."
		rules = []string{"pointerslice", "scratch"}
	case memIdle:
		p.Title = "idle, not given back"
		p.Meaning = "Pages without objects that Go keeps for what comes next. The scavenger gives them back over minutes, down to 10 % above the heap's goal."
		p.Lever = "The burst that needed them: smaller batches, streaming. A GOMEMLIMIT gives back at once what lies above it. debug.FreeOSMemory is not a lever: it collects everything first, and the next burst faults each page in again."
		p.Before = "It is still there after some minutes: freed pages are no loss while the next burst needs them."
		p.Gap = "Pages that were given back cost a page fault each when they are needed again."
		rules = []string{"gomemlimit", "freememory", "readall"}
	case memStacks:
		p.Title = "stacks of goroutines"
		p.Meaning = "2 KiB and more for each goroutine; twice as much each time that one needs more. A collection halves what is used by less than a quarter."
		p.Lever = "Fewer goroutines at a time, or less depth and no large arrays in frames."
		p.Before = "The goroutine profile of the same program says how many there are, and what they wait for."
		p.Gap = "A bound on goroutines makes work wait."
		rules = []string{"goroutineperitem", "goroutineleak", "deeprecursion"}
	case memRuntime:
		p.Title = "the runtime's own"
		p.Meaning = "Tables of the allocator and of the collector, which grow with the heap at its largest and are not given back, and tables of profiles."
		p.Lever = "A smaller peak. Where profiles take much of it, fewer different stacks are recorded at a lower rate (runtime.MemProfileRate)."
		p.Before = "It is large against the heap: some percent are normal."
		p.Gap = "A lower rate of sampling shows less in heap profiles."
		rules = []string{"gomemlimit"}
	}
	p.Rules = sign.Rules(rules)
	return p
}
