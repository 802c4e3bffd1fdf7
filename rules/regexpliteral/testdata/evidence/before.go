// Package evidence sorts resources by their names.
package evidence

import "regexp"

var (
	account = regexp.MustCompile(`^acct:`)
	data    = regexp.MustCompile(`\.json$`)
	failure = regexp.MustCompile(`error`)
	root    = regexp.MustCompile(`^/$`)
	tag     = regexp.MustCompile(`#\w+`)
)

// Account reports whether a name is that of an account.
func Account(name string) bool { return account.MatchString(name) }

// Data reports whether a file holds data.
func Data(file []byte) bool { return data.Match(file) }

// Failed reports whether a line speaks of an error.
func Failed(line string) bool { return failure.MatchString(line) }

// Below reports whether a path is not the root.
func Below(path string) bool { return !root.MatchString(path) }

// Tag returns the first tag in a line.
func Tag(line string) string { return tag.FindString(line) }
