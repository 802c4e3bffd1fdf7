package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Kind is what an event of the journal is about.
type Kind string

const (
	Start   Kind = "start"   // a run began: Verb, Args, Head, Dir, Patterns
	Resume  Kind = "resume"  // a run went on after a kill, or after its budget was spent: Args, Head
	Base    Kind = "base"    // the base builds and passes its tests, or Text says why not
	Plan    Kind = "plan"    // what will be tried: Prospects and Noise
	Ask     Kind = "ask"     // an outside proposer was: Call, and the Proposals that it answered with
	Attempt Kind = "attempt" // one change: Attempt, GoVersion, and Files where it was kept
	Undo    Kind = "undo"    // the user dropped a kept change: Change, Commit, Moved
	Final   Kind = "final"   // original against final: Results
	Stop    Kind = "stop"    // a run ended: Text says why when it ended early
)

// An Event is one line of the journal. Which of the fields below Kind are set
// depends on it. Readers pass over kinds and fields that they do not know.
type Event struct {
	Schema int       `json:"schema"`
	Time   time.Time `json:"time"`
	Run    string    `json:"run"` // the run's ID
	Kind   Kind      `json:"event"`

	GoVersion string           `json:"go_version,omitempty"`
	Verb      string           `json:"verb,omitempty"`
	Args      []string         `json:"args,omitempty"`
	Head      string           `json:"head,omitempty"`
	Attempt   *model.Attempt   `json:"attempt,omitempty"`
	Prospects []model.Prospect `json:"prospects,omitempty"`
	Noise     []model.Noise    `json:"noise,omitempty"`
	Results   []model.Result   `json:"results,omitempty"`
	Text      string           `json:"text,omitempty"`
	Call      *model.Call      `json:"call,omitempty"`
	Proposals []model.Proposal `json:"proposals,omitempty"`

	// Dir is the directory that Patterns hold in, relative to the module.
	Dir      string   `json:"dir,omitempty"`
	Patterns []string `json:"patterns,omitempty"`
	// Files are what a kept change touched, so that it can be put back into a
	// tree that is still the same.
	Files  []FileSum `json:"files,omitempty"`
	Change string    `json:"change,omitempty"` // ID
	Commit string    `json:"commit,omitempty"`
	// Moved are the commits that an undo has put another one in the place of.
	Moved map[string]string `json:"moved,omitempty"`
}

// A FileSum says what a file held before and after a change: SHA-256 in
// hexadecimal, empty where there was no file.
type FileSum struct {
	Path   string `json:"path"` // relative to the root of the tree
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// ContentSum is the sum of a file's content; empty where there is no file, which
// is a nil content.
func ContentSum(data []byte) string {
	if data == nil {
		return ""
	}
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// lockRetry is how long Append waits before it asks for the journal's lock
// again. Another writer holds it for one write and one sync: milliseconds.
const lockRetry = 5 * time.Millisecond

// Append writes one event to the journal and returns when it is on the disk.
// Schema, and Time when it is zero, are filled in. When another process holds
// the journal, Append waits for it until ctx is done; a journal that nobody
// holds is appended to even when ctx is already done, so that an interrupted
// run can still say that it stopped.
func (s *Store) Append(ctx context.Context, e Event) error {
	e.Schema = model.SchemaVersion
	if e.Time.IsZero() {
		e.Time = time.Now().UTC()
	}
	line, err := encode(e)
	if err != nil {
		return fmt.Errorf("encoding a %s event for the journal: %w", e.Kind, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := appendLine(ctx, s.journal(), append(line, '\n')); err != nil {
		return fmt.Errorf("appending a %s event to the journal: %w", e.Kind, err)
	}
	return nil
}

func appendLine(ctx context.Context, path string, line []byte) (err error) {
	_, statErr := os.Stat(path)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lock(ctx, f); err != nil {
		return err
	}
	if err := write(f, line); err != nil {
		return err
	}
	if errors.Is(statErr, fs.ErrNotExist) {
		return whole.SyncDir(filepath.Dir(path))
	}
	return nil
}

// write puts a line at the end of f, whose lock is held. A line that a full
// disk cut short is taken back, if that much works.
func write(f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	torn, err := endsTorn(f)
	if err != nil {
		return err
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(info.Size()))
	}
	return nil
}

func lock(ctx context.Context, f *os.File) error {
	for {
		if free, err := tryLock(f); err != nil || free {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another pawl holds %s: %w", f.Name(), ctx.Err())
		case <-time.After(lockRetry):
		}
	}
}

// endsTorn reports whether the last line of f has no end: its writer was
// killed, or the disk was full.
func endsTorn(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// events reads the journal from its beginning. A journal that does not exist
// is empty.
func (s *Store) events(ctx context.Context) *Events {
	return &Events{ctx: ctx, path: s.journal()}
}

// Events is one reading of a journal. Range over All, then ask for Err.
type Events struct {
	ctx      context.Context
	path     string
	warnings []model.Warning // one for each line that was passed over
	err      error
}

// All yields the events, oldest first. It ends early on an I/O error and when
// the context is done; Err says so.
func (ev *Events) All() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		f, err := os.Open(ev.path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			ev.err = fmt.Errorf("reading the journal: %w", err)
			return
		}
		defer f.Close()
		ev.read(f, yield)
	}
}

// Err returns what ended the reading early, or nil.
func (ev *Events) Err() error { return ev.err }

func (ev *Events) read(r io.Reader, yield func(Event) bool) {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		if err := ev.ctx.Err(); err != nil {
			ev.err = fmt.Errorf("reading the journal: %w", err)
			return
		}
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			ev.err = fmt.Errorf("reading the journal: line %d: %w", n, err)
			return
		}
		if e, ok := ev.parse(n, line); ok && !yield(e) {
			return
		}
		if err == io.EOF {
			return
		}
	}
}

// parse turns one line into an event. The last line may lack its end and
// still be whole: the closing brace is the last byte of an event.
func (ev *Events) parse(n int, line []byte) (Event, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return Event{}, false
	}
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		ev.warn(model.Warning{
			Seen:  fmt.Sprintf("line %d of the journal cannot be read: %v", n, err),
			Cause: "pawl was killed, or the disk was full, while it was being written",
			Try:   "nothing: the line is passed over, and the change that it told of may be tried again",
		})
		return Event{}, false
	}
	if e.Schema > model.SchemaVersion {
		ev.warn(model.Warning{
			Seen:  fmt.Sprintf("line %d of the journal has schema %d, and this pawl knows %d", n, e.Schema, model.SchemaVersion),
			Cause: "a newer pawl wrote it",
			Try:   "install the newer pawl to have its results counted",
		})
		return Event{}, false
	}
	return e, true
}

func (ev *Events) warn(w model.Warning) { ev.warnings = append(ev.warnings, w) }

func (s *Store) journal() string { return filepath.Join(s.dir, "journal.jsonl") }
