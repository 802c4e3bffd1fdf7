package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// FindingsText writes findings as text: one paragraph each, and what was not
// shown in a line at the end.
func FindingsText(w io.Writer, f *model.Findings, o Options) error {
	s := &sheet{o: o}
	for i, x := range f.Findings {
		if i > 0 {
			s.blank()
		}
		s.finding(x, len(f.Profile) > 0)
	}
	if len(f.Findings) > 0 {
		s.blank()
	}
	s.para(bold, "", findingsHeadline(f))
	for _, line := range hiddenLines(f.Hidden) {
		s.para(dim, "  ", line)
	}
	if len(f.Warnings) > 0 {
		s.warnings(f.Warnings)
	}
	return s.flush(w)
}

func (s *sheet) finding(x model.Finding, profiled bool) {
	s.b.WriteString(s.paint(bold, clean(x.At.String())) + s.paint(dim, "  "+s.text(findingTags(x))) + "\n")
	s.para(normal, "  ", x.Message)
	if profiled {
		s.para(yellow, "  ", fmt.Sprintf("%s of %s is spent here; no change to it saves more", share(x.Share), resourceWords(x.Resource)))
	}
	for _, t := range findingRemarks(x) {
		s.para(dim, "  ", t)
	}
}

// findingTags is what stands behind the place: rule, ids, fix.
func findingTags(x model.Finding) string {
	tags := []string{x.Rule}
	if len(x.IDs) > 0 {
		tags = append(tags, strings.Join(x.IDs, " "))
	}
	switch {
	case x.Fix != nil && x.Class == "A":
		tags = append(tags, "fix A: -fix makes it")
	case x.Fix != nil:
		tags = append(tags, "fix "+x.Class+": -diff shows it")
	}
	return strings.Join(tags, " · ")
}

// findingRemarks are the further lines of a finding.
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

func findingsHeadline(f *model.Findings) string {
	looked := fmt.Sprintf("%s, %s", number(f.Packages, "package"), number(f.Lines, "line"))
	if len(f.Findings) == 0 {
		return "nothing found in " + looked
	}
	return number(len(f.Findings), "finding") + " in " + looked
}

func hiddenLines(h model.Hidden) []string {
	var lines []string
	for _, x := range []struct {
		n    int
		text string
	}{
		{h.Tier, "not shown: of a tier that a profile has to call for (-profile, -bench, or -tier all)"},
		{h.Cold, "not shown: in code that the profile shows to be cold"},
		{h.Callers, "not shown: no handler and no loop is known to call it"},
		{h.Suppressed, "silenced by //lint:ignore"},
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
