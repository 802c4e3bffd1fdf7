package model

// A Stub is a benchmark that was written and that runs.
type Stub struct {
	Schema    int               `json:"schema"`
	Func      string            `json:"func"` // with its import path
	Package   string            `json:"package"`
	Benchmark string            `json:"benchmark"`
	File      string            `json:"file"` // relative to the module, with slashes
	Source    string            `json:"source"`
	Data      map[string][]byte `json:"data,omitempty"` // large inputs, by their names relative to the file's directory
	Recorded  StubRecorded      `json:"recorded"`
	Inputs    []StubInput       `json:"inputs"`
	Proof     StubProof         `json:"proof"`
	Notes     []string          `json:"notes,omitempty"`
	Warnings  []Warning         `json:"warnings,omitempty"`
}

// StubSchema is the version of a Stub's JSON.
const StubSchema = 1

// StubRecorded says where inputs come from.
type StubRecorded struct {
	Tests  string `json:"tests"`  // import path of the package whose tests ran
	Inputs int    `json:"inputs"` // that differ
	Failed int    `json:"failed"` // of those, calls that ended with an error or a panic
}

// A StubInput is one sub-benchmark.
type StubInput struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`            // that its values hold
	Copied bool   `json:"copied,omitempty"` // a fresh copy in each iteration
	Failed string `json:"failed,omitempty"` // the call ends with an error
}

// A StubProof says what of the function ran in the timed part of the benchmark.
type StubProof struct {
	Lines int    `json:"lines"`          // of the function on which a statement begins
	Timed int    `json:"timed"`          // of those, that ran in the timed part
	Line  string `json:"line,omitempty"` // that was asked for, and ran in the timed part
	By    string `json:"by,omitempty"`   // the sub-benchmark that runs it
}
