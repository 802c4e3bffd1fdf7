package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// A WorkDirectory is one that WorkDir made, with the copy of a tree in it.
type WorkDirectory struct {
	Path   string
	Bytes  int64
	Busy   bool          // a process is at work in it
	Holder holder.Holder // who; zero where that is not known
}

// workName matches the names that WorkDir gives.
var workName = regexp.MustCompile(`^[0-9a-f]{16}(-[0-9]+)?$`)

// WorkDirectories lists the directories with copies of the module at p; those of all
// modules where all is set.
func WorkDirectories(p *Place, cacheDir string, all bool) ([]WorkDirectory, error) {
	parent := filepath.Join(cacheDir, "pawl", "work")
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the copies of trees: %w", err)
	}
	var out []WorkDirectory
	for _, e := range entries {
		stem, _, _ := strings.Cut(e.Name(), "-")
		if !e.IsDir() || !workName.MatchString(e.Name()) || !all && stem != hash(p.Module) {
			continue
		}
		w := WorkDirectory{Path: filepath.Join(parent, e.Name())}
		if release, free, err := tryLock(w.lock()); err == nil && free {
			release()
		} else {
			w.Busy, w.Holder = true, holder.Read(w.lock())
		}
		out = append(out, w)
	}
	return out, nil
}

func (w WorkDirectory) lock() string { return w.Path + ".lock" }

// Measure fills in how many bytes the files in the directory hold. Links that lead
// out of it are not followed.
func (w *WorkDirectory) Measure() {
	w.Bytes = 0
	_ = filepath.WalkDir(w.Path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			w.Bytes += info.Size()
		}
		return nil
	})
}

// Remove removes the directory and its lock, unless a process is at work in it.
func (w WorkDirectory) Remove() error {
	release, free, err := tryLock(w.lock())
	if err != nil {
		return fmt.Errorf("removing %s: %w", w.Path, err)
	}
	if !free {
		return fmt.Errorf("removing %s: process %d is at work in it", w.Path, holder.Read(w.lock()).PID)
	}
	defer release()
	if err := removeAll(w.Path); err != nil {
		return fmt.Errorf("removing %s: %w", w.Path, err)
	}
	if err := os.Remove(w.lock()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %w", w.Path, err)
	}
	return nil
}

// AtWork returns the other processes that are at work on the module at p.
func AtWork(p *Place, cacheDir string) []holder.Holder {
	directories, err := WorkDirectories(p, cacheDir, false)
	if err != nil {
		return nil
	}
	var out []holder.Holder
	for _, w := range directories {
		if w.Busy && w.Holder.PID != os.Getpid() {
			out = append(out, w.Holder)
		}
	}
	return out
}
