package outside

// Schema is the version of the request.
const Schema = 1

// A Request is what a proposer is asked: docs/propose.schema.json has it for
// programs.
type Request struct {
	Schema      int       `json:"schema"`
	Module      string    `json:"module"`
	GoVersion   string    `json:"go_version"`
	Round       int       `json:"round"`
	SecondsLeft float64   `json:"seconds_left"` // of the run
	Function    Function  `json:"function"`
	Costs       []Cost    `json:"costs"`              // of its lines, the target first
	Compiler    []string  `json:"compiler,omitempty"` // its notes on these lines
	Findings    []Finding `json:"findings,omitempty"`
	Tried       []Tried   `json:"tried,omitempty"`
	Frozen      []string  `json:"frozen"` // what no proposal may change
	Answer      string    `json:"answer"` // what an answer looks like
}

// A Function is a declared function with what it takes to read it.
type Function struct {
	Symbol  string        `json:"symbol"`
	Package string        `json:"package"`         // its import path
	Header  Declaration   `json:"header"`          // of its file, to the last import
	Body    Declaration   `json:"body"`            // with its comment
	Types   []Declaration `json:"types,omitempty"` // of the module, that it uses
	Callers []Declaration `json:"callers,omitempty"`
}

// A Declaration is a piece of source as it stands in a file.
type Declaration struct {
	Name   string `json:"name"`
	File   string `json:"file"` // as a diff has to name it
	Line   int    `json:"line"` // of its first line
	Source string `json:"source"`
}

// A Cost is what a line costs in one benchmark.
type Cost struct {
	At        string   `json:"at"`
	Benchmark string   `json:"benchmark"`
	Resource  string   `json:"resource"`
	PerOp     float64  `json:"per_op"`
	Share     float64  `json:"share"`   // of the benchmark's cost of the resource
	Ceiling   float64  `json:"ceiling"` // the largest part of it that can be saved here
	Why       string   `json:"why"`
	Leads     []string `json:"leads,omitempty"`
}

// A Finding is what a rule reports about a line.
type Finding struct {
	Rule    string `json:"rule"`
	At      string `json:"at"`
	Message string `json:"message"`
}

// A Tried is an idea about the function, and what became of it.
type Tried struct {
	Title   string `json:"title"`
	Diff    string `json:"diff,omitempty"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	Detail  string `json:"detail,omitempty"` // of the check that it failed
}

// How is what an answer looks like, in words.
const How = "Answer on standard output with one or more unified diffs against the files as given, " +
	"each after a line or more that say why it is faster; " +
	`or with JSON: {"proposals": [{"diff": "…", "reason": "…", "cost": 0.01}]}. ` +
	"A diff may touch several files and must keep behaviour and exported API. An empty answer is an answer."
