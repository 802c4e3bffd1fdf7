package holder_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/holder"
)

// Of two open files of one name, one has the lock, until it is closed.
func TestTryLock(t *testing.T) {
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	name := filepath.Join(t.TempDir(), "lock")
	first, second := open(name), open(name)
	free, err := holder.TryLock(first)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks here")
	}
	if !free || err != nil {
		t.Fatalf("%v, %v", free, err)
	}
	if free, err := holder.TryLock(second); free || err != nil {
		t.Errorf("both have it: %v, %v", free, err)
	}
	first.Close()
	if free, err := holder.TryLock(second); !free || err != nil {
		t.Errorf("it is not given back: %v, %v", free, err)
	}
}
