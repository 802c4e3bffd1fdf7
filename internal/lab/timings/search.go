package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// A search is how optimize spent its time, by its report.
type search struct {
	Started  time.Time
	Steps    []step
	Attempts []struct {
		Time    time.Time
		Seconds float64
		Outcome string
		Steps   []step
	}
	Split struct{ Build, Test, Measure float64 }
}

type step struct {
	Name    string
	Seconds float64
}

// Steps of a run that look for changes, and those of an attempt that prove one. These
// go on beside others.
var (
	looking = []string{"profiling", "finding tiny allocations", "reading the compiler's notes", "looking for changes"}
	proving = []string{"inspection", "builds of what shows its behaviour", "tests with the race detector", "behaviour"}
)

// total is how long the steps took that have one of these names.
func total(steps []step, names []string) (seconds float64) {
	for _, s := range steps {
		for _, name := range names {
			if s.Name == name {
				seconds += s.Seconds
			}
		}
	}
	return seconds
}

// row is a search as a line of the table.
func (s *search) row(f finished) string {
	kept, judged, proof, first := 0, 0, 0.0, "none"
	for _, a := range s.Attempts {
		if !strings.HasPrefix(a.Outcome, "undecided") {
			judged++
		}
		if strings.HasPrefix(a.Outcome, "kept") {
			if kept++; kept == 1 {
				first = fmt.Sprintf("%.0f", a.Time.Sub(s.Started).Seconds()+a.Seconds)
			}
		}
		proof += total(a.Steps, proving)
	}
	return fmt.Sprintf("%.0f\t%.0f\t%d\t%d\t%.1f\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f", f.wall.Seconds(), f.cpu.Seconds(),
		judged, kept, float64(judged)/f.wall.Minutes(), first, s.Split.Build, s.Split.Test, s.Split.Measure, total(s.Steps, looking), proof)
}

// searches times the search on one module with each program, in turns. What a run has
// refuted is tried again by the next.
func (l *lab) searches(ctx context.Context, dir string, pawls, budgets []string, runs int) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "program\tbudget\twall s\tCPU s\tjudged\tkept\ta minute\tfirst gain s\tbuilding\ttesting\tmeasuring\tlooking\tproving")
	for _, b := range budgets {
		for i := range runs * len(pawls) {
			pawl := pawls[i%len(pawls)]
			f, err := l.do(ctx, dir, pawl, "optimize", "-q", "-json", "-retry", "-budget", b)
			if err != nil && f.code < 0 {
				return err
			}
			var s search
			if err := json.Unmarshal(f.stdout, &s); err != nil {
				return fmt.Errorf("optimize: %w", err)
			}
			row := fmt.Sprintf("%s\t%s\t%s", filepath.Base(pawl), b, s.row(f))
			fmt.Fprintln(table, row)
			fmt.Fprintln(os.Stderr, strings.ReplaceAll(row, "\t", " "))
		}
	}
	return table.Flush()
}
