// Package edit applies edits to a text. It takes the text and what is to be
// replaced in it, in bytes, and returns the new text. It is the only place that
// sorts edits and looks whether they overlap: an edit that is made twice, or in
// the wrong order, gives code that may still compile.
//
// Insertions at one place are made in the order in which they are given, and
// before an edit that begins there. A caller whose edits have no such order, as
// from a patch, has to refuse these.
package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Apply returns src with the edits made. It does not look at their file names.
// Edits that overlap or lie outside src are an error; those that touch are not.
func Apply(src []byte, edits []model.Edit) ([]byte, error) {
	var out []byte
	done := 0
	for _, e := range inOrder(edits) {
		switch {
		case e.Start < 0 || e.End < e.Start || e.End > len(src):
			return nil, fmt.Errorf("edit of bytes %d to %d of a file of %d", e.Start, e.End, len(src))
		case e.Start < done:
			return nil, fmt.Errorf("edits overlap at byte %d", e.Start)
		}
		out = append(append(out, src[done:e.Start]...), e.New...)
		done = e.End
	}
	return append(out, src[done:]...), nil
}

// Must is Apply for edits at places of one syntax tree, which do not overlap.
// It panics if they do.
func Must(src []byte, edits []model.Edit) []byte {
	out, err := Apply(src, edits)
	if err != nil {
		panic(err)
	}
	return out
}

// Disjoint returns the edits of one file by their places, without those that
// overlap with one before them.
func Disjoint(edits []model.Edit) []model.Edit {
	done := 0
	return slices.DeleteFunc(inOrder(edits), func(e model.Edit) bool {
		if e.Start < done {
			return true
		}
		done = e.End
		return false
	})
}

// Lines returns where a line of src, counted from one, is once edits of it are made; false
// for one that they touch.
func Lines(src []byte, edits []model.Edit) func(line int) (int, bool) {
	type stretch struct{ from, to, by int } // lines that are touched, and what those behind them move by
	var all []stretch
	at, line := 0, 1
	for _, e := range Disjoint(edits) {
		line += bytes.Count(src[at:e.Start], []byte("\n"))
		at = e.Start
		gone := bytes.Count(src[e.Start:e.End], []byte("\n"))
		st := stretch{line, line + gone, strings.Count(e.New, "\n") - gone}
		if whole := src[:e.End]; len(whole) == 0 || whole[len(whole)-1] == '\n' {
			st.to-- // of the line at its end it takes nothing
		}
		all = append(all, st)
	}
	return func(line int) (int, bool) {
		by := 0
		for _, st := range all {
			if st.from <= line && line <= st.to {
				return 0, false
			}
			if st.from <= line {
				by += st.by
			}
		}
		return line + by, true
	}
}

func inOrder(edits []model.Edit) []model.Edit {
	return sorted.Of(slices.Values(edits), func(a, b model.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}
