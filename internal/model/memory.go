package model

// Memory is what a program's memory consisted of at one moment, by its own
// runtime.MemStats. Parts add up to Held, and the live heap is an estimate:
// that of the heap profile, which was sampled.
type Memory struct {
	Source   string `json:"source"`             // the URL, without password
	Sys      uint64 `json:"sys"`                // bytes that Go has from the system, by address
	Released uint64 `json:"released"`           // of these, given back: they take no memory
	Held     uint64 `json:"held"`               // Sys without Released: Go's share of the RSS at most
	PeakRSS  uint64 `json:"peak_rss,omitempty"` // the largest RSS that there was; 0 where the system does not say
	// Outside is the part of the peak that was never Go's to ask for: C, mmap, and
	// the program's own code. It is a lower bound, and 0 where Go alone explains it.
	Outside   uint64       `json:"outside,omitempty"`
	NextGC    uint64       `json:"next_gc"` // the size of the heap at which the next cycle ends
	Cycles    uint64       `json:"cycles"`
	Forced    uint64       `json:"forced"`     // of these, asked for by runtime.GC or FreeOSMemory
	GCShare   float64      `json:"gc_share"`   // of the CPU time that was there since the start
	Parts     []MemoryPart `json:"parts"`      // the largest first
	StandsOut int          `json:"stands_out"` // how many of them hold enough to look at
	Warnings  []Warning    `json:"warnings,omitempty"`
}

// A MemoryPart is one use of memory.
type MemoryPart struct {
	Name    string     `json:"name"` // live, garbage, holes, idle, stacks, runtime
	Title   string     `json:"title"`
	Bytes   uint64     `json:"bytes"`
	Share   float64    `json:"share"` // of Held
	Meaning string     `json:"meaning"`
	Lever   string     `json:"lever"`
	Before  string     `json:"before"`
	Gap     string     `json:"gap"`
	Rules   []SignRule `json:"rules"`
}
