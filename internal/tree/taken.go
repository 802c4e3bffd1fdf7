package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A taken says when a work directory was last brought up to date. The zero value
// says never.
type taken struct {
	Root string `json:"root"` // whose copy the directory holds
	// Began is when the last Take did. A TakeRef leaves it, and where it leaves
	// a copy alone also the time of it, by which the next Take knows the copy.
	Began time.Time `json:"began"`
	// Ended is of the last Take or TakeRef, by the clock of the file system:
	// whatever is written in the copy later is changed at Ended or later.
	Ended time.Time `json:"ended"`
}

// A held says which copies have the content of a blob in git. It is as of
// taken.Ended: for a file that was changed since it says nothing.
type held struct {
	attrs string            // what turned blobs into files: see attributes
	keys  map[string]string // by path: see blob.key
}

// A workState is what is known of a work directory between begin and end. While
// it is open the directory says nothing of itself, so that what is killed
// half-way is not trusted.
type workState struct {
	in   *below
	last taken
	held held
}

func (w *workState) stamp() string { return filepath.Join(w.in.dir, "taken.json") }
func (w *workState) notes() string { return filepath.Join(w.in.dir, "held") }

// begin reads the state of the work directory, which is to hold a copy of root,
// and removes it.
func begin(in *below, root string) (*workState, error) {
	w := &workState{in: in, held: held{keys: map[string]string{}}}
	if data, err := in.ReadFile(w.stamp()); err != nil || json.Unmarshal(data, &w.last) != nil || w.last.Root != root {
		w.last = taken{Root: root}
	}
	if data, err := in.ReadFile(w.notes()); err == nil && !w.last.Ended.IsZero() {
		w.held = parseHeld(data)
	}
	if err := in.Remove(w.stamp()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return w, nil
}

// end writes the state.
func (w *workState) end() error {
	if err := w.in.writeFile(w.notes(), w.held.bytes(), 0o600); err != nil {
		return err
	}
	var err error
	if w.last.Ended, err = fileTime(w.in.dir); err != nil {
		return err
	}
	data, err := json.Marshal(w.last)
	if err != nil {
		return err
	}
	return w.in.writeFile(w.stamp(), data, 0o600)
}

// fileTime returns what time it is for files in the directory. Their clock is
// coarse: it may be some milliseconds behind time.Now, and a file that is
// written after this call may have this very time.
func fileTime(dir string) (time.Time, error) {
	f, err := os.CreateTemp(dir, ".pawl-*.tmp")
	if err != nil {
		return time.Time{}, err
	}
	defer os.Remove(f.Name())
	info, err := f.Stat()
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return time.Time{}, err
	}
	if t, ok := changeTime(info); ok {
		return t, nil
	}
	return info.ModTime(), nil
}

// untouched reports whether a copy is as the last Take or TakeRef left it, as
// far as that is known.
func (t taken) untouched(have fs.FileInfo) bool {
	at, ok := changeTime(have)
	return ok && at.Before(t.Ended)
}

// bytes and parseHeld are the form on disk: the attributes, then key and path
// of each file, each with a NUL at its end.
func (h held) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(h.attrs + "\x00")
	for rel, key := range h.keys {
		b.WriteString(key + "\x00" + rel + "\x00")
	}
	return b.Bytes()
}

func parseHeld(data []byte) held {
	h := held{keys: map[string]string{}}
	attrs, rest, _ := strings.Cut(string(data), "\x00")
	h.attrs = attrs
	for rest != "" {
		key, more, ok1 := strings.Cut(rest, "\x00")
		rel, after, ok2 := strings.Cut(more, "\x00")
		if !ok1 || !ok2 {
			break
		}
		h.keys[rel] = key
		rest = after
	}
	return h
}
