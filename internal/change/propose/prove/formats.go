package prove

import (
	"strings"
	"unicode/utf8"
)

// PlainVerbs returns the verbs of a format in the order of their operands,
// '#' for one with that flag. Formats with explicit indices, * or verbs outside
// ASCII are not ok.
func PlainVerbs(format string) (verbs string, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		sharp := false
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
			sharp = sharp || format[i] == '#'
		}
		switch {
		case i == len(format) || format[i] == '*' || format[i] == '[' || format[i] >= utf8.RuneSelf:
			return "", false
		case format[i] == '%':
		case sharp:
			verbs += "#"
		default:
			verbs += string(format[i])
		}
	}
	return verbs, true
}
