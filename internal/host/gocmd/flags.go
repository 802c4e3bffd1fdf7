package gocmd

import (
	"fmt"
	"strings"
)

// SplitFlags splits a GOFLAGS value the way the go command does: at blanks,
// with an entry that contains blanks in single or double quotes.
func SplitFlags(s string) ([]string, error) {
	var out []string
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return out, nil
		}
		if q := s[0]; q == '\'' || q == '"' {
			end := strings.IndexByte(s[1:], q)
			if end < 0 {
				return nil, fmt.Errorf("quote %c is not closed in %q", q, s)
			}
			out, s = append(out, s[1:1+end]), s[2+end:]
			continue
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		out, s = append(out, s[:end]), s[end:]
	}
}

// JoinFlags is the inverse of SplitFlags, for entries that do not contain
// both kinds of quotes.
func JoinFlags(flags []string) string {
	quoted := make([]string, len(flags))
	for i, f := range flags {
		switch {
		case f != "" && !strings.ContainsAny(f, " \t\n\r'\""):
			quoted[i] = f
		case strings.Contains(f, "'"):
			quoted[i] = `"` + f + `"`
		default:
			quoted[i] = "'" + f + "'"
		}
	}
	return strings.Join(quoted, " ")
}
