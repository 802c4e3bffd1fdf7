package score

import (
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// shown is how many lines of a plan a score repeats.
const shown = 3

// rank finds the first target that upstream's fix is about. Targets are counted
// by distinct lines: the ways to one line, and what it costs of time and of
// memory, are one entry to a reader.
func (c *checkout) rank(targets []model.Target, out *model.Scored) {
	out.Targets = len(targets)
	seen := map[string]int{}
	funcs := c.functions(targets)
	var inFunc *model.Target
	for i, t := range targets {
		key := fmt.Sprintf("%s:%d", t.At.File, t.At.Line)
		if seen[key] == 0 {
			seen[key] = len(seen) + 1
			if len(seen) <= shown {
				out.Top = append(out.Top, model.Top{At: t.At, Func: t.Func, Reason: t.Reason})
			}
		}
		if out.Rank == 0 && c.about(t) {
			out.Rank, out.Right = seen[key], &targets[i]
		}
		if out.InFunc == 0 && funcs[t.Func] {
			out.InFunc, inFunc = seen[key], &targets[i]
		}
	}
	if out.Right == nil {
		out.Right = inFunc
	}
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
