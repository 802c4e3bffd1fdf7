package find

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/whole"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// An entry is what the rules say about one package. It depends on nothing but
// the package's key.
type entry struct {
	Found   []found
	Ignores []ignore
	Calls   callers.Callers
	Facts   map[string]effects.Fact
	Files   int
	Lines   int
	Unsure  int      // findings that code which was not read may make wrong
	Errors  []string // why the package could not be looked at
}

// found is a finding before it is decided whether it is shown.
type found struct {
	model.Finding
	If      []rule.Condition
	Ignore  int // 1 + index of the directive that silences it
	PkgMain bool
}

// ignore is a directive, with where it stands.
type ignore struct {
	rule.Ignore
	At model.Pos
}

// cache keeps entries as files in a directory of the user's cache.
type cache struct{ dir string }

func (c cache) file(key string) string { return filepath.Join(c.dir, key[:2], key[2:]) }

// get returns the entry of a key. One that cannot be read counts as absent.
func (c cache) get(key string) (*entry, bool) {
	if c.dir == "" {
		return nil, false
	}
	name := c.file(key)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	if fi, err := os.Stat(name); err == nil && time.Since(fi.ModTime()) > 24*time.Hour {
		_ = os.Chtimes(name, time.Time{}, time.Now()) // it is still asked for
	}
	e := new(entry)
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(e); err != nil {
		return nil, false
	}
	return e, true
}

// entryAge is how long an entry is kept that no run asks for.
const entryAge = 30 * 24 * time.Hour

// trim removes entries that nobody asked for in a long time, at most once a
// day. What cannot be removed stays.
func (c cache) trim(now time.Time) {
	mark := filepath.Join(c.dir, "trimmed")
	if fi, err := os.Stat(mark); c.dir == "" || err == nil && now.Sub(fi.ModTime()) < 24*time.Hour {
		return
	}
	if os.WriteFile(mark, nil, 0o600) != nil {
		return
	}
	_ = filepath.WalkDir(c.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == mark {
			return nil
		}
		if fi, err := d.Info(); err == nil && now.Sub(fi.ModTime()) > entryAge {
			os.Remove(path)
		}
		return nil
	})
}

// put keeps an entry. The cache is a help, not a duty: an error only means
// that the package is looked at again.
func (c cache) put(key string, e *entry) error {
	if c.dir == "" {
		return nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(e); err != nil {
		return err
	}
	name := c.file(key)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return whole.File{Path: name, Temp: "tmp-*", Cache: true}.Bytes(b.Bytes())
}

// toolID names this program so that a new one does not read an old one's
// results.
func toolID() string {
	exe, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	fi, err := os.Stat(exe)
	if err != nil {
		return "unknown"
	}
	return exe + " " + fi.ModTime().UTC().String() + " " + byteCount(fi.Size())
}
