package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A below does what package os does, with absolute paths below one directory,
// and in no case outside it: tests write into the copy, and a link that one has
// left there leads to nothing of the user's.
type below struct {
	dir  string
	root *os.Root
}

// openBelow opens a directory. It need not be closed: the descriptor goes with
// the value.
func openBelow(dir string) (*below, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &below{dir: dir, root: root}, nil
}

// rel returns the path by which the root knows one. What is not below the
// directory has none, and the root refuses it.
func (b *below) rel(at string) string {
	rel, err := filepath.Rel(b.dir, at)
	if err != nil {
		return at
	}
	return rel
}

func (b *below) Lstat(at string) (fs.FileInfo, error)    { return b.root.Lstat(b.rel(at)) }
func (b *below) Open(at string) (*os.File, error)        { return b.root.Open(b.rel(at)) }
func (b *below) ReadFile(at string) ([]byte, error)      { return b.root.ReadFile(b.rel(at)) }
func (b *below) Readlink(at string) (string, error)      { return b.root.Readlink(b.rel(at)) }
func (b *below) Remove(at string) error                  { return b.root.Remove(b.rel(at)) }
func (b *below) Mkdir(at string) error                   { return b.root.Mkdir(b.rel(at), 0o700) }
func (b *below) MkdirAll(at string) error                { return b.root.MkdirAll(b.rel(at), 0o700) }
func (b *below) Rename(from, to string) error            { return b.root.Rename(b.rel(from), b.rel(to)) }
func (b *below) Symlink(text, at string) error           { return b.root.Symlink(text, b.rel(at)) }
func (b *below) Chmod(at string, mode fs.FileMode) error { return b.root.Chmod(b.rel(at), mode) }
func (b *below) setTime(at string, t time.Time) error {
	return b.root.Chtimes(b.rel(at), time.Time{}, t)
}
func (b *below) create(at string, m fs.FileMode) (*os.File, error) {
	return b.root.OpenFile(b.rel(at), os.O_WRONLY|os.O_CREATE|os.O_EXCL, m)
}

// plain opens a file to be read, if it is one: no link, no pipe.
func (b *below) plain(at string) (*os.File, error) {
	info, err := b.Lstat(at)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: at, Err: errors.New("not a plain file")}
	}
	return b.Open(at)
}

// way makes the directories from the root down to at real ones: a link, or a
// file, that stands for one of them goes.
func (b *below) way(at string) error {
	dir := b.dir
	for part := range strings.SplitSeq(filepath.ToSlash(b.rel(at)), "/") {
		dir = filepath.Join(dir, part)
		info, err := b.Lstat(dir)
		switch {
		case err == nil && info.IsDir():
			continue
		case err == nil:
			err = b.Remove(dir)
		case errors.Is(err, fs.ErrNotExist):
			err = nil
		}
		if err == nil {
			err = b.Mkdir(dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDir lists a directory by name.
func (b *below) readDir(at string) ([]fs.DirEntry, error) {
	f, err := b.Open(at)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// walk is filepath.WalkDir. A directory is visited before it is read, and again
// where that fails.
func (b *below) walk(at string, visit fs.WalkDirFunc) error {
	info, err := b.Lstat(at)
	if err != nil {
		err = visit(at, nil, err)
	} else {
		err = b.walkEntry(at, fs.FileInfoToDirEntry(info), visit)
	}
	if err == fs.SkipDir || err == fs.SkipAll {
		return nil
	}
	return err
}

func (b *below) walkEntry(at string, d fs.DirEntry, visit fs.WalkDirFunc) error {
	if err := visit(at, d, nil); err != nil || !d.IsDir() {
		if err == fs.SkipDir && d.IsDir() {
			err = nil
		}
		return err
	}
	entries, err := b.readDir(at)
	if err != nil {
		if err = visit(at, d, err); err != nil {
			if err == fs.SkipDir {
				err = nil
			}
			return err
		}
	}
	for _, e := range entries {
		if err := b.walkEntry(filepath.Join(at, e.Name()), e, visit); err != nil {
			if err == fs.SkipDir {
				return nil
			}
			return err
		}
	}
	return nil
}

// removeAll removes a file, or a directory with all that is in it, also where the
// owner's rights were taken away.
func (b *below) removeAll(at string) error {
	if err := b.root.RemoveAll(b.rel(at)); err == nil {
		return nil
	}
	// An error here is found again by RemoveAll.
	_ = b.walk(at, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = b.Chmod(p, 0o700)
		}
		return nil
	})
	return b.root.RemoveAll(b.rel(at))
}

// writeFile writes a file as a whole: a reader sees the old one or the new
// one.
func (b *below) writeFile(at string, data []byte, mode fs.FileMode) error {
	tmp := filepath.Join(filepath.Dir(at), fmt.Sprintf(".pawl-%d.tmp", rand.Uint64()))
	f, err := b.create(tmp, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = b.Rename(tmp, at)
	}
	if err != nil {
		_ = b.Remove(tmp)
	}
	return err
}

// writeFile is that for a file in a directory that only the user writes.
func writeFile(at string, data []byte, mode fs.FileMode) error {
	b, err := openBelow(filepath.Dir(at))
	if err != nil {
		return err
	}
	return errors.Join(b.writeFile(at, data, mode), b.root.Close())
}

// removeAll is that for a directory in one that only the user writes.
func removeAll(at string) error {
	b, err := openBelow(filepath.Dir(at))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(b.removeAll(at), b.root.Close())
}
