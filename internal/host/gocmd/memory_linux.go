package gocmd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memory returns the bytes of memory that processes hold together: their own,
// what they share with others, once, and files that exist in memory only.
//
// To add up what is resident costs little and counts each shared page more than
// once. The exact sum walks page tables, which a benchmark would feel; so it is
// taken only where the cheap one passes the limit.
func (in *inmate) memory(pids []int) int64 {
	files := memoryFiles(pids)
	if in.setup.Whole {
		var fs unix.Statfs_t
		if unix.Statfs("/dev/shm", &fs) == nil {
			files += int64(fs.Blocks-fs.Bfree) * int64(fs.Bsize)
		}
		files += segments()
	}
	var most, exact int64
	for _, pid := range pids {
		most += resident(pid)
	}
	if most+files <= in.setup.Limits.Memory {
		return most + files
	}
	for _, pid := range pids {
		exact += proportional(pid)
	}
	return max(exact, files) // pages of such files that are mapped are in both
}

// segments returns the bytes of System V shared memory in this cell, which stays
// when nobody has it mapped.
func segments() int64 {
	data, _ := os.ReadFile("/proc/sysvipc/shm")
	var sum int64
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 15 {
			resident, _ := strconv.ParseInt(f[14], 10, 64) // none in the heading
			sum += resident
		}
	}
	return sum
}

// resident returns the bytes of a process that are in memory, the shared ones
// included.
func resident(pid int) int64 {
	data, err := os.ReadFile(procFile(pid, "statm"))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// proportional is resident with each shared page divided by how many share it.
func proportional(pid int) int64 {
	data, err := os.ReadFile(procFile(pid, "smaps_rollup"))
	if err != nil {
		return resident(pid)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
			kib, _ := strconv.ParseInt(f[1], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// memoryFiles returns the bytes of the files without a name in any directory
// that processes hold open, each once: those of memfd_create, and those that
// were deleted.
func memoryFiles(pids []int) int64 {
	type inode struct{ dev, ino uint64 }
	seen := make(map[inode]bool)
	var sum int64
	for _, pid := range pids {
		dir := procFile(pid, "fd")
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if to, err := os.Readlink(name); err != nil || !strings.HasPrefix(to, "/memfd:") {
				continue
			}
			var st unix.Stat_t
			if unix.Stat(name, &st) == nil && !seen[inode{st.Dev, st.Ino}] {
				seen[inode{st.Dev, st.Ino}] = true
				sum += st.Blocks * 512
			}
		}
	}
	return sum
}
