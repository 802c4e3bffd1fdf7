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
	"github.com/pawl-dev/pawl/internal/words"
)

// A stamp is what a file of the copy looked like when pawl had written it.
type stamp struct {
	size    int64
	mode    fs.FileMode
	time    time.Time
	changed time.Time // of the inode; zero where that is not known
}

func stampOf(info fs.FileInfo) stamp {
	changed, _ := changeTime(info)
	return stamp{info.Size(), info.Mode(), info.ModTime(), changed}
}

// untouched reports whether nobody has written to the file of the stamp, or has
// set its time: where its inode did not change, that is certain.
func (t stamp) untouched(info fs.FileInfo) bool {
	changed, _ := changeTime(info)
	return t.is(info) && t.changed.Equal(changed)
}

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
	err := s.in.walk(s.Dir, func(at string, d fs.DirEntry, err error) error {
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
	info, err := s.in.Lstat(s.Path(rel))
	if err != nil || info.IsDir() {
		return
	}
	s.known[rel] = stampOf(info)
	if !info.Mode().IsRegular() {
		return
	}
	if data, err := s.in.ReadFile(s.Path(rel)); err == nil {
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
// that the go command would compile or take for a module's are removed, as are new
// links, which could lead it to any. Other new files stay. Changes of the files named loose, by their last element, are
// nobody's fault and stay too. The warning says what was put back, once for
// each file. The error names the files for which that is not possible, since
// the user has changed them meanwhile. The user's tree is only read.
func (s *Snapshot) Restore(ctx context.Context, loose ...string) ([]model.Warning, error) {
	if s.known == nil {
		return nil, nil
	}
	if err := s.sweepBeside(); err != nil {
		return nil, err
	}
	changed, added, err := s.drift(loose)
	if err != nil {
		return nil, fmt.Errorf("looking for what tests changed in pawl's copy of the tree: %w", err)
	}
	var names []string
	for _, rel := range added {
		if err := s.in.removeAll(s.Path(rel)); err != nil {
			return nil, stuck(rel, err)
		}
		names = append(names, rel)
	}
	var fetch []string
	for _, rel := range changed {
		differed, err := s.putBack(rel)
		if errors.Is(err, errGone) && s.fetch != nil {
			fetch, differed, err = append(fetch, rel), false, nil
		}
		if err != nil {
			return nil, stuck(rel, err)
		}
		if differed {
			names = append(names, rel)
		}
	}
	differed, err := s.fetchAgain(ctx, fetch)
	if err != nil {
		return nil, err
	}
	for _, rel := range changed {
		if info, err := s.in.Lstat(s.Path(rel)); err == nil {
			s.known[rel] = stampOf(info)
		}
	}
	return s.restored(append(names, differed...)), nil
}

// fetchAgain puts files back from the commit, and returns those that differed.
func (s *Snapshot) fetchAgain(ctx context.Context, rels []string) (differed []string, err error) {
	if len(rels) == 0 {
		return nil, nil
	}
	was := map[string][]byte{}
	for _, rel := range rels {
		if info, err := s.in.Lstat(s.Path(rel)); err == nil && s.known[rel].is(info) && info.Mode().IsRegular() {
			was[rel], _ = s.in.ReadFile(s.Path(rel))
		}
	}
	if err := s.fetch(ctx, rels); err != nil {
		return nil, stuck(strings.Join(rels, ", "), err)
	}
	for _, rel := range rels {
		now, err := s.in.ReadFile(s.Path(rel))
		if before, ok := was[rel]; !ok || err != nil || !bytes.Equal(before, now) {
			differed = append(differed, rel)
		}
	}
	return differed, nil
}

// above are the names that the go command and git look for in the directories
// above a module.
var above = []string{".git", ".hg", ".svn", ".bzr", ".fslckout", "_FOSSIL_", "go.mod", "go.sum", "go.work", "go.work.sum", "go.env"}

// sweepBeside removes what a test has put above the copy, where it would count
// for the copy too.
func (s *Snapshot) sweepBeside() error {
	if s.workDir == "" {
		return nil
	}
	for _, name := range above {
		if err := removeAll(filepath.Join(s.workDir, name)); err != nil {
			return fmt.Errorf("removing what a test wrote beside pawl's copy of the tree: %w", err)
		}
	}
	return nil
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
	s.disturbed.Store(true)
	for _, rel := range rels {
		s.told[rel] = true
	}
	slices.Sort(rels)
	return []model.Warning{{
		Seen:  "a test or benchmark changed source files in pawl's copy of the tree: " + words.Some(rels, 5) + "; they were put back",
		Cause: "it writes into the directory that it runs in, or deletes there, as it does in yours under go test",
		Try:   "let it write to t.TempDir()",
	}}
}

// Disturbed reports whether Restore has put anything back so far: programs of
// the user write into the copy, and may do so while something is built.
func (s *Snapshot) Disturbed() bool { return s.disturbed.Load() }

// drift compares the copy with what is known of it: what differs or is gone,
// and what is new and would be compiled. All are sorted.
func (s *Snapshot) drift(loose []string) (changed, added []string, err error) {
	loose = append(loose, "go.work.sum") // the go command writes it
	seen := make(map[string]bool, len(s.known))
	err = s.in.walk(s.Dir, func(at string, d fs.DirEntry, err error) error {
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
		case d.IsDir() && d.Name() == "vendor" && !s.knows(rel):
			added = append(added, rel)
			return filepath.SkipDir
		case d.IsDir() && !known:
			return s.in.makeWritable(at, info)
		case d.IsDir():
			return filepath.SkipDir // where a file was
		case slices.Contains(loose, path.Base(rel)) && d.Type().IsRegular():
		case !known && (isSource(rel) || d.Type()&fs.ModeSymlink != 0): // a link may be to sources
			added = append(added, rel)
		case known && (!want.untouched(info) || want.mode.IsRegular() && want.mode.Perm() != info.Mode().Perm()):
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

// knows reports whether pawl has put anything into the directory rel.
func (s *Snapshot) knows(rel string) bool {
	for at := range s.known {
		if strings.HasPrefix(at, rel+"/") {
			return true
		}
	}
	return false
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
	case "go.mod", "go.sum", "go.work", "modules.txt", "default.pgo":
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
	have, err := s.in.Lstat(at)
	if err == nil && want.untouched(have) {
		return false, s.in.Chmod(at, want.mode.Perm())
	}
	if err := s.clearWay(rel); err != nil {
		return true, err
	}
	if data, ok := s.own[rel]; ok {
		if now, err := s.in.ReadFile(at); err != nil || have == nil || !have.Mode().IsRegular() || !bytes.Equal(now, data) {
			differed = true
			if err := s.in.writeFile(at, data, want.mode.Perm()); err != nil {
				return true, err
			}
		}
		return differed, s.in.setTime(at, want.time)
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
		return true, errors.Join(err, s.in.drop(at), s.in.Symlink(text, at))
	}
	if have != nil && have.Mode().IsRegular() && have.Size() == info.Size() {
		if same, err := s.in.sameBytes(from, at); err == nil && same {
			return false, s.in.dress(at, info, have)
		}
	}
	return true, s.in.copyFile(at, from, info)
}

// clearWay makes the directories of a file real ones of the copy, and removes a
// directory that has its name. Through a link that a test made, what is put back
// would reach the user's own files.
func (s *Snapshot) clearWay(rel string) error {
	if err := s.in.way(filepath.Dir(s.Path(rel))); err != nil {
		return err
	}
	if info, err := s.in.Lstat(s.Path(rel)); err == nil && info.IsDir() {
		return s.in.removeAll(s.Path(rel))
	}
	return nil
}

// drop removes a file, if it is there.
func (b *below) drop(at string) error {
	if err := b.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
