//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package gocmd

import (
	"os"
	"path/filepath"
	"strconv"
)

// holdScratch has nothing to do: the name of the directory holds it.
func holdScratch(string) (*os.File, bool) { return nil, true }

// abandoned reports whether dir is a directory that a process which is gone has
// made. A number that was given again keeps it until that process ends too.
func abandoned(dir string) (release func(), ok bool) {
	m := scratchName.FindStringSubmatch(filepath.Base(dir))
	if fi, err := os.Lstat(dir); m == nil || err != nil || !fi.IsDir() {
		return nil, false
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil || alive(pid) {
		return nil, false
	}
	return func() {}, true
}

// alive reports whether there may be a process of that number. Only Windows
// says that there is none; elsewhere the directories stay.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
