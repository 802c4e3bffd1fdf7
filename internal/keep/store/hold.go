package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// A BusyError says that another process is at work on a run.
type BusyError struct {
	Run    string
	Holder holder.Holder
}

func (b *BusyError) Error() string {
	return fmt.Sprintf("run %s is still going on: process %d has been at work on it since %s; wait for it, or end it with kill %d",
		b.Run, b.Holder.PID, b.Holder.Since.Local().Format(time.DateTime), b.Holder.PID)
}

// lockName is the file in a run's directory that is locked while a process is at
// work on the run. It stays: what counts is the lock, which goes with the
// process, and not the file.
const lockName = "lock"

// holdTries is how often the lock of a run is asked for: a process that only looks
// whether it is free holds it for a moment.
const holdTries = 20

// Hold takes the lock of the run in dir, or of what else is kept there, and notes who has it. The file that it
// returns holds the lock until it is closed.
func Hold(dir, id string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	free := false
	for i := 0; i < holdTries && !free && err == nil; i++ {
		if i > 0 {
			time.Sleep(lockRetry)
		}
		free, err = tryLock(f)
	}
	if err == nil && (!free || othersHold(f)) {
		err = &BusyError{Run: id, Holder: holder.Read(f.Name())}
	}
	if err == nil {
		err = holder.Note(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tryLock is holder.TryLock, and free where there are no locks, as on some network file
// systems: one write to a file opened for append is what is left, and mostly enough.
func tryLock(f *os.File) (bool, error) {
	free, err := holder.TryLock(f)
	if errors.Is(err, errors.ErrUnsupported) {
		return true, nil
	}
	return free, err
}

// busy returns who is at work on the run with that full ID, and whether anybody
// is.
func (s *Store) busy(id string) (holder.Holder, bool) {
	f, err := os.OpenFile(filepath.Join(s.runs(), id, lockName), os.O_RDWR, 0)
	if err != nil {
		return holder.Holder{}, false
	}
	defer f.Close()
	if free, err := tryLock(f); err == nil && free && !othersHold(f) {
		return holder.Holder{}, false
	}
	return holder.Read(f.Name()), true
}

// Close gives the run back, so that another process may go on with it. Its
// directory stays.
func (r *Run) Close() error {
	if r == nil || r.lock == nil {
		return nil
	}
	f := r.lock
	r.lock = nil
	return f.Close()
}

// Drop removes the directory of a run that has nothing to keep. The run must have
// been closed.
func (r *Run) Drop() error {
	if err := os.RemoveAll(r.Dir); err != nil {
		return fmt.Errorf("removing the directory of the run: %w", err)
	}
	return nil
}
