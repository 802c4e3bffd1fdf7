// Package whole writes files whole: a reader, and the next start after a kill, sees
// the old content or the new. The content goes to a file beside it, which is renamed over it.
package whole

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// A File says where content goes, and how.
type File struct {
	Path string
	// Temp is the name of the file while it is written, a pattern as os.CreateTemp takes
	// it. One that stays was left by a kill.
	Temp string
	// Mode is that of the file; the owner's alone without it.
	Mode fs.FileMode
	// Cache is for what can be made again: a power cut may take it.
	Cache bool
}

// Write has the content written by write, and puts it in place if that has no error.
// Without Cache the content and the name are on the disk when it returns.
func (f File) Write(write func(io.Writer) error) (err error) {
	dir := filepath.Dir(f.Path)
	tmp, err := os.CreateTemp(dir, f.Temp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	if err := write(tmp); err != nil {
		return err
	}
	if f.Mode != 0 {
		if err := tmp.Chmod(f.Mode); err != nil {
			return err
		}
	}
	if !f.Cache {
		if err := tmp.Sync(); err != nil {
			return err
		}
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), f.Path); err != nil {
		return err
	}
	if f.Cache {
		return nil
	}
	return SyncDir(dir)
}

// Bytes writes content that is there already.
func (f File) Bytes(data []byte) error {
	return f.Write(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// SyncDir makes the names in dir durable: without it a power cut can forget a
// file that was itself synced. Windows has no such call, nor have some file systems.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
