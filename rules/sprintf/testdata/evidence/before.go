// Package evidence writes lines about users.
package evidence

import "fmt"

// Line returns a line about a user.
func Line(user string, n int) string {
	return fmt.Sprintf("user=%s count=%d", user, n)
}

// Entry returns an entry of a log.
func Entry(level string, code uint16, ok bool, id []byte, size int64) string {
	return fmt.Sprintf("%s %d%% %t %q %x %d", level, code, ok, level, id, size)
}

// Rest returns what needs fmt.
func Rest(v any) string { return fmt.Sprint(v) }
