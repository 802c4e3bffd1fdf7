package model

// A Diagnosis is what the runtime's functions in profiles of a program say
// about it.
type Diagnosis struct {
	Schema   int        `json:"schema"`
	Tool     string     `json:"tool"`
	Args     []string   `json:"args"`
	Profiles []Symptoms `json:"profiles"`           // one for each kind; profiles of one kind are added up
	Growth   []Growth   `json:"growth,omitempty"`   // between profiles of one process
	Memory   []Memory   `json:"memory,omitempty"`   // of programs that were asked for their heap
	Observed []Observed `json:"observed,omitempty"` // runs of benchmarks, programs and commands
	Traces   []*Trace   `json:"traces,omitempty"`   // execution traces, and what they show
	Warnings []Warning  `json:"warnings,omitempty"`

	Metrics  *RuntimeMetrics     `json:"metrics,omitempty"`  // of a program that runs, where they were read
	Compared []ProfileComparison `json:"compared,omitempty"` // with -base
}

// Symptoms is what the profiles of one kind show.
type Symptoms struct {
	Kind    string   `json:"kind"`    // cpu, heap, goroutine, goroutineleak, mutex or block
	Sources []string `json:"sources"` // files, and URLs without passwords
	// Seconds is how long the profiles were taken for, together; 0 where they do
	// not say.
	Seconds float64 `json:"seconds,omitempty"`
	Samples int64   `json:"samples"`
	Total   float64 `json:"total"` // of all samples, in Unit
	Unit    string  `json:"unit"`  // ns, objects, bytes or goroutines
	// Rest is the share that no signature takes: of CPU profiles the program's own
	// work, and of block profiles the waits of the standard library alone.
	// RestCallers are the lines with most of the program's work.
	Rest        float64      `json:"rest,omitempty"`
	RestCallers []SignCaller `json:"rest_callers,omitempty"`
	// Signs are the signatures that reach their threshold, by what could be gained;
	// Below are those that are there and do not.
	Signs    []Sign    `json:"signs"`
	Below    []Sign    `json:"below"`
	Warnings []Warning `json:"warnings,omitempty"`
}

// A Sign is one signature, seen in a profile.
type Sign struct {
	Name  string `json:"name"` // the signature's: allocation
	Title string `json:"title"`
	What  string `json:"what"` // what shares are of: CPU time, objects allocated
	// Share is the signature's part of the profile, on stacks that are counted once
	// and for one signature; Lo and Hi are its interval at 95 %.
	Share float64 `json:"share"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	// Scheduler is the part of the profile that the scheduler spends on behalf of
	// this: an estimate, on top of Share.
	Scheduler float64 `json:"scheduler,omitempty"`
	Amount    float64 `json:"amount"` // in Unit
	Unit      string  `json:"unit"`
	Idle      bool    `json:"idle,omitempty"`  // waiting that may be what the program is meant to do
	Threshold float64 `json:"threshold"`       // the share from which it stands out
	Least     float64 `json:"least,omitempty"` // the amount below which it does not, whatever its share

	Callers []SignCaller `json:"callers"`        // the lines that call for it, the greatest first
	More    int          `json:"more,omitempty"` // how many other lines do
	// Orphan is the share of the profile that is on no line: the runtime's own
	// goroutines, OrphanIn most of all.
	Orphan   float64      `json:"orphan,omitempty"`
	OrphanIn string       `json:"orphan_in,omitempty"`
	Symbols  []SignSymbol `json:"symbols,omitempty"` // the functions of the runtime by which it was recognised

	Meaning string     `json:"meaning"` // what it is
	Lever   string     `json:"lever"`   // what changes it
	Before  string     `json:"before"`  // what must hold before that is done
	Gap     string     `json:"gap"`     // what it can break
	Rules   []SignRule `json:"rules"`   // what pawl rules knows about it
}

// Gain is the part of the profile that goes if the signature goes altogether.
func (s Sign) Gain() float64 { return s.Share + s.Scheduler }

// A SignCaller is a line that calls for what a signature shows: the innermost
// one outside the standard library.
type SignCaller struct {
	Func  string  `json:"func"`
	File  string  `json:"file"` // as the profile has it
	Line  int     `json:"line"`
	Via   string  `json:"via,omitempty"` // what it calls: a function of the standard library or of the runtime
	Share float64 `json:"share"`         // of the profile
}

// A SignSymbol is a function of the runtime, with its inclusive share.
type SignSymbol struct {
	Func  string  `json:"func"`
	Share float64 `json:"share"`
}

// A SignRule is an entry of the catalogue.
type SignRule struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}
