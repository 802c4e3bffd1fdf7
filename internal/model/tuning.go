package model

import "time"

// A Tuning is one run of experiments with settings.
type Tuning struct {
	Schema    int             `json:"schema"`
	Tool      string          `json:"tool"`
	Args      []string        `json:"args"`
	Module    string          `json:"module,omitempty"`
	Started   time.Time       `json:"started"`
	Env       Environment     `json:"env"`
	Alpha     float64         `json:"alpha"`           // error rate of all claims together
	MinEffect float64         `json:"min_effect"`      // what counts, as a fraction
	Memory    float64         `json:"memory"`          // most that a recommendation takes, as a multiple of the present peak
	Now       string          `json:"now,omitempty"`   // what is set at present of what was tried, where pawl set it, too
	Quota     *Quota          `json:"quota,omitempty"` // under which the program ran; nil without one
	Subjects  []TuningSubject `json:"subjects"`
	PGO       []PGO           `json:"pgo,omitempty"`
	Warnings  []Warning       `json:"warnings,omitempty"`
	Stopped   string          `json:"stopped,omitempty"` // why it ended early: "interrupted", "budget"
	Split     Split           `json:"split"`
}

// A Quota is what control groups that were made for the run allowed each side; 0 is no
// limit.
type Quota struct {
	CPUs   float64  `json:"cpus,omitempty"`
	Memory int64    `json:"memory_b,omitempty"`
	Groups []string `json:"groups"` // their directories, which are gone now
}

// A TuningSubject is what settings were tried on: a benchmark, or a program under
// a load command.
type TuningSubject struct {
	Benchmark *Benchmark `json:"benchmark,omitempty"`
	Program   string     `json:"program,omitempty"`
	PeakRSS   float64    `json:"peak_rss_b"`         // under the present settings; 0 where not known
	Likeness  *Likeness  `json:"likeness,omitempty"` // of the benchmark to production, where -pgo has profiles
	Killed    bool       `json:"killed,omitempty"`   // at the limit of memory, under the present settings
	Trials    []Tried    `json:"trials"`
	// Advice is what to set, with its reason. Choice is its place in Trials, and -1
	// stands for the present settings.
	Choice   int       `json:"choice"`
	Advice   string    `json:"advice"`
	Warnings []Warning `json:"warnings,omitempty"`
	Failed   string    `json:"failed,omitempty"` // why it was not tried
}

// A Tried is one setting against the present ones.
type Tried struct {
	Setting  string   `json:"setting"` // "GOGC=200", "-pgo=merged.pgo"
	Kind     string   `json:"kind"`    // as -try names it; two with a plus sign
	Standing Standing `json:"standing"`
	Why      string   `json:"why"`
	Verdict  *Verdict `json:"verdict,omitempty"`
	Guards   []Guard  `json:"guards,omitempty"`
	PeakRSS  float64  `json:"peak_rss_b,omitempty"`
	// GCShare is the collector's share of the CPU time: before and after.
	GCShare [2]float64 `json:"gc_share"`
	// Lived is how many runs of the load the program lived through, where the present
	// settings end in a kill.
	Lived int `json:"lived,omitempty"`
	// Throttled is the share of the periods of a quota in which it was used up: before
	// and after.
	Throttled [2]float64 `json:"throttled,omitzero"`
	// Size is that of the file: before and after; 0 where it is the same file.
	Size     [2]float64 `json:"size_b"`
	Build    *BuildTime `json:"build,omitempty"`    // of a setting of the build
	Price    []string   `json:"price,omitempty"`    // what else it costs, in words
	Frontier bool       `json:"frontier,omitempty"` // nothing that was tried is better in time and memory
	Warnings []Warning  `json:"warnings,omitempty"`
}

// A BuildTime is what a setting does to the CPU time of builds: those in which the
// packages of the module are compiled anew, and the program is linked.
type BuildTime struct {
	Ratio  float64 `json:"ratio"` // the median of pairs
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
	Pairs  int     `json:"pairs"`
	Before float64 `json:"before_ns"` // medians
	After  float64 `json:"after_ns"`
}

// A Freshness is how much of a CPU profile still maps to the source.
type Freshness struct {
	Share   float64   `json:"share"` // of the samples of user code, with an interval
	Lo      float64   `json:"lo"`
	Hi      float64   `json:"hi"`
	Samples int64     `json:"samples"`
	Taken   time.Time `json:"taken,omitzero"`
	Gone    []Gone    `json:"gone,omitempty"` // the hottest first
}

// A Gone is a function of a profile that the source does not have.
type Gone struct {
	Func  string  `json:"func"`
	Share float64 `json:"share"`           // of the samples of user code
	Short bool    `json:"short,omitempty"` // it is there, and shorter than the profile's line
}

// A Likeness is how like production a benchmark is, by a CPU profile of each.
type Likeness struct {
	Schema  int      `json:"schema,omitempty"` // where it stands alone
	Tool    string   `json:"tool,omitempty"`
	Alike   float64  `json:"alike"` // the overlap of the shares of functions, with an interval
	Lo      float64  `json:"lo"`
	Hi      float64  `json:"hi"`
	Covered float64  `json:"covered"` // of production's CPU time, in functions that the benchmark runs
	Samples [2]int64 `json:"samples"` // of production and of the benchmark
	Weights []Weight `json:"weights"` // by how far the shares lie apart
}

// A BenchLike is how like production one benchmark is.
type BenchLike struct {
	Benchmark Benchmark `json:"benchmark"`
	Likeness  Likeness  `json:"likeness"`
}

// A Weight is the share of one function in both profiles.
type Weight struct {
	Func       string  `json:"func"`
	Production float64 `json:"production"`
	Bench      float64 `json:"bench"`
}

// A PGO is a profile for the compiler, and what became of it.
type PGO struct {
	Main    string    `json:"main"` // import path of the main package
	File    string    `json:"file"` // default.pgo, from the root of the repository
	Fresh   Freshness `json:"fresh"`
	Stale   string    `json:"stale,omitempty"`   // why it is; empty where it is not
	Brought []string  `json:"brought,omitempty"` // calls that are inlined or devirtualised by it
	Commit  string    `json:"commit,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Copy    string    `json:"copy,omitempty"` // where the profile lies, where it is no commit
	Why     string    `json:"why,omitempty"`  // why it is not kept, or no commit
	// Fresher is the command that measures what a fresh profile would give.
	Fresher []string `json:"fresher,omitempty"`
	// Tried says that the subjects show what a fresh profile gives beside it.
	Tried bool `json:"tried,omitempty"`
	// Newer is how like the profile is to a fresh one, where one is at hand.
	Newer *Likeness `json:"newer,omitempty"`
}

// A Startup is what the packages of a program cost before its main begins, and in
// the size of its file.
type Startup struct {
	Schema int         `json:"schema"`
	Tool   string      `json:"tool"`
	Args   []string    `json:"args"`
	Main   string      `json:"main"`
	Env    Environment `json:"env"`
	Starts int         `json:"starts"` // how often it was started
	Inits  []Init      `json:"inits"`  // the slowest first
	Sizes  []PkgSize   `json:"sizes"`  // the largest first
	// Versions is the start beside that of another commit, where one was named.
	Versions *StartVersions `json:"versions,omitempty"`
}

// A StartVersions is how long a program takes from its start to its first answer, at
// another commit and now.
type StartVersions struct {
	Base     string   `json:"base"` // as it was named
	Commit   string   `json:"commit"`
	Before   float64  `json:"before_ns"` // medians
	After    float64  `json:"after_ns"`
	Verdict  Verdict  `json:"verdict"`
	Standing Standing `json:"standing"`
	Why      string   `json:"why"`
}

// An Init is the initialisation of one package, as the runtime tells it.
type Init struct {
	Pkg      string   `json:"pkg"`
	At       float64  `json:"at_ns"` // since the start
	Ns       float64  `json:"ns"`    // the median of all starts
	Least    float64  `json:"least_ns"`
	Most     float64  `json:"most_ns"`
	Bytes    float64  `json:"bytes"`
	Allocs   float64  `json:"allocs"`
	Standard bool     `json:"standard,omitempty"`
	Path     []string `json:"path,omitempty"` // by which main imports it
}

// A PkgSize is what the symbols of a package take in a program's file.
type PkgSize struct {
	Pkg   string   `json:"pkg"`
	Bytes float64  `json:"bytes"`
	Path  []string `json:"path,omitempty"` // by which main imports it
}
