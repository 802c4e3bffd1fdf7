package store

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/pawl-dev/pawl/internal/model"
)

// A Store is one module's state folder. It may be used by several goroutines
// and, the journal included, by several processes at once. It holds no open
// file and need not be closed.
type Store struct {
	dir string

	mu      sync.Mutex // serialises appends of this process, and guards the index
	refuted map[ideaKey]model.Attempt
	indexed int64 // size of the journal that refuted was read from; -1 before the first
}

// Open returns the store in dir, the state folder of a module. The folder must
// exist; nothing is written yet.
func Open(dir string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the state folder: %w", err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return nil, fmt.Errorf("opening the state folder: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("opening the state folder: %s is a file; move it away and run pawl again", abs)
	}
	return &Store{dir: abs, indexed: -1}, nil
}

// Dir returns the state folder, absolute.
func (s *Store) Dir() string { return s.dir }
