package score

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// shown is how many lines of a plan a score repeats.
const shown = 3

// rank finds the first target that upstream's fix is about: by its own line, by
// a flow that leads there, or by what the plan would change for its sake. The
// plan counts the statements of each benchmark: all that one costs has one place.
func (c *checkout) rank(targets []model.Target, changes []model.Change, out *model.Scored) {
	funcs := c.functions(targets)
	meant := c.meant(changes)
	seen := map[model.Pos]bool{}
	var inFunc *model.Target
	for i, t := range targets {
		out.Targets = max(out.Targets, t.Rank)
		at := model.Pos{File: t.At.File, Line: t.At.Line}
		if t.Rank <= shown && !seen[at] {
			seen[at] = true
			out.Top = append(out.Top, model.Top{Rank: t.Rank, At: at, Func: t.Func, Reason: t.Reason})
		}
		if t.Rank > 0 && (out.Rank == 0 || t.Rank < out.Rank) && (meant[t.ID] || c.about(t)) {
			out.Rank, out.Right = t.Rank, &targets[i]
		}
		if t.Rank > 0 && (out.InFunc == 0 || t.Rank < out.InFunc) && funcs[t.Func] {
			out.InFunc, inFunc = t.Rank, &targets[i]
		}
	}
	if out.Right == nil {
		out.Right = inFunc
	}
}

// meant returns the targets for whose sake the plan would edit a line that the
// fix changed, by id.
func (c *checkout) meant(changes []model.Change) map[string]bool {
	all := map[string]bool{}
	texts := map[string][]byte{}
	for _, ch := range changes {
		for _, e := range ch.Edits {
			src, ok := texts[e.File]
			if !ok {
				src, _ = os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(e.File))) // none, where the change makes it
				texts[e.File] = src
			}
			if e.Start > len(src) || e.End > len(src) || !c.edits(e, src) {
				continue
			}
			for _, t := range ch.Targets {
				all[t.ID] = true
			}
		}
	}
	return all
}

// edits reports whether an edit takes away a line that the fix changed.
func (c *checkout) edits(e model.Edit, src []byte) bool {
	first := 1 + bytes.Count(src[:e.Start], []byte("\n"))
	last := first + bytes.Count(bytes.TrimSuffix(src[e.Start:e.End], []byte("\n")), []byte("\n"))
	for line := first; line <= last && e.Start < e.End; line++ {
		if c.changed(model.Pos{File: e.File, Line: line}) {
			return true
		}
	}
	return false
}

// about reports whether the fix changed the target's line, or one through which
// the value flows as the compiler's notes have it.
func (c *checkout) about(t model.Target) bool {
	if c.changed(t.At) {
		return true
	}
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape {
			continue
		}
		if slices.ContainsFunc(n.Chain, c.changed) {
			return true
		}
		for _, f := range n.Flow {
			if c.changed(f.At) {
				return true
			}
		}
	}
	return false
}

func (c *checkout) changed(p model.Pos) bool {
	for _, s := range c.replaced {
		if s.File == p.File && s.From <= p.Line && p.Line <= s.To {
			return true
		}
	}
	return false
}

// functions returns the symbols of the targets' functions in which the fix
// changed a line.
func (c *checkout) functions(targets []model.Target) map[string]bool {
	all := map[string]bool{}
	spans := map[string][]span{}
	for _, t := range targets {
		file := t.At.File
		if _, ok := spans[file]; !ok {
			spans[file] = c.bodies(file)
		}
		for _, f := range spans[file] {
			if f.from > t.At.Line || t.At.Line > f.to {
				continue
			}
			for _, s := range c.replaced {
				if s.File == file && s.From <= f.to && f.from <= s.To {
					all[t.Func] = true
				}
			}
		}
	}
	return all
}
