package gocmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/sorted"
)

const (
	safe     = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	readOnly = safe | unix.MOUNT_ATTR_RDONLY
)

// devices are what programs may expect in /dev, and all there is inside.
var devices = []string{"null", "zero", "full", "random", "urandom"}

// A graft is a tree of files, cut off before the root became read-only, that is
// put back in some place.
type graft struct {
	fd   int
	at   string
	attr uint64
	dir  bool
	rank int  // of two in one place, the one with the higher rank lies on top
	seal bool // read-only once all is in place: it stands for what is hidden
}

// mounts makes all files read-only, hides what is nobody's business, and puts
// what may be written on top.
//
// Everything happens in place, in a mount namespace of this process's own: no
// path changes, and what may be written is the same file as outside. What is
// below a hidden directory and must be seen is cut off first, as a detached
// tree, and put on top at the end. No process inside has the right to take any
// of that off again, and what is a mount point can be neither renamed nor
// replaced.
func (in *inmate) mounts() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	grafts, err := in.grafts()
	defer func() {
		for _, g := range grafts {
			_ = unix.Close(g.fd)
		}
	}()
	if err != nil {
		return err
	}
	if in.floor, err = unix.OpenTree(unix.AT_FDCWD, filepath.Dir(in.setup.Private), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE); err != nil {
		return fmt.Errorf("keeping the private directory: %w", err)
	}
	if err := attributes(unix.AT_FDCWD, "/", readOnly); err != nil {
		return fmt.Errorf("making all files read-only: %w", err)
	}
	for _, g := range grafts {
		if err := g.put(); err != nil {
			return err
		}
	}
	for _, g := range grafts {
		if !g.seal {
			continue
		}
		if err := unix.MountSetattr(g.fd, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: readOnly}); err != nil {
			return fmt.Errorf("hiding %s: %w", g.at, err)
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

// A grafting collects what mounts puts in place.
type grafting struct {
	private string
	all     []graft
	hidden  []string
	errs    []error
}

// grafts cuts off all that is to be seen in a place that gets hidden or
// read-only, in the order in which to put it back.
func (in *inmate) grafts() ([]graft, error) {
	u := in.setup
	g := &grafting{private: u.Private}
	for _, t := range u.Temps {
		g.instead("tmp", t)
	}
	g.instead("vartmp", "/var/tmp")
	if u.Home != "" {
		g.instead("home", u.Home)
	}
	for _, name := range u.Hidden {
		g.hide(name, u.Readable)
	}
	for _, name := range u.Readable {
		if real, err := filepath.EvalSymlinks(name); err == nil && slices.ContainsFunc(g.hidden, func(h string) bool { return below(h, real) }) {
			_ = g.add(graft{at: real, attr: readOnly}, real) // what cannot be shown is not shown
		}
	}
	for _, dir := range u.Writable {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			err = g.add(graft{at: real, attr: safe, rank: 2}, real)
		}
		if err != nil {
			g.errs = append(g.errs, fmt.Errorf("a directory that is to stay writable: %w", err))
		}
	}
	sorted.By(g.all, func(a, b graft) int {
		return cmp.Or(cmp.Compare(len(a.at), len(b.at)), cmp.Compare(a.rank, b.rank))
	})
	return g.all, errors.Join(g.errs...)
}

// add puts the tree from in the place of one, unless something is there already.
func (g *grafting) add(one graft, from string) error {
	if slices.ContainsFunc(g.all, func(o graft) bool { return o.at == one.at && o.rank >= one.rank }) {
		return nil
	}
	fi, err := os.Stat(from)
	if err != nil {
		return err
	}
	one.dir = fi.IsDir()
	if one.fd, err = unix.OpenTree(unix.AT_FDCWD, from, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE); err != nil {
		return fmt.Errorf("taking %s along: %w", from, err)
	}
	g.all = append(g.all, one)
	return nil
}

// instead puts a private directory in the place of one that is there.
func (g *grafting) instead(name, at string) {
	if real, err := filepath.EvalSymlinks(at); err == nil {
		g.errs = append(g.errs, g.add(graft{at: real, attr: safe, rank: 1}, filepath.Join(g.private, name)))
		g.hidden = append(g.hidden, real)
	}
}

// hide puts nothing in the place of a file or directory that is there. What
// lies in a hidden one has no need of it, unless something shows it again.
func (g *grafting) hide(at string, readable []string) {
	real, err := filepath.EvalSymlinks(at)
	around := func(dir string) bool { return dir == real || below(dir, real) }
	if err != nil || real == "/" || slices.ContainsFunc(g.hidden, around) && !slices.ContainsFunc(readable, around) {
		return
	}
	fi, err := os.Stat(real)
	if err != nil {
		return
	}
	nothing := filepath.Join(g.private, "nothing"+strconv.Itoa(len(g.hidden)))
	err = makePlace(nothing, fi.IsDir())
	if err == nil {
		err = g.add(graft{at: real, attr: safe, rank: 1, seal: true}, nothing)
	}
	if err != nil {
		g.errs = append(g.errs, fmt.Errorf("hiding %s: %w", real, err))
	}
	g.hidden = append(g.hidden, real)
}

// below reports whether path lies in dir; dir itself does not.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func (g graft) put() error {
	if err := attributes(g.fd, "", g.attr); err != nil {
		return fmt.Errorf("setting the rights of %s: %w", g.at, err)
	}
	if _, err := os.Lstat(g.at); err != nil { // its place is in a directory that has just been hidden
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
