package gocmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// An Outbox is a directory for the files that one process is told to write. It
// lies where the process may write, and nothing else that matters does. What
// comes out of it was made by a program that nobody vouches for: names are not
// followed, and only plain files are read.
type Outbox struct {
	dir     string
	name    string // of dir in root
	root    *os.Root
	scratch *Scratch // what root is, where the Meter has no place; nil elsewhere
}

// Outbox makes a new one, the caller's to remove.
func (m *Meter) Outbox() (*Outbox, error) {
	o := new(Outbox)
	parent := ""
	if m != nil {
		parent = m.outputs()
	}
	var err error
	if parent == "" {
		if o.scratch, err = NewScratch("", "out"); err != nil {
			return nil, err
		}
		parent = o.scratch.Dir
	}
	if err = o.open(parent); err != nil {
		_ = o.Remove()
		return nil, fmt.Errorf("making a directory for the output of a process: %w", err)
	}
	return o, nil
}

func (o *Outbox) open(parent string) (err error) {
	if o.root, err = os.OpenRoot(parent); err != nil {
		return err
	}
	for n := range outboxTries {
		o.name = strconv.Itoa(n)
		if err = o.root.Mkdir(o.name, 0o700); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	o.dir = filepath.Join(parent, o.name)
	return err
}

// outboxTries is how many may be in use at a time.
const outboxTries = 1 << 16

// Path returns where the process is to write the file of this name.
func (o *Outbox) Path(name string) string { return filepath.Join(o.dir, name) }

// Open opens a file that the process has written.
func (o *Outbox) Open(name string) (*os.File, error) {
	f, err := o.root.OpenFile(filepath.Join(o.name, name), os.O_RDONLY|nonblock, 0) // a pipe is opened without waiting
	if err != nil {
		return nil, fmt.Errorf("reading what a process wrote: %w", err)
	}
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		_ = f.Close()
		return nil, fmt.Errorf("reading what a process wrote: %s is not a plain file", name)
	}
	return f, nil
}

// mostRead bounds what is read into memory.
const mostRead = 1 << 30

// Read returns what a file holds.
func (o *Outbox) Read(name string) ([]byte, error) {
	f, err := o.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostRead+1))
	if len(data) > mostRead {
		return nil, fmt.Errorf("reading what a process wrote: %s has more than %d MiB", name, mostRead>>20)
	}
	return data, err
}

// Keep copies a file to a new one, for the owner alone. What has its name is
// removed and not written into, lest it is a link.
func (o *Outbox) Keep(name, to string) error {
	from, err := o.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // with O_EXCL no link is followed
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Close())
}

// Remove removes the directory with all that is in it.
func (o *Outbox) Remove() error {
	var err error
	if o.root != nil {
		err = errors.Join(o.root.RemoveAll(o.name), o.root.Close())
	}
	if o.scratch != nil {
		err = errors.Join(err, o.scratch.Remove())
	}
	return err
}
