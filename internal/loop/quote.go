package loop

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report"
)

// The page shows source around the lines that cost, with what the profiles and
// the compiler say of each line.
const (
	excerptLines = 3  // above and below
	longExcerpt  = 30 // lines
	mostExcerpts = 3  // of a change
	notesOnLine  = 3
)

// quote remembers the source around what the changes aim at, as it is now: when
// the page is written, other changes will have been made to it.
func (s *Session) quote(v *version, changes []model.Change) {
	if s.quotes == nil {
		s.quotes = make(map[string][]report.Excerpt)
	}
	for _, c := range changes {
		s.quotes[c.ID] = s.excerptsOf(v, c.Targets)
	}
}

// excerpts returns the source around each target of the plan, as it was before
// any change.
func (s *Session) excerpts() map[string]report.Excerpt {
	out := make(map[string]report.Excerpt)
	for _, t := range s.Run.Targets {
		src, ok, err := s.snap.Base(t.At.File)
		if err != nil || !ok {
			continue // a target outside the tree has no source here
		}
		if e, ok := s.excerpt(s.orig, t, []int{t.At.Line}, string(src)); ok {
			out[t.ID] = e
		}
	}
	return out
}

// excerptsOf returns the source around targets: one excerpt for those that
// stand close together. The costs are those of the first target's resource.
func (s *Session) excerptsOf(v *version, targets []model.Target) []report.Excerpt {
	var out []report.Excerpt
	lines := make(map[string][]int)
	first := make(map[string]model.Target)
	for _, t := range targets {
		if _, ok := first[t.At.File]; !ok {
			first[t.At.File] = t
		}
		lines[t.At.File] = append(lines[t.At.File], t.At.Line)
	}
	for _, file := range slices.Sorted(maps.Keys(lines)) {
		src, err := s.source(file)
		if err != nil {
			continue
		}
		for _, marks := range near(lines[file]) {
			if e, ok := s.excerpt(v, first[file], marks, string(src)); ok && len(out) < mostExcerpts {
				out = append(out, e)
			}
		}
	}
	return out
}

// near groups the numbers of lines whose surroundings meet.
func near(lines []int) [][]int {
	lines = slices.Compact(slices.Sorted(slices.Values(lines)))
	var out [][]int
	for _, n := range lines {
		if k := len(out) - 1; k >= 0 {
			g := out[k]
			if n-g[len(g)-1] <= 2*excerptLines+1 && n-g[0] < longExcerpt {
				out[k] = append(g, n)
				continue
			}
		}
		out = append(out, []int{n})
	}
	return out
}

// excerpt returns the lines around the marks, with the costs of t's resource in
// its benchmark.
func (s *Session) excerpt(v *version, t model.Target, marks []int, src string) (report.Excerpt, bool) {
	lines := strings.Split(src, "\n")
	low, high := marks[0], marks[len(marks)-1]
	if low < 1 || high > len(lines) {
		return report.Excerpt{}, false
	}
	first, last := max(1, low-excerptLines), min(len(lines), high+excerptLines)
	e := report.Excerpt{
		File: t.At.File, First: first, Lines: s.scrubbed(lines[first-1 : last]), Marks: marks,
		Costs: make(map[int]report.LineShare), Notes: make(map[int][]string),
		Of: fmt.Sprintf("%s in %s", t.Resource, t.Benchmark),
	}
	costs := v.lineCosts(t)
	for n := first; n <= last; n++ {
		at := model.Pos{File: t.At.File, Line: n}
		if c, ok := costs[at]; ok {
			e.Costs[n] = report.NewLineShare(t.Resource, c.Share, c.PerOp)
		}
		if notes := v.notesAt(at, t.Resource); len(notes) > 0 {
			e.Notes[n] = s.scrubbed(notes)
		}
	}
	return e, true
}

func (s *Session) scrubbed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i], _ = s.scrub.Text(l)
	}
	return out
}

// lineCosts returns what each line of the module costs the target's benchmark
// of its resource. Where the profile is not there any more, as in a run that
// was resumed, the target speaks for its own line.
func (v *version) lineCosts(t model.Target) map[model.Pos]model.Cost {
	out := make(map[model.Pos]model.Cost)
	c := v.costs[t.Benchmark]
	stacks := map[model.Resource][]model.Cost{model.CPU: c.cpu, model.Allocs: c.allocs, model.Mutex: c.locks}[t.Resource]
	for _, cost := range stacks {
		f, ok := cost.HomeFrame()
		if !ok {
			continue
		}
		sum := out[f.Pos()]
		sum.Share += cost.Share
		sum.PerOp += cost.PerOp
		out[f.Pos()] = sum
	}
	at := model.Pos{File: t.At.File, Line: t.At.Line}
	if _, ok := out[at]; !ok {
		out[at] = model.Cost{Share: t.Share, PerOp: t.PerOp}
	}
	return out
}

// told are the notes that say why a line costs, the most telling first. The
// others say what the compiler did well, or repeat them from the caller's side.
func told(r model.Resource) []model.NoteKind {
	if r == model.CPU {
		return []model.NoteKind{model.NoteEscape, model.NoteBounds, model.NoteCannotInline, model.NoteCopy}
	}
	return []model.NoteKind{model.NoteEscape}
}

// notesAt returns what the compiler says of a line that costs some resource.
func (v *version) notesAt(at model.Pos, r model.Resource) []string {
	if v.notes == nil {
		return nil
	}
	kinds := told(r)
	notes := slices.DeleteFunc(slices.Clone(v.notes.OnLine(at.File, at.Line)), func(n model.Note) bool {
		return len(n.Chain) != 1 || !slices.Contains(kinds, n.Kind) // what was inlined here stands elsewhere
	})
	slices.SortStableFunc(notes, func(a, b model.Note) int {
		return cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind))
	})
	var out []string
	for _, n := range notes {
		text := noteText(n)
		if !slices.Contains(out, text) && len(out) < notesOnLine {
			out = append(out, text)
		}
	}
	return out
}

// noteText is a note in words that need no knowledge of the compiler's names.
func noteText(n model.Note) string {
	text := strings.TrimSuffix(n.Message, ":")
	switch n.Kind {
	case model.NoteBounds:
		return "bounds are checked"
	case model.NoteCannotInline:
		return "not inlined: " + text
	}
	return text
}
