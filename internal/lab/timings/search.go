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

// A tally is what a search has come to.
type tally struct {
	judged, kept int
	proof        float64 // seconds that were spent on showing what is kept
	first        string  // seconds until the first was kept, or none
}

func (s *search) tally() tally {
	t := tally{first: "none"}
	for _, a := range s.Attempts {
		if !strings.HasPrefix(a.Outcome, "undecided") {
			t.judged++
		}
		if strings.HasPrefix(a.Outcome, "kept") {
			if t.kept++; t.kept == 1 {
				t.first = fmt.Sprintf("%.0f", a.Time.Sub(s.Started).Seconds()+a.Seconds)
			}
		}
		t.proof += total(a.Steps, proving)
	}
	return t
}

func (s *search) row(f finished) string {
	t := s.tally()
	return fmt.Sprintf("%.0f\t%.0f\t%d\t%d\t%.1f\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f", f.wall.Seconds(), f.cpu.Seconds(),
		t.judged, t.kept, float64(t.judged)/f.wall.Minutes(), t.first, s.Split.Build, s.Split.Test, s.Split.Measure, total(s.Steps, looking), t.proof)
}

func (l *lab) optimize(ctx context.Context, dir, pawl, budget string, args ...string) (s search, f finished, err error) {
	f, err = l.do(ctx, dir, pawl, append([]string{"optimize", "-q", "-json", "-retry", "-budget", budget}, args...)...)
	if err != nil {
		return s, f, err
	}
	return s, f, json.Unmarshal(f.stdout, &s)
}

func (l *lab) searched(ctx context.Context, m searchedIn, budget string) error {
	dir, err := l.repository(ctx, m.module)
	if err != nil {
		return err
	}
	for warm := range 2 {
		s, f, err := l.optimize(ctx, dir, l.pawl, budget, m.pkg)
		if err != nil && f.code < 0 {
			return err
		}
		if warm == 0 && err == nil {
			continue
		}
		answer := fmt.Sprint(err) // a module that pawl can do nothing with has a row, too
		if err == nil {
			t := s.tally()
			answer = fmt.Sprintf("%d judged, %d kept, first after s: %s, %.1f a minute, %.0f CPU s", t.judged, t.kept, t.first, float64(t.judged)/f.wall.Minutes(), f.cpu.Seconds())
		}
		answer, _, _ = strings.Cut(answer, "\n")
		l.row(nameOf(m.module), "optimize", "", budget, f, answer)
		return nil
	}
	return nil
}

// searches times the search on one module with each program, in turns.
func (l *lab) searches(ctx context.Context, dir string, pawls, budgets []string, runs int) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "program\tbudget\twall s\tCPU s\tjudged\tkept\ta minute\tfirst gain s\tbuilding\ttesting\tmeasuring\tlooking\tproving")
	for _, b := range budgets {
		for i := range runs * len(pawls) {
			pawl := pawls[i%len(pawls)]
			s, f, err := l.optimize(ctx, dir, pawl, b)
			if err != nil {
				return err
			}
			row := fmt.Sprintf("%s\t%s\t%s", filepath.Base(pawl), b, s.row(f))
			fmt.Fprintln(table, row)
			fmt.Fprintln(os.Stderr, strings.ReplaceAll(row, "\t", " "))
		}
	}
	return table.Flush()
}
