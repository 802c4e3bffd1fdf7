package tree

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// gitNames splits what follows "diff --git": two names, which blanks in them
// make ambiguous unless they are the same but for their first folder.
func gitNames(s string) (old, new string) {
	if strings.HasPrefix(s, `"`) {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", ""
		}
		return plainName(q), plainName(strings.TrimPrefix(s[len(q):], " "))
	}
	if i := len(s) / 2; len(s)%2 == 1 && s[i] == ' ' {
		if cutFirst(s[:i]) == cutFirst(s[i+1:]) {
			return s[:i], s[i+1:]
		}
	}
	old, new, _ = strings.Cut(s, " ")
	return old, plainName(new)
}

// plainName takes the quotes and the time stamp from a name.
func plainName(s string) string {
	s, quoted := unquoted(s)
	if !quoted {
		s, _, _ = strings.Cut(s, "\t")
	}
	return s
}

// wholeName takes the quotes from a name that has no time stamp.
func wholeName(s string) string {
	s, _ = unquoted(s)
	return s
}

// unquoted takes the quotes of a C string from a name, if it has them.
func unquoted(s string) (string, bool) {
	if strings.HasPrefix(s, `"`) {
		if q, err := strconv.QuotedPrefix(s); err == nil {
			if name, err := strconv.Unquote(q); err == nil {
				return name, true
			}
		}
	}
	return s, false
}

// cutFirst returns a path without its first folder.
func cutFirst(s string) string {
	_, rest, ok := strings.Cut(s, "/")
	if !ok {
		return ""
	}
	return rest
}

// target returns the path, relative to the root, of the file that f is about:
// the first of the readings of its name for which exists holds. For a new
// file it is the first reading.
func (f filePatch) target(module string, exists func(rel string) bool) (string, error) {
	name := f.new
	if name == devNull || name == "" {
		name = f.old
	}
	if name == "" {
		return "", errors.New("no file name")
	}
	var readings []string
	add := func(s string) {
		if s != "" && checkRel(s) == nil {
			readings = append(readings, s)
		}
	}
	if prefixed(f.old, f.new) {
		add(cutFirst(name))
		add(path.Join(module, cutFirst(name)))
	}
	add(strings.TrimPrefix(name, "./"))
	add(path.Join(module, name))
	for _, r := range readings {
		if exists(r) {
			return r, nil
		}
	}
	if f.created && len(readings) > 0 {
		return readings[0], nil
	}
	return "", fmt.Errorf("there is no file %s", name)
}

// prefixed reports whether the names have a first folder that stands for a
// side: a/ and b/, or what diff.mnemonicPrefix makes of them.
func prefixed(names ...string) bool {
	for _, n := range names {
		if n != devNull && n != "" && !(len(n) > 2 && n[1] == '/' && bytes.IndexByte([]byte("abciow"), n[0]) >= 0) {
			return false
		}
	}
	return true
}
