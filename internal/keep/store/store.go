package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Store is one module's state directory. It may be used by several goroutines
// and, the journal included, by several processes at once. It holds no open
// file and need not be closed.
type Store struct {
	dir string

	mu      sync.Mutex // serialises appends of this process, and guards the index
	refuted map[ideaKey]model.Attempt
	indexed int64 // size of the journal that refuted was read from; -1 before the first
}

// Open returns the store in dir, the state directory of a module. Nothing is written
// yet; where there is no such directory, there are no runs.
func Open(dir string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the state directory: %w", err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return &Store{dir: abs, indexed: -1}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the state directory: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("opening the state directory: %s is a file; move it away and run pawl again", abs)
	}
	for _, name := range []string{"runs", "cache"} {
		if err := notLinked(filepath.Join(abs, name)); err != nil {
			return nil, fmt.Errorf("opening the state directory: %w", err)
		}
	}
	return &Store{dir: abs, indexed: -1}, nil
}

// notLinked refuses a link where a directory of pawl's should be, if one is
// there: a repository may bring its own .pawl, and what is written through a link
// lands in files of the user's.
func notLinked(dir string) error {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory: move it away and run pawl again", dir)
	}
	return nil
}

// Dir returns the state directory, absolute.
func (s *Store) Dir() string { return s.dir }
