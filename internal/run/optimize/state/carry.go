package state

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// Carry takes over from the state before, for benchmarks that run what edits have changed,
// the costs of lines that the edits leave alone, under the numbers that these have now. They
// are estimates: they say which idea comes next, and what an idea is worth is measured. So
// that a run need not take profiles after each change that it keeps. was are the contents of
// the files before.
func (v *figures) Carry(before *State, was map[string][]byte, edits []model.Edit) {
	lines := make(map[string]func(int) (int, bool))
	for file, text := range was {
		lines[file] = edit.Lines(text, slices.DeleteFunc(slices.Clone(edits), func(e model.Edit) bool { return e.File != file }))
	}
	for bm, c := range before.costs {
		if _, ok := v.costs[bm]; !ok { // else Follow has it
			v.costs[bm] = costs{allocs: carried(c.allocs, lines), cpu: carried(c.cpu, lines), gcShare: c.gcShare, unexplained: c.unexplained, carried: true}
		}
	}
	v.hot = nil
}

// carried are the costs whose home is on a line that is left alone. Other frames of a stack
// that are not stay as they were.
func carried(list []model.Cost, lines map[string]func(int) (int, bool)) (out []model.Cost) {
	for _, c := range list {
		stays := true
		c.Stack = slices.Clone(c.Stack)
		for i, f := range c.Stack {
			line := lines[f.File]
			if line == nil {
				continue
			}
			if n, ok := line(f.Line); ok {
				c.Stack[i].Line = n
			} else if i == c.Home {
				stays = false
			}
		}
		if stays {
			out = append(out, c)
		}
	}
	return out
}

// Stale reports whether costs were taken over from a version before, or are not known for
// want of time, unless they were forgotten once.
func (v *figures) Stale() bool {
	for _, c := range v.costs {
		if c.carried || c.late && !v.retried {
			return true
		}
	}
	return false
}

// Unprofiled counts the benchmarks whose costs are not known for want of time.
func (v *figures) Unprofiled() (n int) {
	for _, c := range v.costs {
		if c.late {
			n++
		}
	}
	return n
}

// Forget forgets these, so that Explain takes profiles.
func (v *figures) Forget() {
	for bm, c := range v.costs {
		if c.carried || c.late {
			delete(v.costs, bm)
		}
	}
	v.retried = true
	v.hot = nil
}
