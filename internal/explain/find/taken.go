package find

import (
	"maps"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// A taken is the edits of fixes that are made together.
type taken struct {
	w     *workshop
	edits map[string][]model.Edit // by file
	names map[name]model.Edit     // what brings a new name into a package
}

// A name is one that a package declares.
type name struct{ pkg, name string }

// take takes the edits of a fix, or reports that they clash with those taken.
// The error is for a file that cannot be read.
func (t taken) take(x model.Finding) (bool, error) {
	names := map[name]model.Edit{}
	for _, e := range x.Fix.Edits {
		clash, err := t.clash(e)
		if clash || err != nil {
			return false, err
		}
		some, err := t.newNames(e)
		if err != nil {
			return false, err
		}
		for _, s := range some {
			if other, ok := t.names[name{x.Pkg, s}]; ok && other != e {
				return false, nil
			}
			names[name{x.Pkg, s}] = e
		}
	}
	maps.Copy(t.names, names)
	for _, e := range x.Fix.Edits {
		if !slices.Contains(t.edits[e.File], e) {
			t.edits[e.File] = append(t.edits[e.File], e)
		}
	}
	return true, nil
}

// clash reports whether an edit overlaps with one that was taken. An edit that
// is there already, like the same import, does not; two insertions at one
// place do where their order would be a guess.
func (t taken) clash(e model.Edit) (bool, error) {
	for _, o := range t.edits[e.File] {
		switch {
		case e == o || e.Start > o.End || o.Start > e.End:
		case e.Start == e.End && o.Start == e.Start && o.End == e.End:
			at, err := t.w.place(e)
			if err != nil || !unordered(at, o.New, e.New) {
				return true, err
			}
		case e.Start < o.End && o.Start < e.End || e.Start == o.Start:
			return true, nil
		}
	}
	return false, nil
}

// newNames returns the names that an insertion between declarations brings
// into its package.
func (t taken) newNames(e model.Edit) ([]string, error) {
	if e.Start != e.End {
		return nil, nil
	}
	d, ok := declarations("package p\n" + e.New)
	if !ok || len(d.names) == 0 {
		return nil, nil
	}
	at, err := t.w.place(e)
	if at != between {
		return nil, err
	}
	return d.names, nil
}
