package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// A syncer makes the directory dst hold what src holds of files.
type syncer struct {
	in       *below // dst is in it
	src, dst string
	files    map[string]fs.FileInfo // of src, by path relative to it
	state    *workState
	warn     []model.Warning
	left     []Left
}

// slack is how much older than a Take a file must be to be trusted by its
// times. File times come from a coarse clock, and some file systems keep
// whole seconds, or two.
const slack = 2 * time.Second

func (s *syncer) sync(ctx context.Context) error {
	kinds := make(map[string]fs.FileMode, len(s.files))
	for rel, info := range s.files {
		kinds[rel] = info.Mode().Type()
	}
	have, err := sweep(s.in, s.dst, kinds)
	if err != nil {
		return fmt.Errorf("clearing the copy: %w", err)
	}
	s.forget(have)
	madeDir := ""
	for _, rel := range slices.Sorted(maps.Keys(s.files)) { // the same order each time, and directories once
		if err := ctx.Err(); err != nil {
			return err
		}
		if dir := filepath.Dir(s.to(rel)); dir != madeDir {
			if err := s.in.MkdirAll(dir); err != nil {
				return fmt.Errorf("copying %s: %w", rel, err)
			}
			madeDir = dir
		}
		if err := s.one(rel, have[rel]); err != nil {
			return fmt.Errorf("copying %s: %w", rel, err)
		}
	}
	return nil
}

// forget drops what is not known any more of what the copies hold.
func (s *syncer) forget(have map[string]fs.FileInfo) {
	for rel := range s.state.held.keys {
		if info := have[rel]; info == nil || !s.state.last.untouched(info) {
			delete(s.state.held.keys, rel)
		}
	}
}

// sweep removes from dst what is not among kinds, which tells which type
// each file is to be, and returns what stays.
func sweep(in *below, dst string, kinds map[string]fs.FileMode) (map[string]fs.FileInfo, error) {
	dirs := map[string]bool{".": true}
	for rel := range kinds {
		for d := filepath.Dir(filepath.FromSlash(rel)); !dirs[d]; d = filepath.Dir(d) {
			dirs[d] = true
		}
	}
	have := map[string]fs.FileInfo{}
	if err := in.MkdirAll(dst); err != nil {
		return nil, err
	}
	err := in.walk(dst, func(abs string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		sub, err := filepath.Rel(dst, abs)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			if dirs[sub] {
				return in.makeWritable(abs, info)
			}
			if err := in.removeAll(abs); err != nil {
				return err
			}
			return filepath.SkipDir
		}
		rel := filepath.ToSlash(sub)
		if kind, ok := kinds[rel]; ok && kind == info.Mode().Type() {
			have[rel] = info
			return nil
		}
		return in.Remove(abs)
	})
	return have, err
}

// makeWritable gives the owner all rights on the directory: a test may have
// taken them away. walk has not read the directory yet.
func (b *below) makeWritable(dir string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o700 == 0o700 {
		return nil
	}
	return b.Chmod(dir, info.Mode().Perm()|0o700)
}

// one brings one file up to date. have is its state in dst, or nil.
func (s *syncer) one(rel string, have fs.FileInfo) error {
	want := s.files[rel]
	if want.Mode()&fs.ModeSymlink != 0 {
		return s.symlink(rel, have)
	}
	if have != nil && s.same(rel, want, have) {
		return s.in.dress(s.to(rel), want, have)
	}
	delete(s.state.held.keys, rel)
	err := s.copy(rel, want)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // deleted since it was listed
	case errors.Is(err, fs.ErrPermission):
		_ = s.in.Remove(s.to(rel)) // an old copy would be worse than none
		s.left = append(s.left, Left{Path: rel, Why: "cannot be read"})
		s.warn = append(s.warn, model.Warning{
			Seen:  rel + " was not copied: it cannot be read",
			Cause: "its permissions",
			Try:   "chmod u+r " + rel,
		})
		return nil
	}
	return err
}

// same reports whether the copy of rel still has the bytes of the original.
func (s *syncer) same(rel string, want, have fs.FileInfo) bool {
	if want.Size() != have.Size() {
		return false
	}
	if s.trusted(want, have) {
		return true
	}
	equal, err := s.in.sameBytes(s.from(rel), s.to(rel))
	return err == nil && equal
}

// trusted reports whether times alone show that the copy still has the bytes
// that a Take gave it, and that the original has them too: a copy with the
// time of the original was made from it or compared with it.
func (s *syncer) trusted(want, have fs.FileInfo) bool {
	last := s.state.last
	at, ok := changeTime(want)
	return ok && last.Root == s.src && want.ModTime().Equal(have.ModTime()) &&
		at.Before(last.Began.Add(-slack)) && last.untouched(have)
}

// mode is the permission of a copy: what the owner may do with the original,
// and read and write. Nobody else may, for the tree may hold secrets.
func mode(info fs.FileInfo) fs.FileMode { return private(info.Mode()) }

// private takes from a mode what others may do, and lets the owner read and
// write.
func private(m fs.FileMode) fs.FileMode { return m.Perm()&0o700 | 0o600 }

// dress gives a copy with the right bytes the right mode and time.
func (b *below) dress(to string, want, have fs.FileInfo) error {
	if have.Mode().Perm() != mode(want) {
		if err := b.Chmod(to, mode(want)); err != nil {
			return err
		}
	}
	if !have.ModTime().Equal(want.ModTime()) {
		return b.setTime(to, want.ModTime())
	}
	return nil
}

func (s *syncer) symlink(rel string, have fs.FileInfo) error {
	text, err := os.Readlink(s.from(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if have != nil {
		if old, err := s.in.Readlink(s.to(rel)); err == nil && old == text {
			return nil
		}
		if err := s.in.Remove(s.to(rel)); err != nil {
			return err
		}
	}
	delete(s.state.held.keys, rel)
	return s.in.Symlink(text, s.to(rel))
}

// copy copies a file that may be written meanwhile: when it was, it is copied
// again, a few times.
func (s *syncer) copy(rel string, want fs.FileInfo) error {
	for range 3 {
		if err := s.in.copyFile(s.to(rel), s.from(rel), want); err != nil {
			return err
		}
		now, err := os.Lstat(s.from(rel))
		if err != nil || now.Size() == want.Size() && now.ModTime().Equal(want.ModTime()) {
			return err
		}
		want = now
	}
	s.warn = append(s.warn, model.Warning{
		Seen:  rel + " was being written while it was copied",
		Cause: "another program writes into the tree",
		Try:   "stop it, or expect a copy that is torn",
	})
	return nil
}

// copyFile makes to a new file with the bytes, mode and time of from. An old
// one is removed first and not written into, lest it is a link.
func (b *below) copyFile(to, from string, info fs.FileInfo) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := b.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := b.create(to, mode(info))
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Chmod(mode(info)) // in spite of the umask
	}
	if err2 := out.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return err
	}
	return b.setTime(to, info.ModTime())
}

// sameBytes compares two files of equal size: one of anywhere, and one of the
// copy.
func (b *below) sameBytes(from, to string) (bool, error) {
	fa, err := os.Open(from)
	if err != nil {
		return false, err
	}
	defer fa.Close()
	fb, err := b.plain(to)
	if err != nil {
		return false, err
	}
	defer fb.Close()
	bufA, bufB := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		na, errA := io.ReadFull(fa, bufA)
		nb, errB := io.ReadFull(fb, bufB)
		if na != nb || !bytes.Equal(bufA[:na], bufB[:nb]) {
			return false, nil
		}
		if errA == io.EOF || errA == io.ErrUnexpectedEOF {
			return errB == errA, nil
		}
		if errA != nil || errB != nil {
			return false, errors.Join(errA, errB)
		}
	}
}

func (s *syncer) from(rel string) string { return filepath.Join(s.src, filepath.FromSlash(rel)) }
func (s *syncer) to(rel string) string   { return filepath.Join(s.dst, filepath.FromSlash(rel)) }
