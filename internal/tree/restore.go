package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A stamp is what a file of the copy looked like when pawl had written it.
type stamp struct {
	size int64
	mode fs.FileMode
	time time.Time
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.Mode(), info.ModTime()} }

// is reports whether a file still has the bytes of the stamp, as far as its
// type, size and time say so.
func (t stamp) is(info fs.FileInfo) bool {
	if t.mode.Type() != info.Mode().Type() {
		return false
	}
	return t.mode&fs.ModeSymlink != 0 || t.size == info.Size() && t.time.Equal(info.ModTime())
}

// note remembers what all files of the copy look like, and the bytes of those
// that are in the copy alone.
func (s *Snapshot) note() error {
	s.known, s.own = map[string]stamp{}, map[string][]byte{}
	err := filepath.WalkDir(s.Dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			s.known[s.rel(at)] = stampOf(info)
		}
		return err
	})
	if err != nil {
		return err
	}
	for rel := range s.base {
		s.noteFile(rel)
	}
	s.noteFile(path.Join(s.Place.Rel(), "go.mod"))
	if rel, err := filepath.Rel(s.Place.Root, s.work.path); s.work.path != "" && err == nil {
		s.noteFile(filepath.ToSlash(rel)) // which may differ from the user's
	}
	return nil
}

// noteFile remembers what one file looks like that pawl has just written.
func (s *Snapshot) noteFile(rel string) {
	if s.known == nil || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return
	}
	delete(s.known, rel)
	delete(s.own, rel)
	info, err := os.Lstat(s.Path(rel))
	if err != nil || info.IsDir() {
		return
	}
	s.known[rel] = stampOf(info)
	if !info.Mode().IsRegular() {
		return
	}
	if data, err := os.ReadFile(s.Path(rel)); err == nil {
		s.own[rel] = data
	}
}

// rel is the inverse of Path.
func (s *Snapshot) rel(at string) string {
	rel, err := filepath.Rel(s.Dir, at)
	if err != nil {
		return at
	}
	return filepath.ToSlash(rel)
}

// Restore makes the copy hold what pawl has put there, after programs of the
// user have run in it: what was changed or deleted is put back, and new files
// that the go command would compile or take for a module's are removed. Other
// new files stay. Changes of the files named loose, by their last element, are
// nobody's fault and stay too. The warning says what was put back, once for
// each file. The error names the files for which that is not possible, since
// the user has changed them meanwhile. The user's tree is only read.
func (s *Snapshot) Restore(ctx context.Context, loose ...string) ([]model.Warning, error) {
	if s.known == nil {
		return nil, nil
	}
	changed, added, err := s.drift(loose)
	if err != nil {
		return nil, fmt.Errorf("looking for what tests changed in pawl's copy of the tree: %w", err)
	}
	var names []string
	for _, rel := range added {
		if err := os.Remove(s.Path(rel)); err != nil {
			return nil, stuck(rel, err)
		}
		names = append(names, rel)
	}
	var fetch []string
	for _, rel := range changed {
		differed, err := s.putBack(rel)
		if errors.Is(err, errGone) && s.fetch != nil {
			fetch, differed, err = append(fetch, rel), true, nil
		}
		if err != nil {
			return nil, stuck(rel, err)
		}
		if differed {
			names = append(names, rel)
		}
	}
	if len(fetch) > 0 {
		if err := s.fetch(ctx, fetch); err != nil {
			return nil, stuck(strings.Join(fetch, ", "), err)
		}
		for _, rel := range fetch {
			if info, err := os.Lstat(s.Path(rel)); err == nil {
				s.known[rel] = stampOf(info)
			}
		}
	}
	return s.restored(names), nil
}

// errGone says that what a file held is not to be found where it came from.
var errGone = errors.New("the original was changed or removed since it was copied; start again")

func stuck(rel string, err error) error {
	return fmt.Errorf("a test or benchmark changed %s in pawl's copy of the tree, and it cannot be put back: %w; let tests write to t.TempDir() instead", rel, err)
}

// restored is the warning for files that were put back. It leaves out those
// that have had theirs.
func (s *Snapshot) restored(rels []string) []model.Warning {
	rels = slices.DeleteFunc(rels, func(rel string) bool { return s.told[rel] })
	if len(rels) == 0 {
		return nil
	}
	for _, rel := range rels {
		s.told[rel] = true
	}
	slices.Sort(rels)
	const most = 5
	names := strings.Join(rels[:min(most, len(rels))], ", ")
	if more := len(rels) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return []model.Warning{{
		Seen:  "a test or benchmark changed source files in pawl's copy of the tree: " + names + "; they were put back",
		Cause: "it writes into the folder that it runs in, or deletes there, as it does in yours under go test",
		Try:   "let it write to t.TempDir()",
	}}
}

// drift compares the copy with what is known of it: what differs or is gone,
// and what is new and would be compiled. All are sorted.
func (s *Snapshot) drift(loose []string) (changed, added []string, err error) {
	loose = append(loose, "go.work.sum") // the go command writes it
	seen := make(map[string]bool, len(s.known))
	err = filepath.WalkDir(s.Dir, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // what outlived its test goes on
		} else if err != nil {
			return err
		}
		rel := s.rel(at)
		want, known := s.known[rel]
		info, err := d.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && !known:
			return makeWritable(at, info)
		case d.IsDir():
			return filepath.SkipDir // where a file was
		case slices.Contains(loose, path.Base(rel)):
		case !known && isSource(rel):
			added = append(added, rel)
		case known && (!want.is(info) || want.mode.IsRegular() && want.mode.Perm() != info.Mode().Perm()):
			changed = append(changed, rel)
		}
		seen[rel] = true
		return nil
	})
	for rel := range s.known {
		if !seen[rel] && !slices.Contains(loose, path.Base(rel)) {
			changed = append(changed, rel)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), added, err
}

// isSource reports whether the go command would read a new file of that name
// as part of a package or for a module.
func isSource(rel string) bool {
	dir, name := path.Split(rel)
	for part := range strings.SplitSeq(dir, "/") {
		if part == "testdata" || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return false
		}
	}
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	switch name {
	case "go.mod", "go.sum", "go.work":
		return true
	}
	return slices.Contains([]string{
		".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx",
		".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso",
	}, path.Ext(name))
}

// putBack gives a file of the copy its bytes, mode and time again, from those
// that pawl has or from the user's tree. It reports whether the bytes were
// others. The error is errGone where neither has them.
func (s *Snapshot) putBack(rel string) (differed bool, err error) {
	want, at := s.known[rel], s.Path(rel)
	have, err := os.Lstat(at)
	if err == nil && want.is(have) {
		return false, os.Chmod(at, want.mode.Perm())
	}
	if err := s.clearWay(rel); err != nil {
		return true, err
	}
	if data, ok := s.own[rel]; ok {
		if now, err := os.ReadFile(at); err != nil || have == nil || !have.Mode().IsRegular() || !bytes.Equal(now, data) {
			differed = true
			if err := writeFile(at, data, want.mode.Perm()); err != nil {
				return true, err
			}
		}
		return differed, os.Chtimes(at, time.Time{}, want.time)
	}
	if s.Commit != "" {
		return true, errGone
	}
	from := filepath.Join(s.Place.Root, filepath.FromSlash(rel))
	info, err := os.Lstat(from)
	if err != nil || !want.is(info) {
		return true, errGone
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		text, err := os.Readlink(from)
		return true, errors.Join(err, remove(at), os.Symlink(text, at))
	}
	if have != nil && have.Mode().IsRegular() && have.Size() == info.Size() {
		if same, err := sameBytes(from, at); err == nil && same {
			return false, dress(at, info, have)
		}
	}
	return true, copyFile(at, from, info)
}

// clearWay makes the folders of a file real ones of the copy, and removes a
// folder that has its name. Through a link that a test made, what is put back
// would reach the user's own files.
func (s *Snapshot) clearWay(rel string) error {
	parts := strings.Split(rel, "/")
	for i := 1; i < len(parts); i++ {
		dir := s.Path(path.Join(parts[:i]...))
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() {
			continue
		}
		if err := remove(dir); err != nil {
			return err
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	if info, err := os.Lstat(s.Path(rel)); err == nil && info.IsDir() {
		return removeAll(s.Path(rel))
	}
	return nil
}

// remove removes a file, if it is there.
func remove(at string) error {
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
