package whole_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/whole"
)

// A write that fails leaves what was there, and nothing beside it.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	f := whole.File{Path: filepath.Join(dir, "x"), Temp: ".tmp-*", Mode: 0o640}
	for _, cache := range []bool{false, true} {
		f.Cache = cache
		if err := f.Bytes([]byte("old")); err != nil {
			t.Fatal(err)
		}
		failed := errors.New("no more")
		err := f.Write(func(w io.Writer) error {
			_, err := w.Write([]byte("ha"))
			return errors.Join(err, failed)
		})
		if !errors.Is(err, failed) {
			t.Errorf("the error is lost: %v", err)
		}
		if got, err := os.ReadFile(f.Path); string(got) != "old" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if info, err := os.Stat(f.Path); err != nil || info.Mode() != 0o640 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if entries, err := os.ReadDir(dir); len(entries) != 1 || err != nil {
			t.Errorf("%v, %v", entries, err)
		}
	}
}
