package model

// An Audit is what the files of a module say of how it is built and run, and what
// is wrong with that.
type Audit struct {
	Schema    int              `json:"schema"`
	Tool      string           `json:"tool"`
	Module    string           `json:"module"`
	Root      string           `json:"-"`          // the directory that files are relative to
	GoLine    string           `json:"go"`         // of go.mod
	Oldest    string           `json:"oldest_cpu"` // the level of GOAMD64 that all machines have; empty when nobody said
	Files     []string         `json:"files"`      // that say something
	Builds    int              `json:"builds"`     // commands that build
	Processes int              `json:"processes"`  // programs that are run
	Settings  []Setting        `json:"settings"`
	Findings  []SettingFinding `json:"findings"`
	Hidden    Hidden           `json:"hidden"`
	Left      []Left           `json:"left,omitempty"`  // fixes that were not made
	Fixed     []string         `json:"fixed,omitempty"` // files that -fix wrote
	Warnings  []Warning        `json:"warnings,omitempty"`
}

// A Setting is one thing that is set for a build or a run.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	For    string `json:"for"` // release, debug, check, or run
	In     string `json:"in"`  // the target, stage, job or container
	At     Pos    `json:"at"`
	Effect string `json:"effect"`
	About  string `json:"about"` // speed, memory, size, reproducibility, portability
}

// A SettingFinding is a finding about a setting. What it is about is said, so that
// size, reproducibility and speed are not taken for each other.
type SettingFinding struct {
	Finding
	About string `json:"about"`
	Also  []Pos  `json:"also,omitempty"` // where else, of settings that contradict each other
}
