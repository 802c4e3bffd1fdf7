package pawldrive

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A pairing is a hand-written base and candidate, and the calls that a test
// would make of them.
type pairing struct {
	f          Func
	cand, base arm
	calls      [][]any
	seconds    float64
	pairs      int
}

// drive records the calls and drives both, the way a test binary does.
func (p pairing) drive(t *testing.T) []record {
	t.Helper()
	return p.mode(t, modePairs)
}

func (p pairing) mode(t *testing.T, mode string) []record {
	t.Helper()
	h := &hub{}
	if p.f.Name == "" {
		p.f.Name = "m.F"
	}
	h.register(p.f, true)
	for _, c := range p.calls {
		h.enter(h.all()[p.f.ID], c, p.cand, p.base)
	}
	name := filepath.Join(t.TempDir(), "out")
	w, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	o := options{pairs: 300, seconds: 30, mode: mode, seed: 1, made: true}
	if p.seconds > 0 {
		o.seconds = p.seconds
	}
	if p.pairs > 0 {
		o.pairs = p.pairs
	}
	h.drive(o, &output{w})
	w.Close()
	return readRecords(t, name)
}

func readRecords(t *testing.T, name string) (out []record) {
	t.Helper()
	r, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var rec record
		if err := json.Unmarshal(sc.Bytes(), &rec); err != nil {
			t.Fatalf("%s: %v", sc.Bytes(), err)
		}
		out = append(out, rec)
	}
	return out
}

// last returns the last record of the function, with the calls and differences
// of all of them.
func last(t *testing.T, list []record) (*driven, []stateRecord) {
	t.Helper()
	var d *driven
	var states []stateRecord
	for _, r := range list {
		if r.Func == nil {
			continue
		}
		if d != nil {
			r.Func.Calls += d.Calls
			r.Func.Differences = append(d.Differences, r.Func.Differences...)
		}
		d, states = r.Func, r.States
	}
	if d == nil {
		t.Fatal("no record of the function")
	}
	return d, states
}

func kinds(d *driven) (out []string) {
	for _, x := range d.Differences {
		if !slices.Contains(out, x.Kind) {
			out = append(out, x.Kind)
		}
	}
	slices.Sort(out)
	return out
}
