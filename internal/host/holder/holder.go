// Package holder keeps in a lock file who holds it. The note is for people: the
// lock holds without it, and goes with the process, while the note stays.
package holder

import (
	"encoding/json"
	"os"
	"time"
)

// A Holder is a process that is at work on what a lock file guards.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// Note writes this process into a lock file.
func Note(f *os.File) error {
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

// Read reads who was noted last; a note that is not whole is nobody's.
func Read(path string) Holder {
	var h Holder
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}
