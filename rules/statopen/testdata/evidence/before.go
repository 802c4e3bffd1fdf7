// Package evidence reads a file that need not be there.
package evidence

import "os"

// Load returns the content of a file, or nothing where there is none.
func Load(path string) ([]byte, error) {
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return nil, nil
	}
	data, err := os.ReadFile(path)
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
	if _, err := os.Stat(over); err == nil {
		return os.Open(over)
	}
	return os.Open(o.Base + "/" + name)
}
