package pawldrive

import (
	"encoding/json"
	"os"
)

// Records, one per line. The names are those of the model's values.

type record struct {
	Start      *startRecord  `json:"start,omitempty"`
	Heavy      bool          `json:"heavy,omitempty"` // the base took much memory, and the candidate comes next
	Func       *driven       `json:"func,omitempty"`
	States     []stateRecord `json:"states,omitempty"`
	Concurrent *concurrent   `json:"concurrent,omitempty"`
	End        *endRecord    `json:"end,omitempty"`
}

type startRecord struct {
	ID    int    `json:"id"`
	Func  string `json:"func"`
	Phase string `json:"phase"`
	Input int    `json:"input"`
}

type endRecord struct {
	Reason string `json:"reason"` // "done", or "hang"
	ID     int    `json:"id"`
	Began  int    `json:"began,omitempty"` // tests, subtests and benchmarks, where some were left out
	Left   int    `json:"left,omitempty"`  // of them, for lack of time
}

type driven struct {
	ID           int          `json:"id"`
	Func         string       `json:"func"`
	Inputs       int          `json:"inputs"`
	Pairs        int          `json:"pairs"`
	Calls        int          `json:"calls"`
	Differences  []difference `json:"differences,omitempty"`
	Skipped      string       `json:"skipped,omitempty"`
	Uncompared   []string     `json:"uncompared,omitempty"`
	Fresh        *freshRecord `json:"fresh,omitempty"`
	NoConcurrent string       `json:"no_concurrent,omitempty"`
	Took         []int        `json:"took,omitempty"`    // branches that Took was told of
	Reached      []int        `json:"reached,omitempty"` // pairs, of each function that Reached was told of
	Writes       []bool       `json:"writes,omitempty"`  // and whether all of them wrote to one part of the receiver
	First        string       `json:"first,omitempty"`   // the test that the first input is of
	// Judged says how many inputs of the judging benchmarks were compared.
	Judged []judgedRecord `json:"judged,omitempty"`
}

type judgedRecord struct {
	Benchmark string `json:"benchmark"`
	Calls     int    `json:"calls"`
	Inputs    int    `json:"inputs"`
	Why       string `json:"why,omitempty"` // why others, or all, were not
}

type difference struct {
	Kind      string `json:"kind"`
	Where     string `json:"where"`
	Base      string `json:"base"`
	Candidate string `json:"candidate"`
	Input     string `json:"input"`
	Generated bool   `json:"generated,omitempty"`
	Times     int    `json:"times"`
	shares    *share
}

type freshRecord struct {
	Inputs           int     `json:"inputs"`
	BaseAllocs       float64 `json:"base_allocs"`
	CandAllocs       float64 `json:"cand_allocs"`
	BaseBytes        float64 `json:"base_bytes"`
	CandBytes        float64 `json:"cand_bytes"`
	RepeatBaseAllocs float64 `json:"repeat_base_allocs"`
	RepeatCandAllocs float64 `json:"repeat_cand_allocs"`
	CPURatio         float64 `json:"cpu_ratio"`
	RepeatCPURatio   float64 `json:"repeat_cpu_ratio"`
}

type stateRecord struct {
	Func      string `json:"func"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Retained  int64  `json:"retained"`
	Instances int    `json:"instances"`
	Grows     bool   `json:"grows,omitempty"`
	Detail    string `json:"detail,omitempty"`
}

type concurrent struct {
	ID     int    `json:"id"`
	Func   string `json:"func"`
	Mode   string `json:"mode"`             // "base" or "candidate"
	Beside bool   `json:"beside,omitempty"` // the receiver's other methods were called meanwhile
	Calls  int    `json:"calls"`
	Races  int    `json:"races"`
	// Detector says that the race detector was there to see them.
	Detector bool   `json:"detector"`
	Detail   string `json:"detail,omitempty"`  // what went wrong: races, a panic, a hang, another result
	Input    string `json:"input,omitempty"`   // on which input
	Reason   string `json:"skipped,omitempty"` // why nothing was called at the same time
	hung     bool
}

// An output is the file of records. A record is in the file before what it
// announces begins.
type output struct{ w *os.File }

func (o *output) put(r record) {
	line, err := json.Marshal(r)
	if err != nil || o.w == nil {
		return
	}
	o.w.Write(append(line, '\n'))
}

func (o *output) start(f *function, phase string, input int) {
	o.put(record{Start: &startRecord{f.ID, f.Name, phase, input}})
}
