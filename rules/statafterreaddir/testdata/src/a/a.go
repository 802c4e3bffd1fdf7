package a

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// The seed's own shape: a Stat per candidate. Some are left out by their
// type. A link to a program is one, so there is no fix.
func commands(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "tool-") {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name())) // want `e.Type tells what to leave out before it`
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			continue
		}
		names = append(names, e.Name())
	}
	sort.Strings(names)
	return names
}

func followed(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := os.Stat(dir + "/" + e.Name()); err == nil && info.IsDir() { // want `only a symbolic link needs os.Stat`
			n++
		}
	}
	return n
}

func directories(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(dir, e.Name())) // want `e.Type and e.IsDir give its type without one`
		if err != nil {
			return nil, err
		}
		// Directories only.
		if !info.IsDir() {
			continue
		}
		names = append(names, e.Name())
	}
	return names, nil
}

func noLinks(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path) // want `a system call for each entry`
		if err != nil || info.Mode().IsRegular() {
			continue
		}
		n++
	}
	return n
}

func clause(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := os.Lstat(filepath.Join(dir, e.Name())); err == nil && info.Mode()&os.ModeSymlink != 0 { // want `a system call for each entry`
			n++
		}
	}
	return n
}

func sizes(root struct{ dir string }) (n int64) {
	entries, _ := os.ReadDir(root.dir)
	for _, e := range entries {
		path := filepath.Join(root.dir, e.Name())
		info, err := os.Lstat(path) // want `e.Info needs no path`
		if err == nil {
			n += info.Size()
		}
	}
	return n
}

func unchecked(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, _ := os.Lstat(filepath.Join(dir, e.Name())) // want `a system call for each entry`
		if info.Mode().IsRegular() {
			n++
		}
	}
	return n
}

// The error is handed on with more than the check: no fix.
func reported(dir string, failed func(error)) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(dir, e.Name())) // want `a system call for each entry`
		failed(err)
		if err == nil && info.IsDir() {
			n++
		}
	}
	return n
}

func targets(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name())) // want `e.Info needs no path, and only a symbolic link needs os.Stat`
		if err == nil {
			n += info.Size()
		}
	}
	return n
}

// What follows is left alone.

func dangling(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name())); err != nil { // a link to nowhere
			n++
		}
	}
	return n
}

func mirrored(dir, other string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(other, e.Name())) // another directory
		if err == nil && info.IsDir() {
			n++
		}
	}
	return n
}

func moved(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	dir = filepath.Dir(dir)
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(dir, e.Name()))
		if err == nil && info.IsDir() {
			n++
		}
	}
	return n
}

func changed(dir string, mend func(string) error) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if mend(path) != nil {
			continue
		}
		info, err := os.Lstat(path) // mend may have made it a directory
		if err == nil && info.IsDir() {
			n++
		}
	}
	return n
}

func waited(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		for { // until someone replaces it
			info, err := os.Lstat(filepath.Join(dir, e.Name()))
			if err != nil || info.IsDir() {
				break
			}
		}
	}
}

func once(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return false
	}
	info, err := os.Lstat(filepath.Join(dir, entries[0].Name()))
	return err == nil && info.IsDir()
}

func nested(dir string) (n int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(dir, e.Name(), "go.mod")) // a file in it
		if err == nil && info.Mode().IsRegular() {
			n++
		}
	}
	return n
}
