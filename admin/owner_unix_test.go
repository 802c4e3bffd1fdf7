//go:build unix

package admin

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
)

type fileOf struct {
	fs.FileInfo
	uid uint32
}

func (f fileOf) Sys() any { return &syscall.Stat_t{Uid: f.uid} }

func TestOwned(t *testing.T) {
	me := uint32(os.Geteuid())
	for uid, want := range map[uint32]bool{0: true, me: true, me + 1: false} {
		if owned(fileOf{uid: uid}) != want {
			t.Errorf("a file of user %d, seen by %d: want %v", uid, me, want)
		}
	}
}
