package watched

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Claim writes whether promised gains are there, and what that rests on.
func Claim(w io.Writer, c *model.Claim, o sheet.Options) error {
	s := sheet.New(o)
	s.Para(styleOf(c.Verdict), "", fmt.Sprintf("Claim of %s in %s: %s.", c.Run, c.Service, c.Verdict))
	for _, side := range []struct {
		name string
		of   model.ClaimSide
	}{{"  before  ", c.Before}, {"  after   ", c.After}} {
		text := fmt.Sprintf("%s to %s, %s, %s of CPU time", side.of.From.Local().Format(figure.Stamp), side.of.Until.Local().Format(time.TimeOnly),
			words.Plural(side.of.Captures, "capture"), words.Plural(int(side.of.Samples), "sample"))
		if side.of.Build != "" {
			text += ", build " + short(side.of.Build)
		}
		s.Para(sheet.Dim, side.name, text)
	}
	for _, a := range c.Arrivals {
		s.Part()
		arrival(s, a)
	}
	if len(c.Unpromised) > 0 {
		s.Part()
		s.Para(sheet.Bold, "", "Kept, and nothing was promised that profiles could show")
		for _, u := range c.Unpromised {
			s.Para(sheet.Normal, "  ", u.Title+": "+u.Why)
		}
	}
	s.Warnings(c.Warnings)
	return s.Flush(w)
}

func arrival(s *sheet.Sheet, a model.Arrival) {
	for _, c := range a.Changes {
		s.Para(sheet.Bold, "", c.Title)
	}
	s.Para(styleOf(a.Verdict), "  verdict   ", string(a.Verdict)+": "+a.Why)
	gain := map[string]string{"cpu": "%s of the cost of its functions", "alloc_objects": "%s of the objects that its functions allocate", "alloc_space": "%s of the bytes that its functions allocate"}[a.Resource]
	s.Para(sheet.Normal, "  promised  ", fmt.Sprintf("saves "+gain+", %s to %s", words.Percent(a.Promised), words.Percent(a.PromisedLo), words.Percent(a.PromisedHi)))
	if a.Compared {
		s.Para(sheet.Normal, "  observed  ", fmt.Sprintf("%s saved, %s to %s, measured by what nobody changed", signed(a.Observed), signed(a.Lo), signed(a.Hi)))
	}
	s.Para(sheet.Normal, "  functions ", fmt.Sprintf("%s of the service's CPU time before, %s after: %s", words.Percent(a.CPUBefore), words.Percent(a.CPUAfter), strings.Join(a.Funcs, ", ")))
	if a.Resource != "cpu" {
		s.Para(sheet.Normal, "            ", fmt.Sprintf("%s of its allocations before, %s after", words.Percent(a.ShareBefore), words.Percent(a.ShareAfter)))
	}
	if a.More > 1 && a.More < 1000 {
		s.Para(sheet.Dim, "  try       ", fmt.Sprintf("about %.0f times as many captures of both versions would tell", math.Ceil(a.More)))
	}
}

// signed is a saving, with its sign where it is none.
func signed(saved float64) string {
	if saved < 0 {
		return "−" + words.Percent(-saved)
	}
	return words.Percent(saved)
}

// short is enough of a build to tell it from others.
func short(build string) string { return build[:min(12, len(build))] }

func styleOf(v model.ClaimVerdict) sheet.Style {
	return map[model.ClaimVerdict]sheet.Style{model.ClaimArrived: sheet.Green, model.ClaimMissing: sheet.Red, model.ClaimUndecided: sheet.Yellow}[v]
}
