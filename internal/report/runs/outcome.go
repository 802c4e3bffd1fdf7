package runs

import (
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Mark is the sign of an outcome: a tick says that a change is kept and was
// compared, and a cross that something speaks against it.
func Mark(o model.Outcome) string {
	switch o {
	case model.Kept:
		return "✓"
	case model.KeptUncompared:
		return "–"
	case model.Unsettled:
		return "?"
	}
	return "✗"
}

func styleOf(o model.Outcome) sheet.Style {
	if o == model.Kept {
		return sheet.Green
	}
	return sheet.Yellow
}

// told is what became of an attempt in one line, with the outcome in words where
// the mark alone could be taken for another.
func told(a model.Attempt, many bool) string {
	t := outcome(a, many)
	if a.Outcome == model.KeptUncompared || a.Outcome == model.Unsettled {
		return string(a.Outcome) + ": " + t
	}
	return t
}

// outcomeWord is an outcome with its mark where it is neither a plain yes nor a
// no.
func outcomeWord(o model.Outcome) string {
	if o == model.Unsettled {
		return Mark(o) + " " + string(o)
	}
	return string(o)
}

// tryWords begin the summary of a change that somebody brought.
var tryWords = map[model.Outcome]string{
	model.Kept: "Kept", model.KeptUncompared: "Kept, not compared", model.Unsettled: "Undecided", model.RolledBack: "Refused",
}

// summaryOfTry says what became of one change, the verdict first, and where that
// is open the estimate so far.
func summaryOfTry(a model.Attempt) string {
	t := tryWords[a.Outcome] + ": "
	if a.Outcome == model.Unsettled && len(a.Verdicts) > 0 && figure.Known(a.Verdicts[0]) {
		v := a.Verdicts[0]
		t += figure.Change(v.Change) + " " + figure.Metric(v.Metric) + " so far; "
	}
	return t + strings.TrimPrefix(a.Reason, "refused: ") + "."
}

// shownResults are the results of a run. A change that somebody brought and that
// was not kept has no comparison of original and final: what was measured of it
// stands there instead.
func shownResults(r *model.Run) []model.Result {
	if r.Verb != "try" || len(r.Attempts) != 1 || r.Attempts[0].Outcome.Kept() {
		return r.Results
	}
	a := r.Attempts[0]
	out := slices.Clone(r.Results)
	for i := range out {
		res := &out[i]
		at := slices.IndexFunc(a.Verdicts, func(v model.Verdict) bool { return v.Benchmark == res.Benchmark && figure.Known(v) })
		if at < 0 {
			continue
		}
		v := a.Verdicts[at]
		cpu := res.Before.CPUNs
		res.Verdict, res.Before, res.After = &v, model.Stats{CPUNs: cpu}, model.Stats{CPUNs: cpu * (1 + v.Change)}
		for _, c := range a.Counts {
			if c.Benchmark == res.Benchmark {
				res.Counts = append(res.Counts, c)
			}
		}
	}
	return out
}
