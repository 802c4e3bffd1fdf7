// Package evidence sorts resources by their names.
package evidence

import "bytes"
import "strings"
import "regexp"

var (
	tag = regexp.MustCompile(`#\w+`)
)

// Account reports whether a name is that of an account.
func Account(name string) bool { return strings.HasPrefix(name, "acct:") }

// Data reports whether a file holds data.
func Data(file []byte) bool { return bytes.HasSuffix(file, []byte(".json")) }

// Failed reports whether a line speaks of an error.
func Failed(line string) bool { return strings.Contains(line, "error") }

// Below reports whether a path is not the root.
func Below(path string) bool { return path != "/" }

// Tag returns the first tag in a line.
func Tag(line string) string { return tag.FindString(line) }
