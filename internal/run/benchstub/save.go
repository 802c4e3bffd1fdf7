package benchstub

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

// Save writes the benchmark and its data into the user's tree: the file named
// file, or, where that is empty, one of its own in the function's package. A
// file that is there is never written over. It returns what it wrote.
func (s *Stub) Save(file string) ([]string, error) {
	if file == "" {
		file = filepath.Join(s.dir, filepath.Base(s.File))
		if !s.free {
			return nil, testbed.Usage(file + " is there already: name another file with -o")
		}
	}
	if _, err := os.Lstat(file); err == nil {
		return nil, testbed.Usage(file + " is there already: name another file with -o")
	}
	var names []string
	for _, name := range s.names() {
		at := filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
		if have, err := os.ReadFile(at); err == nil && bytes.Equal(have, s.Data[name]) {
			continue
		}
		if err := create(at, s.Data[name]); err != nil {
			return names, err
		}
		names = append(names, at)
	}
	// The file comes last: without its data it would not run.
	if err := create(file, []byte(s.Source)); err != nil {
		return names, err
	}
	return append(names, file), nil
}

// create writes a file that is not there yet. Modes are those of an editor's
// files, as the user's umask has them.
func create(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("making a directory for the inputs: %w", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return testbed.Usage(file + " is there already and holds something else: move it, or name another file with -o")
	}
	if err != nil {
		return fmt.Errorf("writing the benchmark: %w", err)
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(fmt.Errorf("writing the benchmark: %w", err), f.Close(), os.Remove(file))
	}
	return f.Close()
}
