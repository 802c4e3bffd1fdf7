// Package evidence has messages.
package evidence

import "unsafe"

// Text returns a message that nobody writes any more.
func Text(body []byte) string {
	return *(*string)(unsafe.Pointer(&body))
}
