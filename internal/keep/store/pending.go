package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
)

// pendingFile holds the attempt that is about to be recorded. Between the
// commit of a kept change and its line in the journal a kill must lose
// neither.
const pendingFile = "pending.json"

// A Pending is an attempt that will be kept, with what its event will say.
type Pending struct {
	Attempt model.Attempt `json:"attempt"`
	Files   []FileSum     `json:"files"`
}

// SavePending notes an attempt before it is recorded anywhere else.
func (r *Run) SavePending(p Pending) error { return r.json(pendingFile, p) }

// Pending returns what SavePending noted last, and false when there is nothing
// that can be read.
func (r *Run) Pending() (Pending, bool) {
	var p Pending
	data, err := os.ReadFile(filepath.Join(r.Dir, pendingFile))
	if err != nil || json.Unmarshal(data, &p) != nil {
		return Pending{}, false
	}
	return p, true
}

// ClearPending removes the note once the journal has the attempt.
func (r *Run) ClearPending() error {
	if err := os.Remove(filepath.Join(r.Dir, pendingFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clearing the note of the last attempt: %w", err)
	}
	return nil
}
