package gocmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// A Scratch is a directory for temporary files that a later pawl removes when the
// process that made it is gone, however it ended. While that process lives the
// directory is held: by a lock on it where the system has such locks, which goes
// with the process, and elsewhere by the number of the process in its name.
// Processes that it starts hold nothing.
type Scratch struct {
	Dir string

	lock *os.File // nil where nothing can be locked
}

// scratchName matches the names that NewScratch gives: pawl-PURPOSE-PID-RANDOM.tmp.
var scratchName = regexp.MustCompile(`^pawl-[a-z]+-([0-9]+)-[0-9]+\.tmp$`)

// scratchTries is how many directories are made until one can be held: a sweep may
// take a directory for abandoned before it is locked.
const scratchTries = 100

// NewScratch removes what pawls that are gone have left in the directory parent
// and makes a directory there, for the owner alone. An empty parent stands for
// os.TempDir. The purpose, of small letters, is for people who look there. The
// directory is the caller's to remove.
func NewScratch(parent, purpose string) (*Scratch, error) {
	SweepScratch(parent)
	parent = cmp.Or(parent, os.TempDir())
	for range scratchTries {
		dir, err := os.MkdirTemp(parent, fmt.Sprintf("pawl-%s-%d-*.tmp", purpose, os.Getpid()))
		if err != nil {
			return nil, fmt.Errorf("making a directory for temporary files: %w; %s", err, tempAdvice)
		}
		if lock, ok := holdScratch(dir); ok {
			return &Scratch{Dir: dir, lock: lock}, nil
		}
		_ = os.Remove(dir)
	}
	return nil, fmt.Errorf("making a directory for temporary files: another process removes them from %s as they are made; %s", parent, tempAdvice)
}

// Remove removes the directory with all that is in it, also where a process has
// taken its own rights from it. Links are not followed.
func (s *Scratch) Remove() error {
	err := RemoveAll(s.Dir)
	if s.lock != nil {
		_ = s.lock.Close()
		s.lock = nil
	}
	return err
}

// SweepScratch removes the directories that pawls of this user that are gone have
// left in the directory parent; empty stands for os.TempDir. What cannot be
// removed stays, for the next one to try.
func SweepScratch(parent string) {
	for _, dir := range LeftScratch(parent) {
		RemoveLeft(dir)
	}
}

// LeftScratch returns the directories that SweepScratch would remove.
func LeftScratch(parent string) []string {
	parent = cmp.Or(parent, os.TempDir())
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() || !scratchName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if release, ok := abandoned(dir); ok {
			release()
			out = append(out, dir)
		}
	}
	return out
}

// RemoveLeft removes one directory of LeftScratch, unless it is not abandoned any
// more, and reports whether it is gone.
func RemoveLeft(dir string) bool {
	release, ok := abandoned(dir)
	if !ok {
		_, err := os.Lstat(dir)
		return errors.Is(err, fs.ErrNotExist)
	}
	defer release() // last: the next holder would find the directory gone
	return RemoveAll(dir) == nil
}
