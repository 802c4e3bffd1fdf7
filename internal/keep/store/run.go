package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
)

// comparisonFile is where a run of compare or gate keeps what it found.
const comparisonFile = "comparison.json"

// A Run is the directory of one run.
type Run struct {
	ID  string // names the run: 20260102T150405-optimize
	Dir string // absolute

	lock *os.File // says that this process is at work on it
}

// NewRun makes the directory of a run of verb that starts at now. The ID is made
// of both, with a number behind it when another run started in that second.
// The run belongs to this process until Close, or until it ends.
func (s *Store) NewRun(verb string, now time.Time) (*Run, error) {
	parent := s.runs()
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the run: %w", err)
	}
	stem := now.Format("20060102T150405") + "-" + plain(verb)
	for n := 1; ; n++ {
		id := stem
		if n > 1 {
			id = fmt.Sprintf("%s-%d", stem, n)
		}
		dir := filepath.Join(parent, id)
		err := os.Mkdir(dir, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = whole.SyncDir(parent)
		}
		r := &Run{ID: id, Dir: dir}
		if err == nil {
			r.lock, err = Hold(dir, id)
		}
		if err != nil {
			return nil, fmt.Errorf("making the directory of the run: %w", err)
		}
		return r, nil
	}
}

// OpenRun returns the directory of an earlier run, to go on with it. The id may
// be shortened as for Load. A run that another process is at work on is a
// *BusyError. What a kill left half-written in the directory is removed.
func (s *Store) OpenRun(id string) (*Run, error) {
	full, err := s.find(id)
	if err != nil {
		return nil, err
	}
	r := &Run{ID: full, Dir: filepath.Join(s.runs(), full)}
	if r.lock, err = Hold(r.Dir, full); err != nil {
		return nil, fmt.Errorf("going on with run %s: %w", full, err)
	}
	if err := sweep(r.Dir); err != nil {
		return nil, errors.Join(fmt.Errorf("going on with run %s: %w", full, err), r.Close())
	}
	return r, nil
}

// Save writes the run's state to run.json, in place of what was saved before.
// Schema, ID and Dir are filled in where m leaves them empty.
func (r *Run) Save(m model.Run) error {
	if m.ID != "" && m.ID != r.ID {
		return fmt.Errorf("saving run %s: the value says that it is run %s", r.ID, m.ID)
	}
	m.ID = r.ID
	m.Schema = cmp.Or(m.Schema, model.SchemaVersion)
	m.Dir = cmp.Or(m.Dir, r.Dir)
	return r.json("run.json", m)
}

// tuningFile is what experiments with settings found, where they left something.
const tuningFile = "tuning.json"

// SaveTuning writes what experiments found to tuning.json.
func (r *Run) SaveTuning(t model.Tuning) error { return r.json(tuningFile, t) }

// Saved reports whether the run's state, or what a comparison or experiments found,
// was saved.
func (r *Run) Saved() bool {
	return slices.ContainsFunc([]string{"run.json", comparisonFile, tuningFile}, func(name string) bool {
		_, err := os.Stat(filepath.Join(r.Dir, name))
		return err == nil
	})
}

// SaveComparison writes what a run of compare or gate found to
// comparison.json, in place of what was saved before.
func (r *Run) SaveComparison(c model.Comparison) error {
	c.ID, c.Dir = r.ID, r.Dir
	return r.json(comparisonFile, c)
}

func (r *Run) json(name string, v any) error {
	data, err := encode(v)
	if err != nil {
		return fmt.Errorf("saving run %s: %w", r.ID, err)
	}
	err = Replace(filepath.Join(r.Dir, name), func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("saving run %s: %w", r.ID, err)
	}
	return nil
}

const profileDir = "profiles"

// TakenProfile is where the profile called name of the run with that directory is, if
// it was taken and is still there.
func TakenProfile(dir, name string) string { return filepath.Join(dir, profileDir, plain(name)) }

// Profile returns where the profile called name goes: a file that is not there.
// The name is made fit for one.
func (r *Run) Profile(name string) (string, error) {
	if _, err := r.directory(profileDir); err != nil {
		return "", err
	}
	path := TakenProfile(r.Dir, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("making a file for a profile of run %s: %w", r.ID, err)
	}
	return path, nil
}

// Diff writes the unified diff of an attempt and returns where it is. The name
// is made fit for a file and gets the ending .diff.
func (r *Run) Diff(name, diff string) (string, error) {
	dir, err := r.directory("diffs")
	if err != nil {
		return "", err
	}
	return r.write(filepath.Join(dir, plain(name)+".diff"), func(w io.Writer) error {
		_, err := io.WriteString(w, diff)
		return err
	})
}

// Report writes report.html by way of write and returns where it is. When
// write fails, an earlier report stays as it was.
func (r *Run) Report(write func(io.Writer) error) (string, error) {
	return r.write(filepath.Join(r.Dir, "report.html"), write)
}

func (r *Run) write(path string, write func(io.Writer) error) (string, error) {
	if err := Replace(path, write); err != nil {
		return "", fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	return path, nil
}

func (r *Run) directory(name string) (string, error) {
	dir := filepath.Join(r.Dir, name)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = notLinked(dir)
	}
	if err != nil {
		return "", fmt.Errorf("making the directory %s of run %s: %w", name, r.ID, err)
	}
	return dir, nil
}

// Load returns a run as it was last saved. The id may be shortened to any
// beginning that only one run has, and "latest" is the newest run.
func (s *Store) Load(id string) (*model.Run, error) {
	full, err := s.find(id)
	if err != nil {
		return nil, err
	}
	return s.load(full)
}

func (s *Store) load(id string) (*model.Run, error) {
	m := new(model.Run)
	return m, s.read(id, "run.json", m, &m.Schema)
}

// read reads a file of a run that has a schema.
func (s *Store) read(id, file string, to any, schema *int) error {
	data, err := os.ReadFile(filepath.Join(s.runs(), id, file))
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("reading run %s: %w", id, err)
	}
	if *schema > model.SchemaVersion {
		return newer(id, *schema)
	}
	return nil
}

// List returns all runs that can be read, newest first, and a warning for
// each that cannot. No runs are no error.
func (s *Store) List() ([]model.Run, []model.Warning, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, nil, err
	}
	var runs []model.Run
	var warnings []model.Warning
	for _, id := range ids {
		m, err := s.load(id)
		switch {
		case err == nil:
			runs = append(runs, *m)
		case errors.Is(err, fs.ErrNotExist) && (s.has(id, comparisonFile) || s.has(id, tuningFile)):
			// a run of compare or gate: see Comparisons; or of tune, which is no run
		case errors.Is(err, fs.ErrNotExist):
			warnings = append(warnings, model.Warning{
				Seen:  "run " + id + " was killed before it saved anything",
				Cause: "its directory has no run.json",
				Try:   "pawl optimize -resume goes on with it if it got so far; pawl clean removes it if not",
			})
		default:
			warnings = append(warnings, model.Warning{Seen: err.Error()})
		}
	}
	return runs, warnings, nil
}

// Comparisons returns what runs of compare and gate found, newest first. One
// that cannot be read is passed over with a warning.
func (s *Store) Comparisons() ([]model.Comparison, []model.Warning, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, nil, err
	}
	var out []model.Comparison
	var warnings []model.Warning
	for _, id := range ids {
		if !s.has(id, comparisonFile) {
			continue
		}
		c, err := s.Comparison(id)
		if err != nil {
			warnings = append(warnings, model.Warning{Seen: err.Error()})
			continue
		}
		out = append(out, *c)
	}
	return out, warnings, nil
}

// Comparison returns what a run of compare or gate found. The id may be
// shortened as for Load.
func (s *Store) Comparison(id string) (*model.Comparison, error) {
	full, err := s.find(id)
	if err != nil {
		return nil, err
	}
	c := new(model.Comparison)
	return c, s.read(full, comparisonFile, c, &c.Schema)
}

func (s *Store) has(id, file string) bool {
	_, err := os.Stat(filepath.Join(s.runs(), id, file))
	return err == nil
}

func newer(id string, schema int) error {
	return fmt.Errorf("reading run %s: it has schema %d and this pawl knows %d; a newer pawl can read it", id, schema, model.SchemaVersion)
}

// find completes a shortened id. Matching it against the names that are there
// also keeps "../" out of the path.
func (s *Store) find(id string) (string, error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	if len(ids) > 0 && id == "latest" {
		return ids[0], nil
	}
	var found []string
	for _, have := range ids {
		if have == id {
			return have, nil
		}
		if id != "" && strings.HasPrefix(have, id) {
			found = append(found, have)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("no run %q; pawl log lists the runs", id)
	}
	return "", fmt.Errorf("%d runs begin with %q; give more of the ID, as pawl log prints it", len(found), id)
}

// ids returns the names of the runs' directories, newest first: they begin with
// the time.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.runs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the runs: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() {
			ids = append(ids, e.Name())
		}
	}
	slices.SortFunc(ids, newestFirst)
	return ids, nil
}

// newestFirst orders IDs. Of two in the same second and of the same verb the
// longer one, and then the greater, came later: x, x-2, … x-10.
func newestFirst(a, b string) int {
	const stamp = len("20060102T150405")
	if len(a) < stamp || len(b) < stamp || a[:stamp] != b[:stamp] {
		return strings.Compare(b, a)
	}
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	return strings.Compare(b, a)
}

func (s *Store) runs() string { return filepath.Join(s.dir, "runs") }
