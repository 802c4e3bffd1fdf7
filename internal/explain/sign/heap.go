package sign

import "github.com/pawl-dev/pawl/internal/read/profile"

func heapSigns() []Sign {
	const few = 0.25
	return []Sign{
		{
			Name: "objects", Kind: profile.KindHeap, Title: "lines that make most of the objects", What: "objects made", Threshold: few, Least: 10000,
			Meaning: "A few lines make much of what is allocated, since the program started or in the time that was profiled. Each object costs its allocation, and the collector's look at it.",
			Lever:   "Make fewer on these lines: size slices and maps when they are made, use a buffer again, keep values from escaping.",
			Before:  "Allocating and collecting have a share of the CPU profile: take one as well. The compiler says that the value escapes (pawl find -bench shows its note).",
			Gap:     "A reused buffer holds the data of its last user until it is reset, and no reader may keep it.",
			Rules:   []string{"slicesize", "mapsize", "scratch", "scratchfield", "boxing", "sprintf", "escapes"},
			ByCall:  true, Always: []string{"escapes"},
		},
		{
			Name: "bytes", Kind: profile.KindHeap, Title: "lines that make most of the bytes", What: "bytes allocated", Threshold: few, Least: 16 << 20,
			Meaning: "A few lines make much of what is allocated, by size. Bytes decide how often the collector runs.",
			Lever:   "A buffer that is used again, reading as a stream, a slice of the right size at once.",
			Before:  "Collecting has a share of the CPU profile: take one as well.",
			Gap:     "A pooled buffer keeps its largest size. Its data must be reset and must not be kept by anyone.",
			Rules:   []string{"readall", "slicesize", "scratch", "tempbuffer", "tokenbuild"},
			ByCall:  true, Always: []string{"tempbuffer"},
		},
		{
			Name: "live", Kind: profile.KindHeap, Title: "lines whose objects stay", What: "bytes in use", Threshold: few, Least: 64 << 20,
			Meaning: "A few lines made most of what is alive now. The collector needs as much room again (GOGC=100), and looks through all of it in each cycle where it has pointers.",
			Lever:   "A bound or an age for caches; copies of the small parts that keep large ones alive; values instead of pointers.",
			Before:  "Take a second profile later and compare (pawl diagnose -base OLD NEW): what grows is a leak, what stays is the program's data.",
			Gap:     "A bounded cache computes again what it dropped.",
			Rules:   []string{"unboundedcache", "pointermap", "pointerslice", "goroutineleak"},
		},
	}
}
