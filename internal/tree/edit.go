package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/source/edit"
)

// Apply writes the edits into the snapshot. Offsets are of the files as they
// are now; within a file, edits may touch but not overlap. One edit at offset
// 0 of a file that does not exist makes it. Nothing is written when an edit is
// not valid, and what was written is taken back when a later file fails; each
// file changes as a whole.
//
// undo restores the bytes, modes and times from before. Undo in the reverse
// order of Apply: it restores files, not edits.
func (s *Snapshot) Apply(edits []model.Edit) (undo func() error, err error) {
	news, err := s.edited(edits)
	if err != nil {
		return nil, err
	}
	var done []func() error
	undo = func() error {
		var errs []error
		for _, f := range slices.Backward(done) {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	for _, n := range news {
		back, err := s.write(n)
		done = append(done, back)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("editing %s: %w", n.rel, err), undo())
		}
	}
	return undo, nil
}

// Diff returns what Apply would change, as a unified diff with a/ and b/
// before paths relative to the root. It is empty when the edits change
// nothing.
func (s *Snapshot) Diff(edits []model.Edit) (string, error) {
	news, err := s.edited(edits)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, n := range news {
		b.WriteString(unified(n.rel, n.old.data, n.old.exists, n.data, true))
	}
	return b.String(), nil
}

// Edited returns what Apply would write, by file.
func (s *Snapshot) Edited(edits []model.Edit) (map[string][]byte, error) {
	news, err := s.edited(edits)
	out := make(map[string][]byte, len(news))
	for _, n := range news {
		out[n.rel] = n.data
	}
	return out, err
}

// An edited is a file before and after a set of edits.
type edited struct {
	rel  string
	old  *original
	data []byte
}

func (s *Snapshot) edited(edits []model.Edit) ([]edited, error) {
	byFile := map[string][]model.Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	var out []edited
	for rel, list := range byFile {
		old, err := s.read(rel)
		if err != nil {
			return nil, err
		}
		data, err := splice(old.data, list)
		if err == nil && !old.exists && len(list) > 1 {
			err = errors.New("a new file takes one edit")
		}
		if err == nil && !old.exists && list[0].End > 0 {
			err = errors.New("no such file")
		}
		if err != nil {
			return nil, fmt.Errorf("editing %s: %w", rel, err)
		}
		out = append(out, edited{rel, old, data})
	}
	sorted.By(out, func(a, b edited) int { return strings.Compare(a.rel, b.rel) })
	return out, nil
}

// splice is edit.Apply for edits that come in no order: two insertions at one
// place are an error.
func splice(src []byte, edits []model.Edit) ([]byte, error) {
	inserted := make(map[int]bool)
	for _, e := range edits {
		if e.Start != e.End {
			continue
		}
		if inserted[e.Start] {
			return nil, fmt.Errorf("two insertions at byte %d: their order is not known", e.Start)
		}
		inserted[e.Start] = true
	}
	return edit.Apply(src, edits)
}

// read returns the file rel of the snapshot as it is now. It refuses what is
// not a regular file in real directories of the snapshot: through a symlink an
// edit would reach the user's own files.
func (s *Snapshot) read(rel string) (*original, error) {
	if err := checkRel(rel); err != nil {
		return nil, err
	}
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		info, err := s.in.Lstat(s.Path(dir))
		if err == nil && !info.IsDir() {
			return nil, fmt.Errorf("reading %s: %s is not a directory of the tree", rel, dir)
		}
	}
	info, err := s.in.Lstat(s.Path(rel))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &original{mode: 0o600}, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", rel, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("reading %s: not a regular file", rel)
	}
	data, err := s.in.ReadFile(s.Path(rel))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", rel, err)
	}
	return &original{data: data, exists: true, mode: info.Mode().Perm(), time: info.ModTime()}, nil
}

// checkRel refuses paths that are not in the tree, or not written the one way
// that commits and keys need.
func checkRel(rel string) error {
	if strings.Contains(rel, "\n") {
		return fmt.Errorf("%q is not a path in the tree", rel)
	}
	return checkPath(rel)
}

// checkPath is checkRel for what need not be recorded: a name may have a line
// break.
func checkPath(rel string) error {
	if rel != path.Clean(rel) || rel == "." || !filepath.IsLocal(filepath.FromSlash(rel)) || strings.Contains(rel, "\x00") {
		return fmt.Errorf("%q is not a path in the tree", rel)
	}
	if strings.Contains(rel, `\`) && filepath.Separator == '\\' {
		return fmt.Errorf("%q is not a path in the tree: write it with forward slashes", rel)
	}
	for part := range strings.SplitSeq(rel, "/") {
		if strings.EqualFold(part, ".git") || part == stateName {
			return fmt.Errorf("%q is in a directory that is never edited", rel)
		}
	}
	return nil
}

// write writes one file and returns what takes it back. That holds even when
// writing failed half-way.
func (s *Snapshot) write(n edited) (back func() error, err error) {
	at, made := s.Path(n.rel), s.missingDir(n.rel)
	back = func() error {
		defer s.noteFile(n.rel)
		if n.old.exists {
			if err := s.in.writeFile(at, n.old.data, n.old.mode); err != nil {
				return fmt.Errorf("restoring %s: %w", n.rel, err)
			}
			return s.in.setTime(at, n.old.time)
		}
		err := s.in.Remove(at)
		if made != "" {
			err = s.in.removeAll(made)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", n.rel, err)
		}
		return nil
	}
	if s.base[n.rel] == nil {
		s.base[n.rel] = n.old
	}
	if err := s.in.MkdirAll(filepath.Dir(at)); err != nil {
		return back, err
	}
	defer s.noteFile(n.rel)
	return back, s.in.writeFile(at, n.data, n.old.mode)
}

// missingDir returns the outermost directory that must be made for rel; empty
// when there is none.
func (s *Snapshot) missingDir(rel string) string {
	missing := ""
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if _, err := s.in.Lstat(s.Path(dir)); err == nil {
			break
		}
		missing = s.Path(dir)
	}
	return missing
}
