package gocmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockWrites returns the rights to change files that a version of landlock
// knows.
func landlockWrites(version int) uint64 {
	all := uint64(unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM)
	if version >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return all
}

// landlockFiles are the rights that a file can have, as opposed to a directory.
const landlockFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE

// landlockReads are the rights to read files. They are asked for what is opened,
// not for the way to it.
const landlockReads = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

// landlock takes from this thread, and from what it starts, the right to change
// files but for those that the setup names, and to read what it hides. It cannot
// keep a process from its own machine's network and leave it the loopback: rules
// are by port. Terminals are not among what can be written: one of them is the
// user's.
func (in *inmate) landlock() error {
	version, err := landlockVersion()
	if err != nil {
		return err
	}
	writes := landlockWrites(version)
	attr, size := unix.LandlockRulesetAttr{Handled_access_fs: writes | landlockReads}, unsafe.Sizeof(uint64(0)) // what the first version knows
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		size = unsafe.Sizeof(attr)
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("making a landlock domain: %w", errno)
	}
	defer unix.Close(int(set))
	u := in.setup
	hidden := slices.Concat(u.Hidden, u.Temps, []string{"/var/tmp", "/dev"})
	if u.Home != "" {
		hidden = append(hidden, u.Home)
	}
	if err := permitReads(int(set), u.Readable, hidden); err != nil {
		return err
	}
	full := append([]string{u.Private}, u.Writable...)
	for _, name := range devices {
		full = append(full, filepath.Join("/dev", name))
	}
	for _, name := range full {
		if err := permit(int(set), name, writes|landlockReads); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return enter(int(set))
}

// landlockVersion returns which version of landlock there is.
func landlockVersion() (int, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, fmt.Errorf("asking for landlock: %w", errno)
	}
	return int(version), nil
}

func enter(set int) error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(set), 0, 0); errno != 0 {
		return fmt.Errorf("entering a landlock domain: %w", errno)
	}
	return nil
}

// permitReads permits to read everything but what is hidden, and of that what is
// shown.
func permitReads(set int, shown, hidden []string) error {
	for _, name := range append([]string{"/"}, shown...) {
		real, err := filepath.EvalSymlinks(name)
		if err != nil || !filepath.IsAbs(real) || slices.Contains(hidden, real) {
			continue
		}
		err = permitAround(set, real, hidden)
		if err == nil && real != "/" { // what is shown can be listed, the names of what is hidden in it too
			err = permit(set, real, unix.LANDLOCK_ACCESS_FS_READ_DIR)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// permitAround permits to read all below dir but what is hidden: where something
// is, what lies beside it, level by level.
func permitAround(set int, dir string, hidden []string) error {
	if !slices.ContainsFunc(hidden, func(h string) bool { return below(dir, h) }) {
		return permit(set, dir, landlockReads)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // what cannot be read need not be permitted
	}
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		if slices.Contains(hidden, at) || e.Type()&os.ModeSymlink != 0 {
			continue
		}
		if !e.IsDir() {
			err = permit(set, at, landlockReads)
		} else {
			err = permitAround(set, at, hidden)
		}
		if err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
			return err
		}
	}
	return nil
}

func permit(set int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err == nil && st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= landlockFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("permitting %s: %w", path, errno)
	}
	return nil
}
