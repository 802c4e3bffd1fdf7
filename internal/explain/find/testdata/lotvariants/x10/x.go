package x

import (
	"fmt"
	"io"
)

// V3 in a closure, missed
func printer(w io.Writer) func(k string, n int) {
	return func(k string, n int) {
		io.WriteString(w, fmt.Sprintf("%s has %d\n", k, n))
	}
}
