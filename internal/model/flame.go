package model

// A Flame is the call tree of one profile, or of two side by side: what flame
// graphs are drawn from.
type Flame struct {
	Title string `json:"title"` // what the profiles are of: a benchmark, a file
	// Resource is cpu, allocs, bytes, live, live objects, mutex, block or
	// goroutines, and Unit that of the values: ns, objects, bytes, goroutines.
	Resource string `json:"resource"`
	Unit     string `json:"unit"`
	// Two says that there are two profiles; else the second of all values is 0.
	Two bool `json:"two,omitempty"`
	// PerOp says that values are per operation of a benchmark.
	PerOp bool       `json:"per_op,omitempty"`
	Total [2]float64 `json:"total"`
	// Counted is what was counted per operation where the profile has less: the
	// runtime leaves most objects below 16 bytes out, which share a block.
	Counted [2]float64 `json:"counted,omitzero"`
	// Samples are how many samples the totals rest on: what tells a difference
	// from noise.
	Samples [2]int64 `json:"samples"`
	// Cut is the greatest share of the larger total that was left out of the tree;
	// values that were are in the Rest of the node above. Folded is how many parts
	// these are.
	Cut    float64     `json:"cut,omitempty"`
	Folded int         `json:"folded,omitempty"`
	Funcs  []FlameFunc `json:"funcs"`
	Nodes  []FlameNode `json:"nodes"` // the root first, each node before its children
}

// A FlameFunc is a function that nodes stand for.
type FlameFunc struct {
	Name   string `json:"name"` // symbol as the runtime names it
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`   // where most of it is spent
	Module bool   `json:"module,omitempty"` // of the user's module
	Std    bool   `json:"std,omitempty"`    // of the standard library
}

// A FlameNode is one function called by those above it. Its Value is its Self,
// its Rest and the values of its children together.
type FlameNode struct {
	Func   int        `json:"f"`          // index in Funcs; -1 is the root
	Parent int        `json:"p"`          // index in Nodes; -1 above the root
	Value  [2]float64 `json:"v"`          // with all that it calls: base, candidate
	Self   [2]float64 `json:"s"`          // without
	Rest   [2]float64 `json:"r,omitzero"` // what was left out below it
	// Clear says that the two values differ by more than samples would by chance:
	// those per op as they are, others as shares of their totals.
	Clear bool `json:"c,omitempty"`
}
