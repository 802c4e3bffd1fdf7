package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// TempPrefix begins the names of files that are being written. One that stays
// was left by a kill.
const TempPrefix = ".tmp-"

// Replace writes a file so that a reader, or the next start after a kill or a
// power cut, sees either the old content or the new content whole: the content
// goes to a file beside it, is synced, and is renamed over it. The file is the
// owner's alone, as CreateTemp makes it.
func Replace(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, TempPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreClosed(tmp.Close()), os.Remove(tmp.Name()))
		}
	}()
	if err := write(tmp); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// syncDir makes the names in dir durable: without it a power cut can forget a
// file that was itself synced. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
