package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Record is one comparison, or one gate, or one calibration: a line of the
// file of results.
type Record struct {
	Key      string    `json:"key"`  // verb, what, and number: what a rerun passes over
	Verb     string    `json:"verb"` // "aa", "power", "same", "different", "gate", "overhead", "calibrate"
	Subject  string    `json:"subject"`
	Effect   float64   `json:"effect"` // nominal, as a fraction; 0 for equals
	Steps    int       `json:"steps,omitempty"`
	Seed     uint64    `json:"seed"`
	Load     string    `json:"load"`
	Pawl     []Judged  `json:"pawl,omitempty"` // one, or one for each benchmark of a gate
	Run      *PawlRun  `json:"run,omitempty"`
	Equal    *StatRun  `json:"benchstat,omitempty"` // at equal CPU time
	Usual    *StatRun  `json:"usual,omitempty"`     // at 10 × 1 s
	Measured *Measured `json:"measured,omitempty"`
}

// A Judged is what pawl said of one benchmark, and the log ratios that it rests
// on.
type Judged struct {
	Bench    string    `json:"bench"`
	Standing string    `json:"standing"`
	Why      string    `json:"why"`
	Answer   string    `json:"answer"`           // of the verdict that counts
	Screen   string    `json:"screen,omitempty"` // on one link, where fresh links followed
	Change   float64   `json:"change"`
	Lo       float64   `json:"lo"`
	Hi       float64   `json:"hi"`
	Alpha    float64   `json:"alpha"` // of this benchmark alone
	Least    float64   `json:"min_effect"`
	SD       float64   `json:"sd"`
	Seconds  float64   `json:"seconds"`
	CPU      float64   `json:"cpu_seconds"`
	PerOp    float64   `json:"cpu_ns"`          // of the base
	Duets    []float64 `json:"duets"`           // ln(candidate ÷ base), in order
	Links    []float64 `json:"links,omitempty"` // means over the duets of a pair of links
	Wall     bool      `json:"by_wall,omitempty"`
}

// claims reports whether pawl says that the two differ.
func (j Judged) claims() bool {
	return j.Standing == "regressed" || j.Standing == "improved" || j.Answer == "faster" || j.Answer == "slower"
}

// found reports whether pawl says that the candidate is slower.
func (j Judged) found() bool { return j.Standing == "regressed" && j.Answer == "slower" }

// A PawlRun is one call of pawl.
type PawlRun struct {
	Code       int        `json:"code"`
	Wall       float64    `json:"wall"`    // seconds, from outside
	CPU        float64    `json:"cpu"`     // seconds of pawl and all that it started
	Measure    float64    `json:"measure"` // seconds in which benchmark processes ran, by its own account
	Build      float64    `json:"build"`
	Total      float64    `json:"total"` // seconds, by its own account
	Conditions Conditions `json:"conditions"`
}

// A StatRun is two blocks of runs and what benchstat says about them.
type StatRun struct {
	P          float64    `json:"p"`
	Delta      float64    `json:"delta"` // new ÷ old − 1 of the medians
	Benchtime  string     `json:"benchtime"`
	CPU        float64    `json:"cpu"`
	Wall       float64    `json:"wall"`
	First      bool       `json:"first"` // before pawl
	Conditions Conditions `json:"conditions"`
}

// claims reports what benchstat's user reads: slower (+1), faster (−1), or
// nothing.
func (r StatRun) claims() int {
	switch {
	case r.P >= significance:
		return 0
	case r.Delta > 0:
		return 1
	default:
		return -1
	}
}

// significance is benchstat's default.
const significance = 0.05

// Measured is what a long run of duets says about an injected effect.
type Measured struct {
	Change     float64    `json:"change"` // relative
	Lo         float64    `json:"lo"`
	Hi         float64    `json:"hi"`
	Duets      int        `json:"duets"`
	SD         float64    `json:"sd"`
	PerOp      float64    `json:"cpu_ns"`
	Conditions Conditions `json:"conditions"`
}

// readRecords reads a file of results; one that is not there is empty. The
// last line may be torn.
func readRecords(name string) ([]Record, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Record
	in := bufio.NewReader(f)
	for line := 1; ; line++ {
		data, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return latest(out), nil // what follows the last newline was cut off by a kill
		}
		if err != nil {
			return nil, err
		}
		var r Record
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		out = append(out, r)
	}
}

// latest drops the records that a later one of the same key replaces: a
// calibration that was repeated at greater length.
func latest(all []Record) []Record {
	last := make(map[string]int)
	for i, r := range all {
		last[r.Key] = i
	}
	var out []Record
	for i, r := range all {
		if last[r.Key] == i {
			out = append(out, r)
		}
	}
	return out
}

// A journal appends records.
type journal struct {
	file *os.File
	done map[string]bool
	all  []Record
}

// openJournal opens the file of results, cuts off what a kill left of a line,
// and remembers what is done.
func openJournal(name string) (*journal, error) {
	all, err := readRecords(name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, done: make(map[string]bool), all: all}
	for _, r := range all {
		j.done[r.Key] = true
	}
	if err := cutTorn(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// cutTorn truncates a file after its last newline, and leaves the offset there.
func cutTorn(f *os.File) error {
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := len(data)
	for end > 0 && data[end-1] != '\n' {
		end--
	}
	if err := f.Truncate(int64(end)); err != nil {
		return err
	}
	_, err = f.Seek(int64(end), io.SeekStart)
	return err
}

func (j *journal) add(r Record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keeping %s: %w", r.Key, err)
	}
	if _, err := j.file.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("keeping %s: %w", r.Key, err)
	}
	j.done[r.Key], j.all = true, append(j.all, r)
	return j.file.Sync()
}

func (j *journal) close() error { return j.file.Close() }

// steps returns how many steps make an effect, by calibration.
func steps(all []Record, subject string, effect float64) (int, *Measured, error) {
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; r.Verb == "calibrate" && r.Subject == subject && r.Effect == effect {
			return r.Steps, r.Measured, nil
		}
	}
	return 0, nil, fmt.Errorf("%s has no calibrated effect of %g %%: run calibrate first", subject, 100*effect)
}
