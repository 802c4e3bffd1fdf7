package memory

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Add writes what holds a program's memory: its parts as bars, and about
// those that hold much what they are and what changes them.
func Add(s *sheet.Sheet, m model.Memory) {
	s.Para(sheet.Bold, "", Headline(m))
	s.Para(sheet.Dim, "", facts(m))
	s.Blank()
	var rows [][]sheet.Cell
	for i, p := range m.Parts {
		st := sheet.Dim
		if i < m.StandsOut {
			st = sheet.Bold
		}
		rows = append(rows, []sheet.Cell{sheet.Left(p.Name).In(st), sheet.Left(section.Bar(s, p.Share, 0)), sheet.Right(figure.Share(p.Share)), sheet.Right(words.Bytes(float64(p.Bytes))), sheet.Left(p.Title).In(sheet.Dim)})
	}
	s.Table("  ", rows)
	for i, p := range m.Parts[:m.StandsOut] {
		part(s, i+1, p)
	}
	s.Warnings(m.Warnings)
}

func part(s *sheet.Sheet, n int, p model.MemoryPart) {
	indent := section.AddTitle(s, n, p.Name+": "+p.Title)
	section.AddRemedy(s, indent, p.Rules, section.About(p.Meaning, p.Lever, p.Before, p.Gap)...)
}

// Headline is the answer in a line.
func Headline(m model.Memory) string {
	t := fmt.Sprintf("Memory: Go holds %s", words.Bytes(float64(m.Held)))
	if len(m.Parts) == 0 {
		return t + "."
	}
	t += fmt.Sprintf("; %s of it: %s", figure.Share(m.Parts[0].Share), m.Parts[0].Title)
	if m.StandsOut == 0 {
		return t + ". Nothing stands out."
	}
	return t + "."
}

func facts(m model.Memory) string {
	facts := []string{m.Source}
	if m.Released > 0 {
		facts = append(facts, words.Bytes(float64(m.Released))+" given back")
	}
	if m.PeakRSS > 0 {
		facts = append(facts, "RSS at its peak "+words.Bytes(float64(m.PeakRSS)))
	}
	if m.Outside > 0 {
		facts = append(facts, "of that not Go's at least "+words.Bytes(float64(m.Outside)))
	}
	facts = append(facts, "next cycle at "+words.Bytes(float64(m.NextGC)), words.Plural(int(m.Cycles), "cycle")+" so far")
	if m.GCShare > 0 {
		facts = append(facts, figure.Share(m.GCShare)+" of CPU time")
	}
	return strings.Join(facts, " · ")
}
