package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// A Leftover is something in the state directory that may go.
type Leftover struct {
	What  string // "run 20260102T150405-optimize"
	Path  string // absolute
	Bytes int64
	Note  string // why it stays, when it does; what is lost with it, when it goes
	Stays bool

	run string // its ID, of the directory of a run
}

// A Sweep says what Leftovers is to list besides what nobody misses.
type Sweep struct {
	Runs    bool      // directories of runs
	Before  time.Time // that were started before; all for the zero time
	Journal bool
}

// beginning is much more time than a run needs from its directory to its first file.
const beginning = time.Minute

// Leftovers lists what may be removed from the state directory: half-written
// files that a kill left, directories of runs that ended before they began, and
// the cache; and what the Sweep asks for. What belongs to a run that is going
// on stays.
func (s *Store) Leftovers(ctx context.Context, w Sweep) ([]Leftover, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	pasts, err := s.Pasts(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string]*Past)
	for _, p := range pasts {
		known[p.ID] = p
	}
	var out []Leftover
	alive := false
	for _, id := range ids {
		h, busy := s.busy(id)
		alive = alive || busy
		more, err := s.runLeftovers(id, known[id], w, h, busy)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	rest, err := s.rootLeftovers(alive, w.Journal)
	return append(out, rest...), err
}

// runLeftovers lists what may go of one run: its whole directory, or what is
// half-written in it.
func (s *Store) runLeftovers(id string, p *Past, w Sweep, h holder.Holder, busy bool) ([]Leftover, error) {
	dir := filepath.Join(s.runs(), id)
	asked := w.Runs && (w.Before.IsZero() || started(id).Before(w.Before))
	empty := p == nil && !s.loadable(id) && !s.has(id, comparisonFile) && !s.has(id, tuningFile)
	switch {
	case asked:
	case busy:
		return nil, nil
	case !empty:
		return leftTemps(dir)
	}
	l := Leftover{What: "run " + id, Path: dir, Bytes: Size(dir), run: id}
	switch {
	case busy:
		l.Stays, l.Note = true, fmt.Sprintf("process %d is at work on it", h.PID)
	case empty && !asked && time.Since(started(id)) < beginning:
		l.Stays, l.Note = true, "it may be beginning just now; if it was killed, clean removes it a minute after its start"
	case empty:
		l.Note = "it was killed before it began"
	default:
		l.Note = lost(dir, p)
	}
	return []Leftover{l}, nil
}

// lost says what else is lost with the directory of a run.
func lost(dir string, p *Past) string {
	var notes []string
	if patches, _ := filepath.Glob(filepath.Join(dir, "patches", "*.patch")); len(patches) > 0 {
		notes = append(notes, fmt.Sprintf("with %d kept changes as patches", len(patches)))
	}
	if p != nil && p.Verb == "optimize" && !p.Finished {
		notes = append(notes, "unfinished: pawl optimize -resume "+p.ID+" would go on with it")
	}
	return strings.Join(notes, "; ")
}

func (s *Store) rootLeftovers(alive, journal bool) ([]Leftover, error) {
	var out []Leftover
	if cache := filepath.Join(s.dir, "cache"); exists(cache) {
		l := Leftover{What: "cache", Path: cache, Bytes: Size(cache)}
		if l.Stays = alive; alive {
			l.Note = "a run is going on"
		}
		out = append(out, l)
	}
	if !alive {
		temps, err := leftTemps(s.dir, s.runs(), filepath.Join(s.dir, "cache"))
		if err != nil {
			return nil, err
		}
		out = append(out, temps...)
	}
	if journal && exists(s.journal()) {
		l := Leftover{What: "journal", Path: s.journal(), Bytes: Size(s.journal()), Note: "what was refuted will be tried again"}
		if l.Stays = alive; alive {
			l.Note = "a run is going on"
		}
		out = append(out, l)
	}
	return out, nil
}

// Remove removes a leftover. Of a run the directory gets another name first, so
// that a kill half-way leaves something that says what it is.
func (s *Store) Remove(l Leftover) (err error) {
	if l.Stays {
		return nil
	}
	path := l.Path
	if l.run != "" {
		f, err := Hold(path, l.run)
		if err != nil {
			return fmt.Errorf("removing %s: %w", l.What, err)
		}
		defer f.Close()
		gone := filepath.Join(s.dir, TempPrefix+l.run)
		if err := os.RemoveAll(gone); err != nil {
			return fmt.Errorf("removing %s: %w", l.What, err)
		}
		if err := os.Rename(path, gone); err != nil {
			return fmt.Errorf("removing %s: %w", l.What, err)
		}
		path = gone
	}
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("removing %s: %w", l.What, err)
	}
	return nil
}

// RemoveEmpty removes the state directory if nothing is left in it but what hides
// it from git.
func (s *Store) RemoveEmpty() error {
	_ = os.Remove(s.runs()) // fails where there are runs
	entries, err := os.ReadDir(s.dir)
	if err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != ".gitignore" {
		return nil
	}
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("removing the state directory: %w", err)
	}
	return nil
}

func (s *Store) loadable(id string) bool {
	_, err := s.load(id)
	return !errors.Is(err, fs.ErrNotExist)
}

// started reads when a run began off its ID.
func started(id string) time.Time {
	const layout = "20060102T150405"
	t, err := time.ParseInLocation(layout, id[:min(len(id), len(layout))], time.Local)
	if err != nil {
		return time.Time{}
	}
	return t
}

// leftTemps lists what is half-written below dir, outside the directories but.
func leftTemps(dir string, but ...string) ([]Leftover, error) {
	paths, err := temporary(dir, but...)
	var out []Leftover
	for _, path := range paths {
		out = append(out, Leftover{What: "half-written file", Path: path, Bytes: Size(path)})
	}
	return out, err
}

// temporary returns the files and directories below dir that are there only while
// something is being written: by this package, and by the recorder of commits.
func temporary(dir string, but ...string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, b := range but {
			if path == b {
				return filepath.SkipDir
			}
		}
		if !isTemporary(d) {
			return nil
		}
		out = append(out, path)
		if d.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("looking for half-written files: %w", err)
	}
	return out, nil
}

func isTemporary(d fs.DirEntry) bool {
	name := d.Name()
	return strings.HasPrefix(name, TempPrefix) ||
		strings.HasPrefix(name, ".pawl-") && strings.HasSuffix(name, ".tmp") ||
		d.IsDir() && strings.HasPrefix(name, "index-")
}

// sweep removes what a process left half-written in the directory of a run that
// nobody else is at work on.
func sweep(dir string) error {
	paths, err := temporary(dir)
	for _, path := range paths {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Size returns how many bytes the files at and below path hold.
func Size(path string) int64 {
	var n int64
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
