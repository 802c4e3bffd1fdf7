package testbed

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// ModuleOf lets directories of another module be named: when all patterns are
// paths below one other go.mod, pawl runs there. It returns the directory to run in
// and the patterns as they are there; the error is a *UsageError.
func ModuleOf(dir string, patterns []string) (string, []string, error) {
	here := ModuleRoot(dir)
	var other string
	for _, p := range patterns {
		if !strings.HasPrefix(p, ".") && !filepath.IsAbs(p) {
			return dir, patterns, nil // an import path: of the module we are in
		}
		path := strings.TrimSuffix(p, "...")
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		fi, err := os.Stat(path)
		if err != nil {
			return "", nil, Usagef("%s: %v", p, errors.Unwrap(err))
		}
		if !fi.IsDir() {
			return "", nil, Usagef("%s is a file; name its directory", p)
		}
		root := ModuleRoot(path)
		if other != "" && root != other {
			return "", nil, Usagef("%s and %s are in different modules; run pawl once for each", patterns[0], p)
		}
		other = root
	}
	if other == "" || other == here {
		return dir, patterns, nil
	}
	moved := make([]string, len(patterns))
	for i, p := range patterns {
		abs := p
		if !filepath.IsAbs(p) {
			abs = filepath.Join(dir, p) // cleans the dots of "..." no further
		}
		rel, err := filepath.Rel(other, abs)
		if err != nil {
			return "", nil, err
		}
		moved[i] = "./" + filepath.ToSlash(rel)
	}
	return other, moved, nil
}

// ModuleRoot returns the nearest directory at or above dir with a go.mod, or "".
func ModuleRoot(dir string) string {
	for {
		if fi, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && fi.Mode().IsRegular() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
