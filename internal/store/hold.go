package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A Holder is the process that is at work on a run.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// A BusyError says that another process is at work on a run.
type BusyError struct {
	Run    string
	Holder Holder
}

func (b *BusyError) Error() string {
	return fmt.Sprintf("run %s is still going on: process %d has been at work on it since %s; wait for it, or end it with kill %d",
		b.Run, b.Holder.PID, b.Holder.Since.Local().Format(time.DateTime), b.Holder.PID)
}

// lockName is the file in a run's folder that is locked while a process is at
// work on the run. It stays: what counts is the lock, which goes with the
// process, and not the file.
const lockName = "lock"

// holdTries is how often the lock of a run is asked for: whoever only looks
// whether it is free holds it for a moment.
const holdTries = 20

// hold takes the lock of the run in dir and notes who has it. The file that it
// returns holds the lock until it is closed.
func hold(dir, id string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
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
		err = &BusyError{Run: id, Holder: readHolder(f.Name())}
	}
	if err == nil {
		err = noteHolder(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func noteHolder(f *os.File) error {
	data, err := json.Marshal(Holder{PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(append(data, '\n'), 0)
	return err
}

// readHolder reads who noted himself last; a note that is not whole is nobody's.
func readHolder(path string) Holder {
	var h Holder
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

// Busy returns who is at work on the run with that full ID, and whether anybody
// is.
func (s *Store) Busy(id string) (Holder, bool) {
	f, err := os.OpenFile(filepath.Join(s.runs(), id, lockName), os.O_RDWR, 0)
	if err != nil {
		return Holder{}, false
	}
	defer f.Close()
	if free, err := tryLock(f); err == nil && free && !othersHold(f) {
		return Holder{}, false
	}
	return readHolder(f.Name()), true
}

// Close gives the run back, so that another process may go on with it. Its
// folder stays.
func (r *Run) Close() error {
	if r == nil || r.lock == nil {
		return nil
	}
	f := r.lock
	r.lock = nil
	return f.Close()
}

// Drop removes the folder of a run that has nothing to keep. The run must have
// been closed.
func (r *Run) Drop() error {
	if err := os.RemoveAll(r.Dir); err != nil {
		return fmt.Errorf("removing the folder of the run: %w", err)
	}
	return nil
}
