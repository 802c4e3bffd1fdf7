package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Limits are what a group may use; 0 is no limit.
type Limits struct {
	CPUs   float64 // of CPU time in each period, in CPUs
	Memory int64   // bytes
}

// sizes are what a limit of memory ends with: in Kubernetes, compose and systemd, and
// as the runtime writes GOMEMLIMIT.
var sizes = map[string]float64{
	"": 1, "b": 1, "B": 1, "k": 1e3, "K": 1 << 10, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1 << 20, "g": 1 << 30, "mb": 1 << 20, "gb": 1 << 30,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
}

// Size reads a limit of memory, in bytes.
func Size(s string) (bytes float64, ok bool) {
	number := strings.TrimRight(s, "TGMKBikgmb")
	n, err := strconv.ParseFloat(number, 64)
	unit := sizes[s[len(number):]]
	return n * unit, err == nil && unit > 0
}

// A Group is a control group that was made for a while. In the first version it is
// one directory in the hierarchy of each controller.
type Group struct {
	root   string
	unique []string // the directories, relative to root
	cpu    string   // the one that limits CPU time; empty without
	memory string   // and memory
}

// period is that of a quota, in µs: the system's own default.
const period = 100_000

// Make makes a group of that name with limits, below the one that this process is
// in. Root is the machine's, "/" but for tests. In the second version a group with
// processes can have none below it that is limited: then it is made beside its own, in
// the nearest one above whose controllers can be handed down.
func Make(root, name string, l Limits) (*Group, error) {
	g := &Group{root: root}
	var err error
	if l.CPUs > 0 {
		if g.cpu, err = g.make("cpu", name); err == nil {
			err = g.set(g.cpu, "cpu.max", fmt.Sprintf("%d %d", int64(l.CPUs*period), period),
				"cpu.cfs_period_us", strconv.Itoa(period), "cpu.cfs_quota_us", strconv.FormatInt(int64(l.CPUs*period), 10))
		}
	}
	if l.Memory > 0 && err == nil {
		if g.memory, err = g.make("memory", name); err == nil {
			bytes := strconv.FormatInt(l.Memory, 10)
			err = g.set(g.memory, "memory.max", bytes, "memory.limit_in_bytes", bytes)
			g.noSwap(bytes)
		}
	}
	if err != nil {
		return nil, errors.Join(err, g.Remove())
	}
	return g, nil
}

// noSwap keeps the group from writing memory to the disk instead, where that is
// counted: a limit would only make it slow.
func (g *Group) noSwap(limit string) {
	for name, value := range map[string]string{"memory.swap.max": "0", "memory.memsw.limit_in_bytes": limit} {
		if _, err := os.Stat(g.path(g.memory, name)); err == nil {
			_ = g.write(g.memory, name, value) // without it the limit still holds
		}
	}
}

// make makes the directory of a controller, which may be there already.
func (g *Group) make(controller, name string) (string, error) {
	parent, err := g.parent(controller)
	if err != nil {
		return "", err
	}
	dir := path.Join(parent, name)
	if slices.Contains(g.unique, dir) {
		return dir, nil
	}
	if err := os.Mkdir(g.path(dir, ""), 0o755); err != nil {
		return "", fmt.Errorf("making a control group: %w", err)
	}
	g.unique = append(g.unique, dir)
	return dir, nil
}

// parent returns where a group of a controller can be made.
func (g *Group) parent(controller string) (string, error) {
	root := os.DirFS(g.root)
	if dirs := groups(root, Self, controller, false); len(dirs) > 0 {
		return dirs[0], nil
	}
	for _, dir := range groups(root, Self, controller, true) {
		if !divides(root, dir) {
			continue
		}
		given := strings.Fields(Text(root, path.Join(dir, "cgroup.subtree_control")))
		if slices.Contains(given, controller) {
			return dir, nil
		}
		has := strings.Fields(Text(root, path.Join(dir, "cgroup.controllers")))
		if slices.Contains(has, controller) && g.write(dir, "cgroup.subtree_control", "+"+controller) == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("making a control group: no group here hands down the controller %s", controller)
}

// divides reports whether groups of the second version can be made in one, each with
// limits and processes. Below a group that has processes itself none can have any: the
// controller cpu can be handed down there, but what is made then is of no use. Only the
// root, which has no type, may have both.
func divides(root fs.FS, dir string) bool {
	kind := strings.TrimSpace(Text(root, path.Join(dir, "cgroup.type")))
	return kind == "" || kind == "domain" && strings.TrimSpace(Text(root, path.Join(dir, "cgroup.procs"))) == ""
}

// set writes the limit of the second version where its file is there, and else
// those of the first, in pairs of name and value.
func (g *Group) set(dir, second, value string, first ...string) error {
	if _, err := os.Stat(g.path(dir, second)); err == nil {
		return g.write(dir, second, value)
	}
	for pair := range slices.Chunk(first, 2) {
		if err := g.write(dir, pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

func (g *Group) write(dir, name, value string) error {
	if err := os.WriteFile(g.path(dir, name), []byte(value), 0o600); err != nil {
		return fmt.Errorf("limiting a control group: %w", err)
	}
	return nil
}

func (g *Group) path(dir, name string) string { return filepath.Join(g.root, dir, name) }

// Dirs returns the directories of the group. A process whose number is written to
// cgroup.procs in each of them is in the group, with all that it starts.
func (g *Group) Dirs() []string {
	var out []string
	for _, dir := range g.unique {
		out = append(out, g.path(dir, ""))
	}
	return out
}

// Throttling says how often processes of the group waited for the next period.
func (g *Group) Throttling() Throttle {
	if g.cpu == "" {
		return Throttle{}
	}
	return Throttling(os.DirFS(g.root), []string{g.cpu})
}

// Killed is how many processes of the group were killed at its limit of memory.
func (g *Group) Killed() int64 {
	for _, name := range []string{"memory.events", "memory.oom_control"} {
		for line := range strings.Lines(Text(os.DirFS(g.root), path.Join(g.memory, name))) {
			if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok && g.memory != "" {
				n, _ := strconv.ParseInt(n, 10, 64) // the kernel's own number
				return n
			}
		}
	}
	return 0
}

// Remove removes the group, which no process may be in.
func (g *Group) Remove() error {
	var all error
	for _, dir := range g.unique {
		if err := os.Remove(g.path(dir, "")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, fmt.Errorf("removing a control group: %w", err))
		}
	}
	return all
}
