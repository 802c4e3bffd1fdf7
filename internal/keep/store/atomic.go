package store

import (
	"io"

	"github.com/pawl-dev/pawl/internal/host/whole"
)

// TempPrefix begins the names of files that are being written. One that stays
// was left by a kill.
const TempPrefix = ".tmp-"

// Replace writes a file whole, for the owner alone.
func Replace(path string, write func(io.Writer) error) error {
	return whole.File{Path: path, Temp: TempPrefix + "*"}.Write(write)
}
