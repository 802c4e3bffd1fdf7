package model

// A Finding is what a rule, or the compiler, says about a line.
type Finding struct {
	Rule  string   `json:"rule"`
	IDs   []string `json:"ids,omitempty"` // of the catalogue
	Title string   `json:"title,omitempty"`
	Tier  string   `json:"tier"`
	Class string   `json:"class"` // fix class: A proven, B offered, N report only
	Pkg   string   `json:"pkg"`
	Func  string   `json:"func,omitempty"` // that it stands in, as "T.Method" or "F"
	At    Pos      `json:"at"`             // File is relative to the module's root where it lies in it
	End   Pos      `json:"end"`
	// First and Last are the lines whose cost the finding explains.
	First   int    `json:"first_line"`
	Last    int    `json:"last_line"`
	Message string `json:"message"`
	// Callers says what is known of the callers, where that is why the finding
	// is shown.
	Callers string `json:"callers,omitempty"`
	// Share is the part of the profile that is spent here, 0 to 1, and
	// Resource what of; 0 without a profile. Nothing done here saves more.
	Share    float64  `json:"share,omitempty"`
	Resource string   `json:"resource,omitempty"` // of the profile
	Notes    []string `json:"notes,omitempty"`    // the compiler's, on these lines
	Try      string   `json:"try,omitempty"`      // what to do, where it is not a fix
	Hash     string   `json:"hash,omitempty"`     // of the line, as a baseline has it
	Fix      *Fix     `json:"fix,omitempty"`
	// Demoted says that the rule's gain was not there when its evidence was run
	// on this machine.
	Demoted string `json:"demoted,omitempty"`
}

// A Fix is an edit that a finding offers.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"` // File as in Finding.At
}

// Findings is what pawl find found.
type Findings struct {
	Schema    int       `json:"schema"`
	Tool      string    `json:"tool"`
	GoVersion string    `json:"go"`
	Module    string    `json:"module"`
	Root      string    `json:"-"` // the module's directory
	Work      string    `json:"-"` // the workspace's file, if there is one
	GOROOT    string    `json:"-"`
	ModCache  string    `json:"-"`
	Args      []string  `json:"args"`
	Packages  int       `json:"packages"` // that were read
	Files     int       `json:"files"`
	Lines     int       `json:"lines"`
	Cached    int       `json:"cached"` // packages whose result was known
	Tier      string    `json:"tier"`
	Profile   []string  `json:"profile,omitempty"`
	Findings  []Finding `json:"findings"`
	Hidden    Hidden    `json:"hidden"`
	Left      []Left    `json:"left,omitempty"`  // fixes that were not made
	Fixed     []string  `json:"fixed,omitempty"` // files that -fix wrote
	Warnings  []Warning `json:"warnings,omitempty"`
	// Plan is what the benchmarks show, where they were measured.
	Plan *Run `json:"plan,omitempty"`
}

// A Left is a fix that was not made, and why.
type Left struct {
	Rule string `json:"rule"`
	At   Pos    `json:"at"`
	Why  string `json:"why"`
}

// Hidden counts the findings that are not shown, by why.
type Hidden struct {
	Tier       int `json:"tier,omitempty"`       // of another tier
	Cold       int `json:"cold,omitempty"`       // in code that the profile shows to be cold
	Suppressed int `json:"suppressed,omitempty"` // by a directive
	Baseline   int `json:"baseline,omitempty"`   // in the baseline
	Unchanged  int `json:"unchanged,omitempty"`  // on lines that did not change since the reference
	Callers    int `json:"callers,omitempty"`    // no caller is known for which it would matter
	Excluded   int `json:"excluded,omitempty"`   // switched off or excluded by the configuration
	Compiler   int `json:"compiler,omitempty"`   // the compiler keeps on the stack what the rule saw on the heap
	Demoted    int `json:"demoted,omitempty"`    // rules whose gain is not there on this toolchain
}
