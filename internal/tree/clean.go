package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A Holder is a process that is at work in a folder of pawl's.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// noteHolder writes into a lock file who holds it. That is for people: the lock
// holds without.
func noteHolder(f *os.File) {
	data, err := json.Marshal(Holder{PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)})
	if err == nil && f.Truncate(0) == nil {
		_, _ = f.WriteAt(append(data, '\n'), 0)
	}
}

// A WorkFolder is one that WorkDir made, with the copy of a tree in it.
type WorkFolder struct {
	Path   string
	Bytes  int64
	Busy   bool   // a process is at work in it
	Holder Holder // who; zero where that is not known
}

// workName matches the names that WorkDir gives.
var workName = regexp.MustCompile(`^[0-9a-f]{16}(-[0-9]+)?$`)

// WorkFolders lists the folders with copies of the module at p; those of all
// modules where all is set.
func WorkFolders(p *Place, cacheDir string, all bool) ([]WorkFolder, error) {
	parent := filepath.Join(cacheDir, "pawl", "work")
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the copies of trees: %w", err)
	}
	var out []WorkFolder
	for _, e := range entries {
		stem, _, _ := strings.Cut(e.Name(), "-")
		if !e.IsDir() || !workName.MatchString(e.Name()) || !all && stem != hash(p.Module) {
			continue
		}
		w := WorkFolder{Path: filepath.Join(parent, e.Name())}
		if release, free, err := tryLock(w.lock()); err == nil && free {
			release()
		} else {
			w.Busy, w.Holder = true, readHolder(w.lock())
		}
		out = append(out, w)
	}
	return out, nil
}

func (w WorkFolder) lock() string { return w.Path + ".lock" }

func readHolder(path string) Holder {
	var h Holder
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

// Measure fills in how many bytes the files in the folder hold. Links that lead
// out of it are not followed.
func (w *WorkFolder) Measure() {
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

// Remove removes the folder and its lock, unless a process is at work in it.
func (w WorkFolder) Remove() error {
	release, free, err := tryLock(w.lock())
	if err != nil {
		return fmt.Errorf("removing %s: %w", w.Path, err)
	}
	if !free {
		return fmt.Errorf("removing %s: process %d is at work in it", w.Path, readHolder(w.lock()).PID)
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
func AtWork(p *Place, cacheDir string) []Holder {
	folders, err := WorkFolders(p, cacheDir, false)
	if err != nil {
		return nil
	}
	var out []Holder
	for _, w := range folders {
		if w.Busy && w.Holder.PID != os.Getpid() {
			out = append(out, w.Holder)
		}
	}
	return out
}
