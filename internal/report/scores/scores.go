package scores

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// wellFixed is the part of upstream's allocation gain from which a row counts as
// fixed.
const wellFixed = 0.8

// topRank is up to which place the right line counts as found.
const topRank = 3

// Text writes a score for a terminal: a paragraph for each row, and the
// counts at the end.
func Text(w io.Writer, sc *model.Score, o sheet.Options) error {
	s := sheet.New(o)
	for _, r := range sc.Rows {
		scored(s, r)
	}
	s.Blank()
	for i, line := range scoreTallyOf(sc).lines() {
		st := sheet.Normal
		if i == 0 {
			st = sheet.Bold
		}
		s.Para(st, "", line)
	}
	return s.Flush(w)
}

// Row writes one row, as it is done.
func Row(w io.Writer, r model.Scored, o sheet.Options) error {
	s := sheet.New(o)
	scored(s, r)
	return s.Flush(w)
}

func scored(s *sheet.Sheet, r model.Scored) {
	mark, st := "✓", sheet.Green
	switch {
	case r.Failed != "":
		mark, st = "-", sheet.Yellow
	case !r.Accepted || r.Broken != "":
		mark, st = "✗", sheet.Red
	}
	s.Mark(st, mark+" ", sheet.Bold, r.ID+"  "+words.Seconds(r.Seconds))
	if r.Failed != "" {
		s.Para(sheet.Normal, "    ", "not scored: "+r.Failed)
	} else {
		for _, f := range scoredFacts(r) {
			s.Mark(sheet.Dim, fmt.Sprintf("    %-12s", f.label), sheet.Normal, f.text)
		}
	}
	for _, n := range r.Notes {
		s.Para(sheet.Dim, "    ", n)
	}
}

type scoredFact struct{ label, text string }

func scoredFacts(r model.Scored) []scoredFact {
	var facts []scoredFact
	if r.Stopped == "" {
		facts = append(facts, scoredFact{"rank", rankText(r)})
	} else {
		facts = append(facts, scoredFact{"unattended", r.Stopped + "; -resume goes on"})
	}
	if fixed := fixedText(r); fixed != "" {
		facts = append(facts, scoredFact{"unattended", fixed})
	}
	for _, k := range r.Kept {
		facts = append(facts, scoredFact{"", k})
	}
	if r.Broken != "" {
		facts = append(facts, scoredFact{"BROKEN", r.Broken})
	}
	verdict := string(r.Verdict)
	if len(r.Needs) > 0 {
		verdict += fmt.Sprintf(" (-allow %s)", joinKinds(r.Needs))
	}
	if !r.Accepted {
		verdict += ", and the corpus has " + r.Expected
	}
	facts = append(facts, scoredFact{"upstream", verdict + ": " + words.FirstLine(r.Why)})
	for _, w := range r.Warnings {
		facts = append(facts, scoredFact{"", w.Seen})
	}
	return facts
}

func joinKinds(kinds []model.SuspicionKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ",")
}

// rankText says where the right line came, and what was said of it.
func rankText(r model.Scored) string {
	switch {
	case r.Bench == "":
		return "none: there is no benchmark"
	case r.Right == nil && !r.Reachable:
		return "none: no benchmark runs what the fix changes"
	case r.Right == nil:
		return fmt.Sprintf("not among the %s", words.Plural(r.Targets, "target"))
	}
	place := fmt.Sprintf("%d of %d", r.Rank, r.Targets)
	if r.Rank == 0 || r.InFunc > 0 && r.InFunc < r.Rank {
		place = fmt.Sprintf("%d in its function, the line itself %s", r.InFunc, rankWord(r.Rank))
	}
	return fmt.Sprintf("%s: %s:%d, %s: %s", place, r.Right.At.File, r.Right.At.Line, r.Right.Reason.Kind, r.Right.Reason.Text)
}

func rankWord(n int) string {
	if n == 0 {
		return "is none"
	}
	return fmt.Sprintf("is %d", n)
}

func fixedText(r model.Scored) string {
	if r.Tried == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d kept", len(r.Kept), r.Tried)
	if r.AllocPart != nil {
		text += fmt.Sprintf(", %.0f %% of upstream's allocation gain", 100**r.AllocPart)
	}
	switch {
	case r.CPUPart != nil:
		text += fmt.Sprintf(", %.0f %% of its CPU gain", 100**r.CPUPart)
	case cpuOpen(r):
		text += ", the gain of CPU time not known"
	}
	return text
}

// cpuOpen reports whether the last comparison of pawl's own tree has no answer.
func cpuOpen(r model.Scored) bool {
	return slices.ContainsFunc(r.Own, func(g model.ScoreGain) bool { return g.Verdict == nil || g.Verdict.Answer == model.Undecided })
}

// A scoreTally counts over the rows of a score.
type scoreTally struct {
	rows, scored, failed        int
	reachable, found, near      int // right line among the first three; in its function
	withAllocs, fixed, withKept int
	judged, accepted, broken    int
	unacceptable                []string
}

func scoreTallyOf(sc *model.Score) scoreTally {
	t := scoreTally{rows: len(sc.Rows)}
	for _, r := range sc.Rows {
		if r.Failed != "" {
			t.failed++
			continue
		}
		t.scored++
		if r.Stopped != "" { // there was no time to look for the line, or for a gain
			t.verdict(r)
			continue
		}
		t.row(r)
	}
	return t
}

func (t *scoreTally) row(r model.Scored) {
	top := func(n int) bool { return n > 0 && n <= topRank }
	if r.Reachable && r.Bench != "" {
		t.reachable++
		if top(r.Rank) {
			t.found++
		}
		if top(r.Rank) || top(r.InFunc) {
			t.near++
		}
	}
	if r.AllocPart != nil {
		t.withAllocs++
		if *r.AllocPart >= wellFixed && r.Broken == "" {
			t.fixed++
		}
	}
	if len(r.Kept) > 0 {
		t.withKept++
	}
	if r.Broken != "" {
		t.broken++
	}
	t.verdict(r)
}

func (t *scoreTally) verdict(r model.Scored) {
	t.judged++
	if r.Accepted {
		t.accepted++
	} else {
		t.unacceptable = append(t.unacceptable, r.ID)
	}
}

func (t scoreTally) lines() []string {
	lines := []string{
		fmt.Sprintf("%d of %s scored", t.scored, words.Plural(t.rows, "row")),
		fmt.Sprintf("right line among the first %d: %d of %d that a benchmark reaches; right function: %d", topRank, t.found, t.reachable, t.near),
		fmt.Sprintf("fixed unattended with at least %.0f %% of upstream's allocation gain: %d of %d; rows with something kept: %d", 100*wellFixed, t.fixed, t.withAllocs, t.withKept),
		fmt.Sprintf("verdict on upstream's fix acceptable: %d of %d", t.accepted, t.judged),
		fmt.Sprintf("behaviour broken by what was kept: %d", t.broken),
	}
	if len(t.unacceptable) > 0 {
		lines[3] += "; not of " + strings.Join(t.unacceptable, ", ")
	}
	return lines
}

// Markdown writes a score as a table.
func Markdown(w io.Writer, sc *model.Score) error {
	var b strings.Builder
	b.WriteString("| row | right line | reason given | kept unattended | of upstream's allocs | of its CPU | verdict on upstream's fix | acceptable | time |\n|---|--:|---|--:|--:|--:|---|---|--:|\n")
	for _, r := range sc.Rows {
		if r.Failed != "" {
			fmt.Fprintf(&b, "| %s | – | %s | – | – | – | – | – | %s |\n", quote.Markdown(r.ID), quote.Markdown("not scored: "+words.FirstLine(r.Failed)), words.Seconds(r.Seconds))
			continue
		}
		reason := "–"
		if r.Right != nil {
			reason = quote.Markdown(fmt.Sprintf("%s: %s", r.Right.Reason.Kind, r.Right.Reason.Text))
		}
		verdict := string(r.Verdict)
		if len(r.Needs) > 0 {
			verdict += " (" + joinKinds(r.Needs) + ")"
		}
		accepted := "yes"
		if !r.Accepted {
			accepted = "no: " + r.Expected
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d of %d | %s | %s | %s: %s | %s | %s |\n", quote.Markdown(r.ID), rankCell(r), reason,
			len(r.Kept), r.Tried, partCell(r.AllocPart, false), partCell(r.CPUPart, cpuOpen(r)), quote.Markdown(verdict), quote.Markdown(words.FirstLine(r.Why)), quote.Markdown(accepted), words.Seconds(r.Seconds))
	}
	b.WriteByte('\n')
	for _, line := range scoreTallyOf(sc).lines() {
		fmt.Fprintf(&b, "- %s\n", quote.Markdown(line))
	}
	if notes := scoreNotes(sc); len(notes) > 0 {
		b.WriteString("\nWhat was done to the parents:\n\n")
		for _, n := range notes {
			fmt.Fprintf(&b, "- %s\n", quote.Markdown(n))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", quote.Markdown(strings.Join([]string{sc.Env.GoVersion, sc.Env.GOOS + "/" + sc.Env.GOARCH, figure.Machine(sc.Env)}, ", ")))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the score: %w", err)
	}
	return nil
}

func rankCell(r model.Scored) string {
	switch {
	case r.Stopped != "":
		return r.Stopped
	case r.Bench == "" || !r.Reachable && r.Right == nil:
		return "not reached"
	case r.Rank == 0 && r.InFunc == 0:
		return "none"
	case r.Rank == 0:
		return fmt.Sprintf("(%d)", r.InFunc)
	case r.InFunc > 0 && r.InFunc < r.Rank:
		return fmt.Sprintf("%d (%d)", r.Rank, r.InFunc)
	}
	return fmt.Sprint(r.Rank)
}

func partCell(p *float64, open bool) string {
	switch {
	case p == nil && open:
		return "?"
	case p == nil:
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100**p)
}

func scoreNotes(sc *model.Score) []string {
	var all []string
	for _, r := range sc.Rows {
		for _, n := range r.Notes {
			all = append(all, r.ID+": "+n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
