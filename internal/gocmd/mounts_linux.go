package gocmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	safe     = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	readOnly = safe | unix.MOUNT_ATTR_RDONLY
)

// devices are what programs may expect in /dev, and all there is inside.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// A graft is a tree of files, cut off before the root became read-only, that is
// put back in some place.
type graft struct {
	fd   int
	at   string
	attr uint64
	dir  bool
	rank int // of two in one place, the one with the higher rank lies on top
}

// mounts makes all files read-only, hides what is nobody's business, and puts
// what may be written on top.
//
// Everything happens in place, in a mount namespace of this process's own: no
// path changes, and what may be written is the same file as outside. What is
// below a hidden folder and must be seen is cut off first, as a detached tree,
// and put on top at the end. No process inside has the right to take any of
// that off again, and one that makes a user namespace for itself finds the
// mounts locked.
func (in *inmate) mounts() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	grafts, err := in.grafts()
	if err != nil {
		return err
	}
	if in.floor, err = unix.OpenTree(unix.AT_FDCWD, filepath.Dir(in.setup.Private), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE); err != nil {
		return fmt.Errorf("keeping the private folder: %w", err)
	}
	if err := attributes(unix.AT_FDCWD, "/", readOnly); err != nil {
		return fmt.Errorf("making all files read-only: %w", err)
	}
	for _, dir := range []string{"/run", "/var/run"} { // the sockets of all services: a way out
		if fi, err := os.Lstat(dir); err == nil && fi.IsDir() {
			if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=64k"); err != nil {
				return fmt.Errorf("hiding %s: %w", dir, err)
			}
		}
	}
	for _, g := range grafts {
		if err := g.put(); err != nil {
			return err
		}
	}
	if err := in.dev(); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	return unix.Chdir("/")
}

// grafts cuts off all that is to be seen in a place that gets hidden or
// read-only, in the order in which to put it back.
func (in *inmate) grafts() ([]graft, error) {
	u := in.setup
	var all []graft
	var errs []error
	add := func(from, at string, attr uint64, rank int) error {
		g, err := cut(from, at, attr, rank)
		if err == nil && !slices.ContainsFunc(all, func(o graft) bool { return o.at == g.at && o.rank >= g.rank }) {
			all = append(all, g)
		}
		return err
	}
	hidden := []string{"/run", "/var/run"}
	private := func(name, at string) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			errs = append(errs, add(filepath.Join(u.Private, name), real, safe, 1))
			hidden = append(hidden, real)
		}
	}
	for _, t := range u.Temps {
		private("tmp", t)
	}
	private("vartmp", "/var/tmp")
	if u.Home != "" {
		private("home", u.Home)
		for _, name := range public(u.Home) {
			_ = add(name, name, readOnly, 0) // what cannot be shown is not shown
		}
	}
	for _, name := range append(u.Readable, "/run/current-system") { // the latter holds all programs of NixOS
		if real, err := filepath.EvalSymlinks(name); err == nil && slices.ContainsFunc(hidden, func(h string) bool { return below(h, real) }) {
			_ = add(real, real, readOnly, 0)
		}
	}
	for _, dir := range u.Writable {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			err = add(real, real, safe, 2)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("a folder that is to stay writable: %w", err))
		}
	}
	slices.SortStableFunc(all, func(a, b graft) int {
		return cmp.Or(cmp.Compare(len(a.at), len(b.at)), cmp.Compare(a.rank, b.rank))
	})
	return all, errors.Join(errs...)
}

// public lists what of a home folder is not hidden: what does not begin with a
// dot. Keys, tokens, histories and settings do.
func public(home string) []string {
	entries, err := os.ReadDir(home)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && e.Type()&os.ModeSymlink == 0 {
			names = append(names, filepath.Join(home, e.Name()))
		}
	}
	return names
}

// below reports whether path lies in dir; dir itself does not.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func cut(from, at string, attr uint64, rank int) (graft, error) {
	fi, err := os.Stat(from)
	if err != nil {
		return graft{}, err
	}
	fd, err := unix.OpenTree(unix.AT_FDCWD, from, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return graft{}, fmt.Errorf("taking %s along: %w", from, err)
	}
	return graft{fd: fd, at: at, attr: attr, dir: fi.IsDir(), rank: rank}, nil
}

func (g graft) put() error {
	defer unix.Close(g.fd)
	if err := attributes(g.fd, "", g.attr); err != nil {
		return fmt.Errorf("setting the rights of %s: %w", g.at, err)
	}
	if _, err := os.Lstat(g.at); err != nil { // its place is in a folder that has just been hidden
		if err := makePlace(g.at, g.dir); err != nil {
			return fmt.Errorf("making a place for %s: %w", g.at, err)
		}
	}
	if err := unix.MoveMount(g.fd, "", unix.AT_FDCWD, g.at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("putting %s in its place: %w", g.at, err)
	}
	return nil
}

func makePlace(at string, dir bool) error {
	if dir {
		return os.MkdirAll(at, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	return os.WriteFile(at, nil, 0o600)
}

// attributes adds restrictions to a mount and to all below it. None is ever
// taken away.
func attributes(fd int, path string, set uint64) error {
	flags := uint(unix.AT_RECURSIVE)
	if path == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	return unix.MountSetattr(fd, path, flags, &unix.MountAttr{Attr_set: set})
}

// dev makes a /dev with the harmless devices only: a read-only mount does not
// keep anybody from writing to a disk that is his.
func (in *inmate) dev() error {
	nodes := make(map[string]int)
	for _, name := range devices {
		if fd, err := unix.OpenTree(unix.AT_FDCWD, "/dev/"+name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC); err == nil {
			defer unix.Close(fd)
			nodes[name] = fd
		}
	}
	fail := func(err error) error { return fmt.Errorf("making /dev: %w", err) }
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID|unix.MS_NOEXEC, "mode=755,size=64k"); err != nil {
		return fail(err)
	}
	for name, fd := range nodes {
		at := "/dev/" + name
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			return fail(err)
		}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &unix.MountAttr{
			Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC, Attr_clr: unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_RDONLY,
		}); err != nil {
			return fail(err)
		}
		if err := unix.MoveMount(fd, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fail(err)
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return fail(err)
		}
	}
	for _, dir := range []string{"/dev/shm", "/dev/pts"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fail(err)
		}
	}
	size := fmt.Sprintf("mode=1777,size=%d", in.setup.Limits.Memory/8)
	if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, size); err != nil {
		return fail(err)
	}
	// Pseudo-terminals are a convenience: some kernels refuse them.
	_ = unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
	return unix.MountSetattr(unix.AT_FDCWD, "/dev", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}
