package find

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/rules/callers"
	"github.com/pawl-dev/pawl/rules/effects"
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

// cache keeps entries as files in a folder of the user's cache.
type cache struct{ dir string }

func (c cache) file(key string) string { return filepath.Join(c.dir, key[:2], key[2:]) }

// get returns the entry of a key. One that cannot be read counts as absent.
func (c cache) get(key string) (*entry, bool) {
	if c.dir == "" {
		return nil, false
	}
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return nil, false
	}
	e := new(entry)
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(e); err != nil {
		return nil, false
	}
	return e, true
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
	tmp, err := os.CreateTemp(filepath.Dir(name), "tmp-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(b.Bytes())
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
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
