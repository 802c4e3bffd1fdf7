package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/cgroup"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A quota is a pair of control groups, one for each side, so that neither uses up
// what the other has.
type quota struct {
	limits cgroup.Limits
	groups [2]*cgroup.Group

	// A shell holds the other end of a pipe and removes the groups once it is
	// closed: also where pawl was killed.
	open   *os.File
	keeper *gocmd.Running
}

// shell runs what follows. It is there wherever there are control groups.
const shell = "/bin/sh"

// keeping waits until its input ends, ends what is left in some groups, and removes
// them.
const keeping = `while read -r line; do :; done
n=0
while [ $n -lt 100 ]; do
	left=
	for dir; do
		[ -d "$dir" ] || continue
		while read -r pid; do kill -9 "$pid"; done <"$dir/cgroup.procs"
		rmdir "$dir" || left=1
	done 2>/dev/null
	[ "$left" ] || exit 0
	n=$((n + 1))
	sleep 0.1
done
exit 1`

// joining puts itself into groups, and becomes the command behind the two dashes.
const joining = `while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"`

func newQuota(ctx context.Context, l cgroup.Limits) (*quota, error) {
	q := &quota{limits: l}
	var dirs []string
	var err error
	for i, side := range []string{"base", "candidate"} {
		if q.groups[i], err = cgroup.Make("/", fmt.Sprintf("pawl-%d-%s", os.Getpid(), side), l); err != nil {
			break
		}
		dirs = append(dirs, q.groups[i].Dirs()...)
	}
	if err == nil {
		err = q.keep(ctx, dirs)
	}
	if err == nil {
		return q, nil
	}
	for _, g := range q.groups {
		if g != nil {
			err = errors.Join(err, g.Remove())
		}
	}
	return nil, err
}

// keep starts what removes the groups.
func (q *quota) keep(ctx context.Context, dirs []string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	meter := gocmd.NewMeter(time.Now()) // of no sandbox, and it measures nothing
	q.keeper, err = meter.Start(context.WithoutCancel(ctx), gocmd.Proc{
		Path: shell, Args: slices.Concat([]string{"-c", keeping, shell}, dirs), Dir: "/", CPU: gocmd.NoCPU, Stdin: r, Limit: 1 << 10,
	})
	if err != nil {
		return errors.Join(err, w.Close())
	}
	q.open = w
	return nil
}

func (q *quota) close() error {
	if q == nil {
		return nil
	}
	err := q.open.Close()
	e, werr := q.keeper.Wait()
	if err = errors.Join(err, werr); err == nil && e.Code != 0 {
		err = fmt.Errorf("the control groups %s could not be removed; rmdir does it", strings.Join(append(q.groups[0].Dirs(), q.groups[1].Dirs()...), " "))
	}
	return err
}

// in returns the command that runs in the group of a side; without a quota, the same.
func (q *quota) in(side int, command string) string {
	if q == nil {
		return command
	}
	parts := []string{shell, "-c", words.Quote(joining), shell}
	for _, dir := range q.groups[side].Dirs() {
		parts = append(parts, words.Quote(dir))
	}
	return strings.Join(append(parts, "--", command), " ")
}

// A count is what the groups have counted.
type count struct {
	throttle [2]cgroup.Throttle
	killed   [2]int64
}

func (q *quota) count() count {
	var c count
	if q == nil {
		return c
	}
	for i, g := range q.groups {
		c.throttle[i], c.killed[i] = g.Throttling(), g.Killed()
	}
	return c
}

// throttled is the share of the periods since an earlier count in which a side used
// up its quota.
func (c count) throttled(before count) (share [2]float64) {
	for i := range share {
		if periods := c.throttle[i].Periods - before.throttle[i].Periods; periods > 0 {
			share[i] = float64(c.throttle[i].Stopped-before.throttle[i].Stopped) / float64(periods)
		}
	}
	return share
}

// said is the quota for the report.
func (q *quota) said() *model.Quota {
	return &model.Quota{CPUs: q.limits.CPUs, Memory: q.limits.Memory, Groups: append(q.groups[0].Dirs(), q.groups[1].Dirs()...)}
}

// limit makes the control groups that are asked for. Where the system does not allow
// that, a warning says so, and the settings are tried without.
func (u *underload) limit(ctx context.Context) error {
	if u.opt.Limits == (cgroup.Limits{}) {
		u.unlimited()
		return nil
	}
	q, err := newQuota(ctx, u.opt.Limits)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		u.out.Warnings = append(u.out.Warnings, model.Warning{
			Seen:  "the settings are tried without the limits that were asked for: " + err.Error(),
			Cause: "no right to make control groups here, or a system without them",
			Try:   "the same command as root, in a container with these limits, or under systemd-run --scope -p CPUQuota=100% -p MemoryMax=512M",
		})
		return nil
	}
	u.quota, u.out.Quota = q, q.said()
	return nil
}

func (s *session) limits() cgroup.Limits {
	if s.quota == nil {
		return cgroup.Limits{}
	}
	return s.quota.limits
}

// unlimited warns where settings that matter under a quota are tried without one.
func (u *underload) unlimited() {
	root := os.DirFS("/")
	cpus, _, _ := cgroup.Quota(root, cgroup.Groups(root, cgroup.Self))
	if cpus > 0 || !slices.Contains(u.opt.Try, gomaxprocs) && !slices.Contains(u.opt.Try, gomemlimit) {
		return
	}
	u.out.Warnings = append(u.out.Warnings, model.Warning{
		Seen:  "the settings are tried without a quota of CPU time: the control group of pawl has none",
		Cause: "in a container with a limit, GOMAXPROCS, and what the collector costs, may come out otherwise",
		Try:   "-limit-cpus 0.5 -limit-memory 256MiB with -load: pawl makes control groups with these limits, where it may",
	})
}
