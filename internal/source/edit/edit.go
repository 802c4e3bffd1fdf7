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
	"cmp"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// Apply returns src with the edits made. It does not look at their file names.
// Edits that overlap or lie outside src are an error; those that touch are not.
func Apply(src []byte, edits []model.Edit) ([]byte, error) {
	var out []byte
	done := 0
	for _, e := range sorted(edits) {
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
	return slices.DeleteFunc(sorted(edits), func(e model.Edit) bool {
		if e.Start < done {
			return true
		}
		done = e.End
		return false
	})
}

// sorted returns the edits by their places.
func sorted(edits []model.Edit) []model.Edit {
	return slices.SortedStableFunc(slices.Values(edits), func(a, b model.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}
