package tree

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime returns when the file's inode was last changed, which nobody can
// set back, and whether that is known.
func changeTime(info fs.FileInfo) (time.Time, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(st.Ctim.Unix()), true
}
