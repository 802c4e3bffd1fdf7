package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// memory writes what holds a program's memory: its parts as bars, and about
// those that hold much what they are and what changes them.
func (s *sheet) memory(m model.Memory) {
	s.para(bold, "", memoryHeadline(m))
	s.para(dim, "", memoryFacts(m))
	s.blank()
	var rows [][]cell
	for i, p := range m.Parts {
		st := dim
		if i < m.StandsOut {
			st = bold
		}
		rows = append(rows, []cell{left(p.Name).in(st), left(s.signBar(p.Share, 0)), right(share(p.Share)), right(size(float64(p.Bytes))), left(p.Title).in(dim)})
	}
	s.table("  ", rows)
	for i, p := range m.Parts[:m.StandsOut] {
		s.memoryPart(i+1, p)
	}
	s.warnings(m.Warnings)
}

func (s *sheet) memoryPart(n int, p model.MemoryPart) {
	s.blank()
	head := strconv.Itoa(n) + "  "
	s.mark(bold, head, bold, p.Name+": "+p.Title)
	indent := strings.Repeat(" ", len(head))
	for _, f := range []struct{ label, text string }{
		{"what   ", p.Meaning}, {"lever  ", p.Lever}, {"first  ", p.Before}, {"beware ", p.Gap}, {"rules  ", ruleNames(p.Rules)},
	} {
		if f.text != "" {
			s.mark(dim, indent+f.label, normal, f.text)
		}
	}
}

func memoryHeadline(m model.Memory) string {
	t := fmt.Sprintf("Memory: Go holds %s", size(float64(m.Held)))
	if len(m.Parts) == 0 {
		return t + "."
	}
	t += fmt.Sprintf("; %s of it: %s", share(m.Parts[0].Share), m.Parts[0].Title)
	if m.StandsOut == 0 {
		return t + ". Nothing stands out."
	}
	return t + "."
}

func memoryFacts(m model.Memory) string {
	facts := []string{m.Source}
	if m.Released > 0 {
		facts = append(facts, size(float64(m.Released))+" given back")
	}
	if m.PeakRSS > 0 {
		facts = append(facts, "RSS at its peak "+size(float64(m.PeakRSS)))
	}
	if m.Outside > 0 {
		facts = append(facts, "of that not Go's at least "+size(float64(m.Outside)))
	}
	facts = append(facts, "next cycle at "+size(float64(m.NextGC)), number(int(m.Cycles), "cycle")+" so far")
	if m.GCShare > 0 {
		facts = append(facts, share(m.GCShare)+" of CPU time")
	}
	return strings.Join(facts, " · ")
}
