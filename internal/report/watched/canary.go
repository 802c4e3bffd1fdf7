package watched

import (
	"fmt"
	"io"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/changes"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Canary writes the verdict, what it rests on, and the functions that differ.
func Canary(w io.Writer, c *model.Canary, o sheet.Options) error {
	s := sheet.New(o)
	style := map[model.CanaryVerdict]sheet.Style{model.CanaryPass: sheet.Green, model.CanaryFail: sheet.Red, model.CanaryUndecided: sheet.Yellow}[c.Verdict]
	s.Para(style, "", fmt.Sprintf("Canary: %s: %s.", c.Verdict, c.Why))
	s.Para(sheet.Normal, "  baseline  ", c.Baseline+", "+words.Nanoseconds(c.Before)+" of CPU time per "+c.Per)
	s.Para(sheet.Normal, "  canary    ", c.Canary+", "+words.Nanoseconds(c.After))
	if c.Units > 0 {
		text := words.Signed(c.Change)
		if c.Lo > -1 && !words.Unbounded(c.Hi) && c.Hi < 1e6 {
			text += fmt.Sprintf(", between %s and %s at %.0f %%", words.Signed(c.Lo), words.Signed(c.Hi), 100*(1-c.Alpha))
		}
		s.Para(sheet.Normal, "  change    ", text)
	}
	text := fmt.Sprintf("%s in %s, CPU time from the %s", words.Plural(c.Units, "window"), words.Seconds(c.Seconds), map[string]string{"metrics": "pages of metrics", "profile": "CPU profiles"}[c.From])
	if c.Left > 0 {
		text += fmt.Sprintf("; %d left out", c.Left)
	}
	s.Para(sheet.Dim, "  measured  ", text)
	for _, x := range c.Compared {
		s.Part()
		changes.Add(s, x)
	}
	edits(s, c)
	s.Warnings(c.Warnings)
	return s.Flush(w)
}

// mostEdited is how many functions are named of one kind.
const mostEdited = 8

// edits says which of the functions that differ were changed.
func edits(s *sheet.Sheet, c *model.Canary) {
	if c.Since == "" {
		return
	}
	s.Part()
	s.Para(sheet.Bold, "", "Of the functions that differ, since "+c.Since)
	for _, how := range []model.FuncEdit{model.EditOwn, model.EditBelow, model.EditNone} {
		var names []string
		for _, e := range c.Edited {
			if e.How == how {
				names = append(names, e.Func)
			}
		}
		if len(names) == 0 {
			names = []string{"none"}
		}
		s.Para(sheet.Normal, fmt.Sprintf("  %-24s", how), words.Some(names, mostEdited))
	}
}
