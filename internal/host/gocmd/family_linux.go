package gocmd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// familyRounds bounds how often the children of a family that keeps starting
// some are looked for.
const familyRounds = 250

// A nursery knows the processes that this package has started and not waited
// for. It is locked for reading while one of them is being started, and for
// writing while strays are looked for: what is not known then is a stray.
type nursery struct {
	mu    sync.RWMutex
	known sync.Map // of numbers
	alive atomic.Int64
	first atomic.Uint64 // when the first family began, in ticks since boot
}

// ours is one for the program, as its children are: a process has one parent,
// however many Meters there are.
var ours nursery

// born starts a process and notes it.
func (n *nursery) born(start func() (pid int, err error)) error {
	n.mu.RLock()
	defer n.mu.RUnlock()
	pid, err := start()
	if err == nil {
		n.known.Store(pid, true)
	}
	return err
}

func (n *nursery) gone(pid int) { n.known.Delete(pid) }

// A family is a process that pawl has started, and what that starts, in
// whatever process group and session. Nothing marks its members: a mark in the
// environment would tell a benchmark who runs it. But all that loses its parent
// becomes pawl's child, and what pawl has not started itself, in a group that is
// not its own, can come from a family only.
type family struct {
	group int // the number of the first process, and of its group; 0 without the system's help
}

// startFamily makes pawl the parent of what its descendants leave behind, and
// starts the first process of a family.
func startFamily(start func() (pid int, err error)) (family, error) {
	if unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != nil {
		return family{}, ours.born(start)
	}
	var f family
	ours.alive.Add(1)
	err := ours.born(func() (int, error) {
		pid, err := start()
		f.group = pid
		return pid, err
	})
	if err != nil {
		ours.alive.Add(-1)
		return family{}, err
	}
	if k, err := readKin(f.group); err == nil {
		ours.first.CompareAndSwap(0, k.start)
	}
	return f, nil
}

// end kills what is left of the family after its first process has been waited
// for. Where nothing is left, and that is the rule, it costs one small read.
// While another family lives, an orphan outside the group may be of that one;
// the last of them to end takes it along.
func (f *family) end() {
	if f.group == 0 {
		return
	}
	ours.gone(f.group)
	f.sweep(ours.alive.Add(-1) == 0)
}

// sweep kills what is left of the family; alone says that no other one lives.
func (f *family) sweep(alone bool) {
	taken := make(map[int]uint64)
	for round := range familyRounds {
		left := f.orphans(alone, taken)
		if len(left) == 0 {
			return
		}
		for _, k := range left {
			taken[k.pid] = k.start
			if k.zombie {
				_, _ = unix.Wait4(k.pid, nil, unix.WNOHANG, nil)
				continue
			}
			killTree(k)
		}
		time.Sleep(min(time.Duration(round), 10) * time.Millisecond)
	}
}

// orphans returns the children of this process that belong to the family.
func (f *family) orphans(alone bool, taken map[int]uint64) []kin {
	pids, told := children()
	if len(pids) == 0 {
		return nil
	}
	ours.mu.Lock()
	defer ours.mu.Unlock()
	self, err := readKin(os.Getpid())
	if err != nil {
		return nil
	}
	var out []kin
	for _, pid := range pids {
		k, err := readKin(pid)
		if _, known := ours.known.Load(pid); known || err != nil || k.parent != self.pid {
			continue
		}
		start, again := taken[pid]
		if again && start == k.start || k.group == f.group || alone && told && stray(k, self) {
			out = append(out, k)
		}
	}
	return out
}

// stray reports whether an unknown orphan comes from a family. What this program
// starts by other means shares its group, and so does what that leaves behind;
// what git puts into the background, and what was there before, is to live on.
func stray(k, self kin) bool {
	first := ours.first.Load()
	return k.group != self.group && first > 0 && k.start >= first && !strings.HasPrefix(k.name, "git")
}

// The first thread is the main goroutine's alone. The system gives orphans to
// it, and so they are told from what other goroutines start, such as the go
// commands of golang.org/x/tools, which have a group of their own. A program
// that starts some does so from another goroutine than main.
func init() { runtime.LockOSThread() }

// children lists the orphans that are this process's children now. Where the
// kernel does not tell the children of a thread, it lists all of them, and says
// so: there a child of an unknown group may be anybody's.
func children() (pids []int, orphans bool) {
	pid := os.Getpid()
	data, err := os.ReadFile(procFile(pid, filepath.Join("task", strconv.Itoa(pid), "children")))
	if err != nil {
		for _, k := range everyone() {
			if k.parent == pid {
				pids = append(pids, k.pid)
			}
		}
		return pids, false
	}
	for f := range strings.FieldsSeq(string(data)) {
		if n, err := strconv.Atoi(f); err == nil {
			pids = append(pids, n)
		}
	}
	return pids, true
}

// killTree kills a process and its descendants. All are stopped first, so that
// none of them starts another one meanwhile.
func killTree(top kin) {
	tree := []kin{top}
	top.signal(unix.SIGSTOP)
	for range familyRounds {
		found := descendants(everyone(), tree)
		fresh := slices.DeleteFunc(found, func(k kin) bool {
			return k.zombie || slices.ContainsFunc(tree, func(t kin) bool { return t.pid == k.pid && t.start == k.start })
		})
		if len(fresh) == 0 {
			break
		}
		for _, k := range fresh {
			k.signal(unix.SIGSTOP)
		}
		tree = append(tree, fresh...)
	}
	for _, k := range tree {
		k.signal(unix.SIGKILL)
	}
}

// A kin is a process as /proc/PID/stat has it.
type kin struct {
	pid, parent, group, session int
	name                        string
	start                       uint64 // ticks since boot
	cpu                         time.Duration
	zombie                      bool
}

// signal sends a signal to the process, and to no other that has got its number
// since.
func (k kin) signal(sig unix.Signal) {
	fd, err := unix.PidfdOpen(k.pid, 0)
	if errors.Is(err, unix.ENOSYS) {
		_ = unix.Kill(k.pid, sig)
		return
	}
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if now, err := readKin(k.pid); err == nil && now.start == k.start {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}

// descendants returns those of all that come from any of tops, without these.
func descendants(all, tops []kin) []kin {
	byParent := make(map[int][]kin)
	for _, k := range all {
		byParent[k.parent] = append(byParent[k.parent], k)
	}
	seen := make(map[int]bool)
	var out []kin
	for queue := slices.Clone(tops); len(queue) > 0; queue = queue[1:] {
		if seen[queue[0].pid] {
			continue
		}
		seen[queue[0].pid] = true
		kids := byParent[queue[0].pid]
		out, queue = append(out, kids...), append(queue, kids...)
	}
	return out
}

// everyone lists all processes that can be seen.
func everyone() []kin {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []kin
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if k, err := readKin(pid); err == nil {
				all = append(all, k)
			}
		}
	}
	return all
}

func readKin(pid int) (kin, error) {
	data, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return kin{}, err
	}
	return parseKin(pid, data)
}

// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on every
// architecture that Go runs on.
const tick = 10 * time.Millisecond

var errStat = errors.New("/proc/PID/stat is not of the form that proc(5) describes")

// parseKin reads /proc/PID/stat. The name of the program, which may hold blanks
// and parentheses, stands between the first and the last one.
func parseKin(pid int, data []byte) (kin, error) {
	from, to := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if from < 0 || to < from {
		return kin{}, errStat
	}
	f := strings.Fields(string(data[to+1:])) // f[0] is the third field, the state
	if len(f) < 20 {
		return kin{}, errStat
	}
	k := kin{pid: pid, name: string(data[from+1 : to]), zombie: f[0] == "Z" || f[0] == "X"}
	var errs [6]error
	k.parent, errs[0] = strconv.Atoi(f[1])
	k.group, errs[1] = strconv.Atoi(f[2])
	k.session, errs[2] = strconv.Atoi(f[3])
	k.start, errs[3] = strconv.ParseUint(f[19], 10, 64)
	user, err := strconv.ParseUint(f[11], 10, 48)
	errs[4] = err
	system, err := strconv.ParseUint(f[12], 10, 48)
	errs[5] = err
	if errors.Join(errs[:]...) != nil {
		return kin{}, errStat
	}
	k.cpu = time.Duration(user+system) * tick
	return k, nil
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}
