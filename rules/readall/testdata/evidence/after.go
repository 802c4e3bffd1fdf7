// Package evidence forwards a document.
package evidence

import (
	"fmt"
	"io"
)

// Forward writes to w what r holds.
func Forward(w io.Writer, r io.Reader) error {
	_, err := io.Copy(w, r)
	if err != nil {
		return fmt.Errorf("forwarding: %w", err)
	}
	return nil
}
