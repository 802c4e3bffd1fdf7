package attempt

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// unjudged says which inputs of the benchmarks that judge the change were not
// compared, "" where some of each changed function's were: a gain on inputs that
// nobody compared shows nothing.
func unjudged(driven []model.Driven, judges []model.Benchmark) string {
	if len(judges) == 0 {
		return ""
	}
	some := false
	var missing []string
	for _, d := range driven {
		for _, j := range d.Judged {
			some = some || j.Inputs > 0
			if j.Calls > 0 && j.Inputs == 0 {
				missing = append(missing, fmt.Sprintf("none of the %d calls of %s that %s makes: %s", j.Calls, d.Func, j.Benchmark, j.Why))
			}
		}
	}
	switch {
	case len(missing) > 0:
		return strings.Join(missing, "; ")
	case !some:
		return fmt.Sprintf("%s was not seen to call a function that was compared", judges[0].Name)
	}
	return ""
}

// unjudgedWarning says what to do about it.
func unjudgedWarning(why string) model.Warning {
	return model.Warning{
		Seen:  "what the judging benchmark calls the changed code with was not compared with the base's: " + why,
		Cause: "an input of more than 64 MiB, one that holds a file or a connection, or a benchmark that calls the code in another process",
		Try:   "write a test or a benchmark that calls the changed function with less, or use -allow uncompared to rely on what was compared",
	}
}

// benchmarksOf returns what plans are for.
func benchmarksOf(plans []model.Plan) (out []model.Benchmark) {
	for _, p := range plans {
		out = append(out, p.Benchmark)
	}
	return out
}

// seesJudges decides about a change whose judging benchmarks' own inputs may not
// have been compared.
func (t *showing) seesJudges() *refusal {
	if t.proof.driver == nil {
		return nil
	}
	why := unjudged(t.Driven, t.proof.driver.Judges())
	if why == "" {
		return nil
	}
	t.Warnings = append(t.Warnings, unjudgedWarning(why))
	t.Uncompared = append(t.Uncompared, "inputs of the judging benchmark: "+why)
	return unseen(t.Attempt, t.p.Allow, why)
}
