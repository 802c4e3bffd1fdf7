// Package evidence writes lines about users.
package evidence

import "encoding/hex"
import "strconv"
import "fmt"

// Line returns a line about a user.
func Line(user string, n int) string {
	return "user=" + user + " count=" + strconv.Itoa(n)
}

// Entry returns an entry of a log.
func Entry(level string, code uint16, ok bool, id []byte, size int64) string {
	return level + " " + strconv.FormatUint(uint64(code), 10) + "% " + strconv.FormatBool(ok) + " " + strconv.Quote(level) + " " + hex.EncodeToString(id) + " " + strconv.FormatInt(size, 10)
}

// Rest returns what needs fmt.
func Rest(v any) string { return fmt.Sprint(v) }
