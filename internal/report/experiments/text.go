package experiments

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes what was tried: of each subject what to set, and a row for each
// setting.
func Text(w io.Writer, t *model.Tuning, o sheet.Options) error {
	s := sheet.New(o)
	if len(t.Subjects) > 0 {
		s.Para(sheet.Bold, "", answer(t))
	}
	if t.Stopped != "" {
		s.Para(sheet.Yellow, "", "Stopped early ("+t.Stopped+"): this is what was known by then.")
	}
	for _, line := range under(t) {
		s.Para(sheet.Normal, "", line)
	}
	for _, sub := range t.Subjects {
		s.Heading(name(sub))
		if sub.Failed != "" {
			s.Para(sheet.Yellow, "  ! ", sub.Failed)
			continue
		}
		s.Para(sheet.Normal, "  ", sub.Advice)
		if text := likeness(sub); text != "" {
			s.Para(sheet.Dim, "  ", text)
		}
		s.Table("  ", rows(sub))
		s.Warnings(sub.Warnings)
		for _, line := range prices(sub) {
			s.Para(sheet.Dim, "  ", line)
		}
		if o.Verbose {
			for _, x := range sub.Trials {
				s.Warnings(x.Warnings)
			}
		}
	}
	pgo(s, t.PGO, o)
	s.Warnings(t.Warnings)
	if slices.ContainsFunc(t.Subjects, hasFrontier) {
		s.Part()
		s.Para(sheet.Dim, "", "* on the frontier: nothing that is proven takes less time and less memory.")
	}
	return s.Flush(w)
}

func hasFrontier(sub model.TuningSubject) bool {
	return slices.ContainsFunc(sub.Trials, func(t model.Tried) bool { return t.Frontier })
}

func answer(t *model.Tuning) string {
	checked := ""
	if len(t.PGO) > 0 && len(t.PGO[0].Fresher) > 0 {
		old := 0
		for _, p := range t.PGO {
			if p.Stale != "" {
				old++
			}
		}
		if checked = fmt.Sprintf("Stale: %d of %s for the compiler.", old, words.Plural(len(t.PGO), "profile")); len(t.Subjects) == 0 {
			return checked
		}
		checked += " "
	}
	if slices.ContainsFunc(t.Subjects, func(s model.TuningSubject) bool { return s.Killed }) {
		return "The program is killed at its limit of memory."
	}
	chosen, trials := 0, 0
	for _, sub := range t.Subjects {
		trials += len(sub.Trials)
		if sub.Choice >= 0 {
			chosen++
		}
	}
	of := words.Plural(len(t.Subjects), "subject")
	if chosen == 0 {
		return checked + fmt.Sprintf("No setting is worth a change: %s tried on %s.", words.Plural(trials, "setting"), of)
	}
	return checked + fmt.Sprintf("A setting saves time in %d of %s, of %s tried.", chosen, of, words.Plural(trials, "setting"))
}

// name is what a subject is called.
func name(sub model.TuningSubject) string {
	if sub.Benchmark != nil {
		return sub.Benchmark.String()
	}
	return sub.Program
}

// likeness says how like production the benchmark is; "" where it is not known.
func likeness(sub model.TuningSubject) string {
	if sub.Likeness == nil {
		return ""
	}
	return "It and production are " + figure.Alike(*sub.Likeness) + "."
}

// under says what held for all that was tried.
func under(t *model.Tuning) []string {
	var out []string
	if t.Quota != nil {
		out = append(out, limited(*t.Quota))
	}
	if t.Now != "" && len(t.Subjects) > 0 {
		out = append(out, "What is there now is built with "+t.Now+".")
	}
	return out
}

// limited says under what limits the program ran.
func limited(q model.Quota) string {
	var limits []string
	if q.CPUs > 0 {
		cpus := "CPUs"
		if q.CPUs == 1 {
			cpus = "CPU"
		}
		limits = append(limits, fmt.Sprintf("the time of %.4g %s", q.CPUs, cpus))
	}
	if q.Memory > 0 {
		limits = append(limits, words.Bytes(float64(q.Memory))+" of memory")
	}
	return "Each side ran in a control group of its own, with " + strings.Join(limits, " and ") + "."
}

// prices say what is paid that no column shows, settings of one price together.
func prices(sub model.TuningSubject) []string {
	var out []string
	by := map[string][]string{}
	for _, t := range sub.Trials {
		for _, price := range t.Price {
			if by[price] == nil {
				out = append(out, price)
			}
			by[price] = append(by[price], t.Setting)
		}
	}
	for i, price := range out {
		out[i] = strings.Join(by[price], ", ") + ": " + price + "."
	}
	for _, t := range sub.Trials {
		if b := t.Build; b != nil {
			spread := "" // one pair has none
			if b.Pairs > 1 {
				spread = fmt.Sprintf(" [%.2f, %.2f]", b.Least, b.Most)
			}
			out = append(out, fmt.Sprintf("%s: a build takes %.2f times the CPU time%s in %s, with the packages of this module compiled anew: %s for %s.",
				t.Setting, b.Ratio, spread, words.Plural(b.Pairs, "pair"), words.Nanoseconds(b.After), words.Nanoseconds(b.Before)))
		}
	}
	return out
}

// rows are the settings of one subject.
func rows(sub model.TuningSubject) [][]sheet.Cell {
	head := []string{"setting", "time", "interval", "", "peak RSS"}
	more := columns(sub)
	for _, x := range more {
		head = append(head, x.name)
	}
	var cells []sheet.Cell
	for _, h := range head {
		cells = append(cells, sheet.Left(h))
	}
	out := [][]sheet.Cell{sheet.Dimmed(cells...), present(sub, more)}
	for i, t := range sub.Trials {
		change, bounds := changeOf(t)
		name := t.Setting
		if t.Frontier {
			name += " *"
		}
		row := []sheet.Cell{
			sheet.Left(name), sheet.Right(change), sheet.Left(bounds), sheet.Left(outcome(t)), sheet.Right(peak(t.PeakRSS)),
		}
		for _, x := range more {
			row = append(row, sheet.Right(x.of(t, 1)))
		}
		if i == sub.Choice {
			row[0] = row[0].In(sheet.Green)
		}
		out = append(out, row)
	}
	return out
}

// An extra is a column that is there where a row has something in it: a figure of one
// side, 0 for the present settings.
type extra struct {
	name string
	of   func(t model.Tried, side int) string
}

func columns(sub model.TuningSubject) []extra {
	all := []extra{
		{"GC", func(t model.Tried, side int) string { return share(t.GCShare, side) }},
		{"throttled", func(t model.Tried, side int) string { return share(t.Throttled, side) }},
		{"size", func(t model.Tried, side int) string { return map[int]string{1: size(t)}[side] }},
		{"build", func(t model.Tried, side int) string { return map[int]string{1: building(t)}[side] }},
	}
	return slices.DeleteFunc(all, func(x extra) bool {
		return !slices.ContainsFunc(sub.Trials, func(t model.Tried) bool { return x.of(t, 1) != "" })
	})
}

// present is the row of what is set now.
func present(sub model.TuningSubject, more []extra) []sheet.Cell {
	row := []sheet.Cell{sheet.Left("now"), sheet.Right(""), sheet.Left(""), sheet.Left(""), sheet.Right(peak(sub.PeakRSS))}
	for _, x := range more {
		row = append(row, sheet.Right(x.of(sub.Trials[0], 0)))
	}
	return row
}

// peak is a peak of memory; "" where it is not known.
func peak(bytes float64) string {
	if bytes <= 0 {
		return ""
	}
	return words.Bytes(bytes)
}

// share is that of one side; "" where neither is known.
func share(of [2]float64, side int) string {
	if of == [2]float64{} {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*of[side])
}

// outcome is the standing, where the interval does not say it all.
func outcome(t model.Tried) string {
	switch t.Standing {
	case model.Open:
		return "undecided"
	case model.OneSided:
		return "lives"
	case model.Failed:
		return "killed"
	}
	return string(t.Standing)
}

// changeOf is what a setting does to the time, and its interval.
func changeOf(t model.Tried) (estimate, bounds string) {
	if t.Verdict == nil {
		return "–", ""
	}
	return figure.Change(t.Verdict.Change), figure.Bounds(*t.Verdict)
}

func memory(sub model.TuningSubject, t model.Tried) string {
	return arrow(peak(sub.PeakRSS), peak(t.PeakRSS))
}

// arrow writes what was before what is; "" before is not known.
func arrow(before, after string) string {
	if before == "" || after == "" {
		return after
	}
	return before + " → " + after
}

// size is what a setting does to the size of the file.
func size(t model.Tried) string {
	if t.Size[0] <= 0 || t.Size[1] <= 0 {
		return ""
	}
	return words.Signed(t.Size[1]/t.Size[0] - 1)
}

// building is what a setting does to the CPU time of a build.
func building(t model.Tried) string {
	if t.Build == nil {
		return ""
	}
	return words.Signed(t.Build.Ratio - 1)
}
