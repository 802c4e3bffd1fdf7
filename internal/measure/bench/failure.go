package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Failure is a benchmark that came to no result, and how its process ended.
type Failure struct {
	Benchmark model.Benchmark
	Code      int  // exit code of the process; -1 when a signal ended it
	Skipped   bool // it called b.Skip: nothing is wrong, and there is nothing to measure
	Late      bool // it was ended, for its time was over
	// Arm is the side of a slice or of a duet that it was; "" otherwise.
	Arm model.Arm
	// Last says that the time for the listing was over with it: benchmarks that
	// come after it were not looked at.
	Last   bool
	Why    string // "panicked", "called b.Fatal or b.Error", …
	Output string // its own words: the lines that explain the failure, or the last ones
}

func (f *Failure) Error() string {
	if f.Late {
		return fmt.Sprintf("%s of %s %s; choose other benchmarks with -bench", f.Benchmark.Name, f.Benchmark.Pkg, f.Why)
	}
	s := fmt.Sprintf("%s of %s %s (exit code %d)", f.Benchmark.Name, f.Benchmark.Pkg, f.Why, f.Code)
	if f.Output == "" {
		return s
	}
	return s + ": " + f.Output
}

// onArm notes in a Failure which side it was. It returns err as it is.
func onArm(err error, arm model.Arm) error {
	var f *Failure
	if errors.As(err, &f) {
		f.Arm = arm
	}
	return err
}

// failure explains why a job for one benchmark has no figures.
func (j job) failure(o outcome) *Failure {
	bm := model.Benchmark{Pkg: j.bin.Pkg, Name: j.name}
	if f := failures(o, j.bin.Pkg); len(f) > 0 {
		for i := range f {
			if f[i].Benchmark == bm {
				return &f[i]
			}
		}
		return &f[0]
	}
	f := &Failure{Benchmark: bm, Code: o.exit.Code, Output: excerpt(o.exit, j.name)}
	_, ran := last(o.records, j.name)
	switch {
	case ran:
		f.Why = "came to its result, but its process did not end well"
	case len(o.records) == 0 && o.exit.Code == 0 && !j.bin.Stock:
		f.Why = "did not run; does TestMain call m.Run, and in this process?"
	case len(o.records) == 0 && o.exit.Code == 0:
		f.Why = "printed no result; does TestMain call m.Run?"
	case len(o.records) == 0:
		f.Why = "did not run: the process ended before"
	default:
		f.Why = "did not run; does its name depend on GOMAXPROCS or on chance?"
	}
	return f
}

// failures returns the benchmarks that began and came to no result, or to one
// that failed. A parent fails with its sub-benchmarks, and is left out then.
func failures(o outcome, pkg string) []Failure {
	type state struct{ failed, skipped, returned bool }
	seen := make(map[string]*state)
	var order []string
	for _, r := range o.records {
		st := seen[r.name]
		if st == nil {
			st = new(state)
			seen[r.name] = st
			order = append(order, r.name)
		}
		switch r.word {
		case "start":
			*st = state{}
		case "end":
			st.failed, st.skipped, st.returned = r.bit("failed"), r.bit("skipped"), r.bit("returned")
		case "result":
			st.failed = st.failed || r.bit("failed")
		}
	}
	bad := func(st *state) bool { return st.failed || st.skipped || !st.returned }
	var out []Failure
	for _, name := range order {
		st := seen[name]
		if !bad(st) {
			continue
		}
		if !st.skipped && hasBelow(order, name, func(n string) bool { return bad(seen[n]) && !seen[n].skipped }) {
			continue
		}
		f := Failure{Benchmark: model.Benchmark{Pkg: pkg, Name: name}, Code: o.exit.Code, Output: excerpt(o.exit, name)}
		switch {
		case st.failed:
			f.Why = "failed"
		case st.skipped:
			f.Why, f.Skipped = "skipped itself", true
			f.Output = beside(o.exit, name) // without -test.v testing does not print the reason
		default:
			f.Why = endedProcess
		}
		out = append(out, f)
	}
	return out
}

func hasBelow(names []string, parent string, is func(string) bool) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, parent+"/") && is(n) })
}

// endedProcess is the Why of a benchmark during which its process ended: by a
// panic, os.Exit, or a signal.
const endedProcess = "ended its process"

// excerptLines is how many lines of output an error quotes.
const excerptLines = 12

// beside returns what testing printed beside a benchmark's FAIL or SKIP line.
func beside(e gocmd.Exit, name string) string {
	stdout := strings.Split(string(e.Stdout), "\n")
	for i, l := range stdout {
		head, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "--- ")
		if verb, rest, _ := strings.Cut(head, ": "); !ok || verb != "FAIL" && verb != "SKIP" || !isName(rest, name) {
			continue
		}
		if lines := indented(stdout[i+1:]); len(lines) > 0 {
			return quote(lines)
		}
		if lines := indentedBefore(stdout[:i]); len(lines) > 0 { // with -test.v
			return quote(lines)
		}
	}
	return ""
}

// excerpt picks the lines of a process's output that explain why a benchmark
// failed: what testing printed beside its FAIL line, or a panic from its
// start, or the last lines.
func excerpt(e gocmd.Exit, name string) string {
	if text := beside(e, name); text != "" {
		return text
	}
	stderr := strings.Split(string(e.Stderr), "\n")
	for i, l := range stderr {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") || strings.HasPrefix(l, "WARNING: DATA RACE") {
			return quote(stderr[i:])
		}
	}
	all := strings.Split(strings.TrimSpace(string(e.Stdout)+"\n"+string(e.Stderr)), "\n")
	return quote(all[max(0, len(all)-excerptLines):])
}

// isName reports whether a line that testing printed names the benchmark,
// with or without the number of processors.
func isName(printed, name string) bool {
	printed, _, _ = strings.Cut(printed, " ")
	rest, ok := strings.CutPrefix(strings.TrimSpace(printed), name)
	return ok && (rest == "" || isProcs(rest))
}

func isProcs(s string) bool {
	digits, ok := strings.CutPrefix(s, "-")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// indented returns the leading lines that are indented.
func indented(lines []string) []string {
	for i, l := range lines {
		if !isIndented(l) {
			return lines[:i]
		}
	}
	return lines
}

// indentedBefore returns the lines at the end that are indented.
func indentedBefore(lines []string) []string {
	for i := len(lines) - 1; i >= 0; i-- {
		if !isIndented(lines[i]) {
			return lines[i+1:]
		}
	}
	return lines
}

func isIndented(l string) bool { return strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t") }

func quote(lines []string) string {
	if len(lines) > excerptLines {
		lines = lines[:excerptLines]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
