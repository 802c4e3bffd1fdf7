// Package evidence looks for characters that a name must not have.
package evidence

import "fmt"

// A Position is a place in a text.
type Position struct {
	File         string
	Line, Column int
}

// An Error says what is wrong, and where.
type Error struct {
	At   *Position
	What string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.At.File, e.At.Line, e.At.Column, e.What)
}

// Check returns an error where a name that begins at a position has a character that it must not have.
func Check(at Position, name string) *Error { // target
	for _, c := range name {
		if c == ' ' {
			at := at // a copy, so that at itself stays on the stack
			return &Error{&at, "there is a space in a name"}
		}
		if c == '\n' {
			at := at // a copy, so that at itself stays on the stack
			return &Error{&at, "a name ends with its line"}
		}
		at.Column++
	}
	return nil
}
