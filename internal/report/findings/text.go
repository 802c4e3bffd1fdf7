package findings

import (
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes findings as text: one paragraph each, and what was not
// shown in a line at the end.
func Text(w io.Writer, f *model.Findings, o sheet.Options) error {
	s := sheet.New(o)
	for _, x := range f.Findings {
		finding(s, x, len(f.Profile) > 0)
		s.Blank()
	}
	looked := words.Plural(f.Packages, "package")
	if f.Lines > 0 { // the compiler does not tell
		looked += ", " + words.Plural(f.Lines, "line")
	}
	s.Para(sheet.Bold, "", Headline(len(f.Findings), looked))
	for _, line := range Hidden(f.Hidden, "they matter only in hot code; add -profile FILE, -bench REGEXP or -tier all") {
		s.Para(sheet.Dim, "  ", line)
	}
	s.Warnings(f.Warnings)
	return s.Flush(w)
}

func finding(s *sheet.Sheet, x model.Finding, profiled bool) {
	Head(s, x.At.String(), x)
	if profiled {
		s.Para(sheet.Yellow, "  ", fmt.Sprintf("%s of %s is spent here: fixing all of it saves at most that", figure.Share(x.Share), resourceWords(x.Resource)))
	}
	for _, t := range findingRemarks(x) {
		s.Para(sheet.Dim, "  ", t)
	}
}

// Head begins a finding: its place, rule, ids and fix, with tags of a kind of finding, and what it says.
func Head(s *sheet.Sheet, at string, x model.Finding, more ...string) {
	tags := []string{x.Rule}
	if len(x.IDs) > 0 {
		tags = append(tags, strings.Join(x.IDs, " "))
	}
	tags = append(tags, more...)
	switch {
	case x.Fix != nil && x.Class == "A":
		tags = append(tags, "fix A: -fix makes it")
	case x.Fix != nil:
		tags = append(tags, "fix "+x.Class+": -diff shows it")
	}
	s.Raw(s.Paint(sheet.Bold, quote.Line(at)) + s.Paint(sheet.Dim, "  "+s.Text(strings.Join(tags, " · "))) + "\n")
	s.Para(sheet.Normal, "  ", x.Message)
}

func findingRemarks(x model.Finding) []string {
	var lines []string
	if x.Callers != "" {
		lines = append(lines, "it is "+x.Callers)
	}
	for _, n := range x.Notes {
		lines = append(lines, "the compiler: "+n)
	}
	if x.Try != "" {
		lines = append(lines, "try: "+x.Try)
	}
	if x.Demoted != "" {
		lines = append(lines, "demoted: "+x.Demoted)
	}
	return lines
}

func resourceWords(r string) string {
	switch r {
	case "cpu":
		return "the CPU time"
	case "allocs":
		return "the allocated objects"
	case "bytes":
		return "the allocated bytes"
	case "mutex":
		return "the time lost waiting for locks"
	case "block":
		return "the time blocked"
	}
	return r
}

// Headline says in a line how much was found, and in what.
func Headline(n int, looked string) string {
	if n == 0 {
		return "nothing found in " + looked
	}
	return words.Plural(n, "finding") + " in " + looked
}

// Hidden says how much is not shown, and why: tier says so of what the tier hides.
func Hidden(h model.Hidden, tier string) []string {
	var lines []string
	for _, x := range []struct {
		n    int
		text string
	}{
		{h.Tier, "hidden: " + tier},
		{h.Cold, "not shown: in code that the profile shows to be cold"},
		{h.Callers, "not shown: no handler and no loop is known to call it"},
		{h.Suppressed, "silenced by a directive"},
		{h.Baseline, "in the baseline"},
		{h.Unchanged, "on lines that did not change"},
		{h.Excluded, "switched off by the configuration"},
		{h.Compiler, "dropped: the compiler keeps on the stack what they speak of"},
		{h.Demoted, "not shown: the rule's gain was not there on this toolchain (pawl evidence)"},
	} {
		if x.n > 0 {
			lines = append(lines, fmt.Sprintf("%d %s", x.n, x.text))
		}
	}
	return lines
}
