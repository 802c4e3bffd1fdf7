package model

// Growth is how a program's memory, or the number of its goroutines, changed
// between profiles of one process.
type Growth struct {
	Kind    string   `json:"kind"`    // heap, goroutine or goroutineleak
	Sources []string `json:"sources"` // in order of time
	Unit    string   `json:"unit"`    // bytes or goroutines
	// Seconds is from the first profile to the last; 0 where they do not say when
	// they were taken. Rates are 0 then.
	Seconds float64 `json:"seconds,omitempty"`
	// Period is how many bytes are allocated per sampled object, on average: the
	// program's runtime.MemProfileRate. 1 where all are; of heaps only.
	Period int64         `json:"period,omitempty"`
	Points []GrowthPoint `json:"points"`
	Total  GrowthChange  `json:"total"`
	// Risen is the growth of all sites that grew, without what others lost.
	Risen float64 `json:"risen"`
	// Suspects are sites that grew beyond noise, hold enough of Risen and did not
	// come to rest; Others changed beyond noise and are none. The greatest growth
	// comes first.
	Suspects []GrowthSite `json:"suspects"`
	Others   []GrowthSite `json:"others"`
	More     int          `json:"more,omitempty"` // others that are left out
	Steady   int          `json:"steady"`         // sites whose change is not beyond noise
	// Level is the confidence of the test that says what is beyond noise: that of
	// 95 % for all sites together. Intervals are at 95 % each.
	Level float64 `json:"level"`
	// Sees is how many bytes of small objects must come on a line, and none go,
	// before that is beyond noise; of heaps only.
	Sees      float64    `json:"sees,omitempty"`
	Threshold float64    `json:"threshold"` // share of Risen that makes a suspect
	Least     float64    `json:"least"`     // growth that makes one, in Unit
	Allocated *AllocRate `json:"allocated,omitempty"`
	Meaning   string     `json:"meaning,omitempty"` // of suspects, where there are any
	Lever     string     `json:"lever,omitempty"`
	Before    string     `json:"before,omitempty"`
	Gap       string     `json:"gap,omitempty"`
	Rules     []SignRule `json:"rules,omitempty"`
	Warnings  []Warning  `json:"warnings,omitempty"`
}

// A GrowthPoint is one profile.
type GrowthPoint struct {
	Seconds float64 `json:"seconds"` // since the first
	Total   float64 `json:"total"`   // in Unit
}

// A GrowthChange is a change from the first profile to the last, in the unit
// of the growth, with its interval at 95 % for what was sampled: how load
// varies is not in it. Goroutines are counted, and their interval has no width.
type GrowthChange struct {
	Change float64 `json:"change"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	// PerSecond is the slope of a line through all points, by least squares.
	PerSecond   float64 `json:"per_second"`
	PerSecondLo float64 `json:"per_second_lo"`
	PerSecondHi float64 `json:"per_second_hi"`
}

// A GrowthSite is a line that allocates what is alive, or a group of
// goroutines.
type GrowthSite struct {
	Func    string `json:"func"` // of the line that allocates, or where goroutines wait
	File    string `json:"file"`
	Line    int    `json:"line"`
	Via     string `json:"via,omitempty"`     // what the line calls
	Wait    string `json:"wait,omitempty"`    // of goroutines: what for
	Started string `json:"started,omitempty"` // of goroutines: the function they began in

	GrowthChange
	Share   float64   `json:"share"`             // of Risen; 0 for what shrank
	Values  []float64 `json:"values"`            // one for each point, in Unit
	Objects []float64 `json:"objects,omitempty"` // of heaps: how many that are, scaled up
	Samples int64     `json:"samples,omitempty"` // of heaps: sampled objects that came or went, by which the change is known
	Rose    int       `json:"rose"`              // steps from one point to the next
	Fell    int       `json:"fell"`
	Trend   string    `json:"trend"` // rose, wavered, levelled, fell or steady
}

// AllocRate is how much was allocated between the first profile and the last,
// whether it is alive or not. Intervals are at 95 %, for what was sampled.
type AllocRate struct {
	Bytes            float64     `json:"bytes"`
	Lo               float64     `json:"lo"`
	Hi               float64     `json:"hi"`
	Objects          float64     `json:"objects"`
	PerSecond        float64     `json:"per_second"` // bytes; 0 where the time is not known
	ObjectsPerSecond float64     `json:"objects_per_second"`
	Sites            []AllocSite `json:"sites"` // the greatest first
}

// An AllocSite is one line's part of what was allocated.
type AllocSite struct {
	Func  string  `json:"func"`
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Via   string  `json:"via,omitempty"`
	Bytes float64 `json:"bytes"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}
