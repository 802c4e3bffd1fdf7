// Package evidence reads a file that need not be there.
package evidence

import "os"

// Load returns the content of a file, or nothing where there is none.
func Load(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// An Overlay is a directory in front of another.
type Overlay struct{ Top, Base string }

// Open opens a file of the upper directory, or else of the lower.
func (o Overlay) Open(name string) (*os.File, error) {
	over := o.Top + "/" + name
	if file, err := os.Open(over); err == nil {
		return file, nil
	} else if !os.IsNotExist(err) {
		if _, missing := os.Stat(over); missing == nil {
			return file, err
		}
	}
	return os.Open(o.Base + "/" + name)
}
