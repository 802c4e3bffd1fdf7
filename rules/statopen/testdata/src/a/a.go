package a

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

type overlay struct{ top, base string }

// The seed's own shape: each read asks about the upper layer first.
func (o *overlay) Open(name string) (*os.File, error) {
	over := filepath.Join(o.top, name)
	if _, err := os.Stat(over); err == nil { // want `os.Stat only to see whether os.Open of the same path would find it`
		return os.Open(over)
	}
	return os.Open(filepath.Join(o.base, name))
}

func (o *overlay) read(name string) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(o.top, name)); err == nil { // want `whether os.ReadFile of the same path`
		return os.ReadFile(filepath.Join(o.top, name))
	}
	return nil, fs.ErrNotExist
}

func optional(path string) ([]byte, error) {
	if _, err := os.Stat(path); os.IsNotExist(err) { // want `os.Stat only to see`
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return data, nil
}

func optionalIs(path string) ([]byte, error) {
	_, err := os.Stat(path) // want `os.Stat only to see`
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("no " + path)
	}
	data, readErr := os.ReadFile(path)
	if readErr != nil {
		return nil, readErr
	}
	return data, nil
}

func same(path string) (*os.File, error) {
	if _, err := os.Stat(path); err != nil { // want `os.Stat only to see`
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func nested(path string, use func([]byte)) {
	if _, err := os.Stat(path); err == nil { // want `os.Stat only to see`
		if data, err := os.ReadFile(path); err == nil {
			use(data)
		}
	}
}

// A file that may not be read fails, one that is missing does not: no fix.
func differs(path string) ([]byte, error) {
	if _, err := os.Stat(path); err == nil { // want `os.Stat only to see`
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return data, nil
	}
	return nil, nil
}

// The two lead to different errors: no fix.
func messages(path string) ([]byte, error) {
	if _, err := os.Stat(path); err != nil { // want `os.Stat only to see`
		return nil, errors.New("set up first")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// The named results are returned as they stand: no fix.
func naked(path string) (data []byte, err error) {
	if _, e := os.Stat(path); os.IsNotExist(e) { // want `os.Stat only to see`
		return
	}
	data, err = os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return data, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func settings(name string) ([]byte, error) {
	if !exists(name) { // want `exists only to see whether os.ReadFile of the same path would find it`
		return nil, nil
	}
	return os.ReadFile(name)
}

func (o *overlay) Stat(name string) (os.FileInfo, error) {
	over := filepath.Join(o.top, name)
	if _, err := os.Stat(over); err == nil { // want `os.Stat only to see whether os.Stat of the same path`
		return os.Stat(over)
	}
	return os.Stat(filepath.Join(o.base, name))
}

// What follows is left alone.

func size(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 1<<20 { // the FileInfo is used
		return nil, err
	}
	return os.ReadFile(path)
}

func directory(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return os.Open(path)
	}
	return nil, fs.ErrNotExist
}

func made(path string) ([]byte, error) {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		if err := os.WriteFile(path, nil, 0o600); err != nil { // it is made first
			return nil, err
		}
	}
	return os.ReadFile(path)
}

func other(path string) ([]byte, error) {
	if _, err := os.Stat(path + ".lock"); err == nil {
		return os.ReadFile(path)
	}
	return nil, fs.ErrNotExist
}

func moved(path string) ([]byte, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	path = filepath.Join(path, "index")
	return os.ReadFile(path)
}

func between(path string, lock func()) ([]byte, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	lock()
	return os.ReadFile(path)
}

func absent(path string) (*os.File, error) {
	if _, err := os.Stat(path); err == nil {
		return nil, fs.ErrExist
	}
	return os.Create(path)
}

func link(path string) ([]byte, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func guarded(name string) error {
	if exists(name) {
		return errors.New("is there already")
	}
	return os.WriteFile(name, nil, 0o600)
}
