package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gitNames splits what follows "diff --git": two names, which blanks in them
// make ambiguous unless they are the same but for their first directory.
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

// cutFirst returns a path without its first directory.
func cutFirst(s string) string {
	_, rest, ok := strings.Cut(s, "/")
	if !ok {
		return ""
	}
	return rest
}

// target returns the path, relative to the root, of the file that f is about:
// the first of the readings of its name for which exists holds. For a new
// file it is the first reading. A name that leads out of the tree in any
// reading is refused.
func (f filePatch) target(module string, exists func(rel string) bool) (string, error) {
	name := f.name()
	if name == "" {
		return "", errors.New("a part of the patch names no file")
	}
	var readings []string
	var first error
	add := func(s string) {
		err := checkRel(s)
		if s != "" && err == nil {
			readings = append(readings, s)
		} else if first == nil {
			first = err
		}
	}
	names := []string{name}
	if prefixed(f.old, f.new) {
		names = []string{cutFirst(name), name}
	}
	for _, n := range names {
		if exists(n) {
			return n, nil // however odd its name is
		}
		if err := checkName(n, name); err != nil {
			return "", err
		}
	}
	for _, n := range names {
		n = strings.TrimPrefix(n, "./")
		add(n)
		add(path.Join(module, n))
	}
	for _, r := range readings {
		if exists(r) {
			return r, nil
		}
	}
	switch {
	case f.created && len(readings) > 0:
		return readings[0], nil
	case len(readings) == 0 && first != nil:
		return "", first
	}
	return "", fmt.Errorf("there is no file %s in the tree", shown(name))
}

// checkName refuses a name that leads out of the tree on any system, or that
// no one would give a file. n is a reading of name, for which it may stand.
func checkName(n, name string) error {
	why := ""
	slashed := strings.ReplaceAll(n, `\`, "/")
	switch {
	case len(n) > 4096:
		why = "is longer than a path can be"
	case strings.ContainsFunc(n, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(n):
		why = "has characters that cannot be printed in it"
	case strings.HasPrefix(slashed, "/"), len(n) > 1 && n[1] == ':':
		why = "is an absolute path: write it relative to the module"
	case slices.Contains(strings.Split(slashed, "/"), ".."):
		why = "leads out of its directory by “..”: write the path without it, relative to the module"
	case slashed != n:
		why = "has a backslash in it: write forward slashes"
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("%s: the name %s", shown(name), why)
}

// isFile reports whether rel is a plain file in real directories of the snapshot.
func (s *Snapshot) isFile(rel string) bool {
	if checkRel(rel) != nil || s.throughLink(rel) != "" {
		return false
	}
	info, err := s.in.Lstat(s.Path(rel))
	return err == nil && info.Mode().IsRegular()
}

// throughLink returns the first directory on the way to rel, or rel itself, that
// is a symlink; "" where there is none.
func (s *Snapshot) throughLink(rel string) string {
	for i := range len(rel) + 1 {
		if i < len(rel) && rel[i] != '/' {
			continue
		}
		if info, err := s.in.Lstat(s.Path(rel[:i])); err != nil {
			return ""
		} else if info.Mode()&fs.ModeSymlink != 0 {
			return rel[:i]
		}
	}
	return ""
}

// link returns the symlink that stands on the way to the file of f; "" where
// there is none. rel is the reading of its name that was chosen, if any.
func (r *patchReader) link(f filePatch, rel string) string {
	names := []string{rel}
	if rel == "" {
		names = []string{cutFirst(f.name()), f.name(), path.Join(r.s.Place.Rel(), cutFirst(f.name())), path.Join(r.s.Place.Rel(), f.name())}
	}
	for _, n := range names {
		if n != "" && checkRel(n) == nil {
			if link := r.s.throughLink(n); link != "" {
				return link
			}
		}
	}
	return ""
}

// allowed refuses files that no change may touch, whatever their content:
// those beyond the module, directories of tools, and files of secrets.
func (r *patchReader) allowed(rel string) error {
	if guardedDirectory(rel) {
		return fmt.Errorf("%s: it is in a directory that is never edited: leave it out", shown(rel))
	}
	if !r.s.InModules(rel) {
		home, module := r.s.moduleOf(rel), r.s.Place.Rel()
		if module == "." || strings.HasPrefix(home, module+"/") {
			return fmt.Errorf("%s: it belongs to another module, in %s: run pawl there", shown(rel), home)
		}
		return fmt.Errorf("%s: it is outside the module in %s: a change stays within the module and its workspace; run pawl in the other module's directory", shown(rel), module)
	}
	if secretFile(rel) {
		return fmt.Errorf("%s: a file of this name holds secrets, which never get into a commit or a report: leave it out", shown(rel))
	}
	return nil
}

// twin returns a file, or directory on the way to it, whose name is that of rel
// but for case; "" where there is none.
func (r *patchReader) twin(rel string) string {
	dir := "."
	for part := range strings.SplitSeq(rel, "/") {
		names, ok := r.dirs[dir]
		if !ok {
			entries, _ := r.s.in.readDir(r.s.Path(dir)) // one that is not there has no twin
			for _, e := range entries {
				names = append(names, e.Name())
			}
			r.dirs[dir] = names
		}
		for _, name := range names {
			if name != part && strings.EqualFold(name, part) && !slices.Contains(names, part) {
				return path.Join(dir, name)
			}
		}
		dir = path.Join(dir, part)
	}
	return ""
}

// guardedDirectory reports whether rel is in a directory of git or of pawl on some
// file system: names are compared without case, without the blanks and dots
// that Windows drops at the end and the characters that macOS drops anywhere,
// and with the short names of Windows.
func guardedDirectory(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return unicode.ToLower(r)
		}, part)
		part, _, _ = strings.Cut(part, ":") // a stream of a file on Windows
		switch strings.TrimRight(part, " .") {
		case ".git", "git~1", stateName, "pawl~1":
			return true
		}
	}
	return false
}

// prefixed reports whether the names have a first directory that stands for a
// side: a/ and b/, or what diff.mnemonicPrefix makes of them.
func prefixed(names ...string) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		return n != devNull && n != "" && !(len(n) > 2 && n[1] == '/' && bytes.IndexByte([]byte("abciow"), n[0]) >= 0)
	})
}
