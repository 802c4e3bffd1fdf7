// Package evidence writes strings as JSON does.
package evidence

// Escape appends s in quotes.
func Escape(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, c) // hot
		}
	}
	return append(dst, '"')
}
