package gocmd

import (
	"fmt"
	"os"
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

// landlock takes from this thread, and from what it starts, the right to change
// files but for those that the setup names. It cannot keep a process from its
// own machine's network and leave it the loopback: rules are by port.
func (in *inmate) landlock() error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Errorf("asking for landlock: %w", errno)
	}
	writes := landlockWrites(int(version))
	attr, size := unix.LandlockRulesetAttr{Access_fs: writes}, unsafe.Sizeof(uint64(0)) // what the first version knows
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		size = unsafe.Sizeof(attr)
	}
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("making a landlock domain: %w", errno)
	}
	defer unix.Close(int(set))
	for _, dir := range append([]string{in.setup.Private, "/dev/shm", "/dev/pts"}, in.setup.Writable...) {
		if err := permit(int(set), dir, writes); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	file := writes & (unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE)
	for _, name := range append([]string{"ptmx"}, devices...) {
		if err := permit(int(set), "/dev/"+name, file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return fmt.Errorf("entering a landlock domain: %w", errno)
	}
	return nil
}

func permit(set int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("permitting %s: %w", path, errno)
	}
	return nil
}
