package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Tested is a package whose test binary has been built.
type Tested struct {
	Pkg   gocmd.Package
	Path  string // of the binary
	Among []int  // the cores that it may run on; none for all

	// Brief has the race detector not wait long, at the end, for goroutines that are left:
	// for who asks of the base only.
	Brief  bool
	Only   []string       // the tests that are run; none for all
	Passed *[]Passed      // takes those that passed, also in a run that was ended; nil where nobody asks
	Stuck  *[]string      // takes those that a run was ended in; nil where nobody asks
	Failed *[]string      // takes those that failed, also in a run that was ended; nil where nobody asks
	CPU    *time.Duration // takes the CPU time in addition; nil where nobody asks
}

// Passed is a test that passed, and what it took.
type Passed struct {
	Name string
	Took time.Duration
}

// reruns is how often tests that failed are run again, all of them together: a
// test that fails only after another one would pass alone. A change that makes
// every second run fail gets through one time in eight, with a warning.
const reruns = 3

// mostUnsteady is how many failing tests can be a matter of chance.
const mostUnsteady = 3

// A Failing is a package whose tests failed.
type Failing struct {
	Pkg gocmd.Package
	// Tests are those that failed in any run; none where the process named none,
	// as after a panic in a goroutine.
	Tests []string
}

// Tests runs test binaries. The name of the check, "tests" or "race", is the
// caller's, who built them. Tests that fail by themselves, without a panic or a
// race, and pass each time they are run again are Unsteady and do not count.
// Where the check fails for what a package's tests did, they are returned too.
func (g *Guard) Tests(ctx context.Context, name string, bins []Tested) (model.Check, *Failing, error) {
	var unsteady []string
	var bad *Failing
	c, err := timed(name, func() (string, string, error) {
		for _, b := range bins {
			detail, names, err := g.test(ctx, b)
			if detail != "" {
				bad = &Failing{b.Pkg, names}
			}
			if detail != "" || err != nil {
				return detail, "", err
			}
			for _, n := range names {
				unsteady = append(unsteady, b.Pkg.ImportPath+"."+n)
			}
		}
		return "", "", nil
	})
	c.Unsteady = unsteady
	return c, bad, err
}

// test runs the tests of one package, and again where a few of them fail. It
// returns what failed, "" for nothing, and the tests that failed in any run.
func (g *Guard) test(ctx context.Context, b Tested) (detail string, names []string, err error) {
	detail, out, err := g.run(ctx, b)
	if detail == "" || err != nil {
		return detail, nil, err
	}
	names = named(out)
	if few := failing(out); len(few) == 0 || len(few) > mostUnsteady {
		return detail, names, nil
	}
	for range reruns {
		again, out, err := g.run(ctx, b)
		if again != "" || err != nil {
			return again, union(names, named(out)), err
		}
	}
	return "", names, nil
}

// mostAgain is how often the tests of a package are run without a change with which some of
// them failed: one that fails every third time is caught in 19 of 20 cases. mostAlone is how
// often those that failed are run by themselves then, which costs less: they need not have
// failed for what the others leave behind.
const (
	mostAgain = 8
	mostAlone = 100
)

// Again runs the tests of one package on a version without the change under
// which some of them failed, until one of these fails there, too. b is the test
// binary of that version, which the tree holds. It returns the name of the test,
// "" for none, and after how many runs. Where the process had named none, the
// package stands for it. There are mostAgain runs at most and, where tests are
// named, mostAlone of these tests alone; none goes on when limit is over.
func (g *Guard) Again(ctx context.Context, b Tested, tests []string, limit time.Duration) (test string, runs int, err error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	most := mostAgain
	if len(tests) > 0 {
		most += mostAlone
	}
	for runs < most {
		if runs == mostAgain {
			b.Only, b.Brief = tests, true
		}
		detail, out, err := g.run(limited, b)
		if limited.Err() != nil {
			return "", runs, ctx.Err()
		}
		if err != nil {
			return "", runs, err
		}
		runs++
		names := named(out)
		i := slices.IndexFunc(names, func(n string) bool { return slices.Contains(tests, n) })
		switch {
		case i >= 0:
			return names[i], runs, nil
		case detail != "" && len(names)+len(tests) == 0:
			return b.Pkg.ImportPath, runs, nil
		}
	}
	return "", runs, nil
}

// union returns what is in a or in b, once each.
func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// failed is the line that go test prints of a test that failed, not of a
// subtest.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+) \(`)

// passing is that of one that passed, with -test.v.
var passing = regexp.MustCompile(`(?m)^--- PASS: (\S+) \(([0-9.]+s)\)`)

// passed returns the tests that passed in the output of a test binary.
func passed(out []byte) (list []Passed) {
	for _, m := range passing.FindAllSubmatch(out, -1) {
		if took, err := time.ParseDuration(string(m[2])); err == nil {
			list = append(list, Passed{string(m[1]), took})
		}
	}
	return list
}

// course are the lines that say how far a test is, with -test.v: not those of subtests.
var course = regexp.MustCompile(`(?m)^(=== RUN|=== PAUSE|=== CONT|--- PASS:|--- FAIL:|--- SKIP:) +([^/\s]+)(?: \(.*)?$`)

// stuck returns the tests that were under way at the end of the output of a test binary: not
// those that wait for others.
func stuck(out []byte) (list []string) {
	last := make(map[string]string)
	for _, m := range course.FindAllSubmatch(out, -1) {
		last[string(m[2])] = string(m[1])
	}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		if last[name] == "=== RUN" || last[name] == "=== CONT" {
			list = append(list, name)
		}
	}
	return list
}

// args returns the flags that one binary is run with.
func (g *Guard) args(b Tested) []string {
	args := g.Flags()
	if len(b.Only) > 0 {
		args = append(args, "-test.run=^("+strings.Join(b.Only, "|")+")$")
	}
	if b.Passed != nil {
		args = append(args, "-test.v")
	}
	return args
}

// named returns the tests that failed in the output of a test binary.
func named(out []byte) []string {
	var names []string
	for _, m := range failed.FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// failing returns the tests that failed in the output of a test binary; none
// where something else went wrong besides: a panic, a race, an early end.
func failing(out []byte) []string {
	for _, worse := range []string{"DATA RACE", "panic:", "fatal error:", "signal: ", "checkptr"} {
		if bytes.Contains(out, []byte(worse)) {
			return nil
		}
	}
	return named(out)
}

// Flags returns the flags that tests are run with.
func (g *Guard) Flags() []string {
	flags := []string{"-test.timeout=" + g.Timeout.String()}
	if g.Short {
		flags = append(flags, "-test.short")
	}
	if len(g.Skip) > 0 {
		flags = append(flags, "-test.skip=^("+strings.Join(g.Skip, "|")+")$")
	}
	return flags
}

// run runs a test binary. It returns what failed, "" for nothing, and the
// output.
func (g *Guard) run(ctx context.Context, b Tested) (detail string, out []byte, err error) {
	// The process has a limit of its own beside the one of the testing
	// package: a test may ignore that.
	tctx, cancel := context.WithTimeout(ctx, g.Timeout+10*time.Second)
	defer cancel()
	kept := 1 << 20
	if b.Passed != nil { // one test with many parts may write more than that
		kept = 16 << 20
	}
	e, err := g.Go.Meter.Run(tctx, gocmd.Proc{
		Path: b.Path, Args: g.args(b), Dir: b.Pkg.Dir,
		Env: b.env(g.Go), CPU: gocmd.NoCPU, Among: b.Among, Kind: gocmd.Test, Limit: kept,
	})
	if b.Passed != nil {
		*b.Passed = passed(e.Stdout)
	}
	if b.CPU != nil {
		*b.CPU += e.CPU
	}
	if b.Stuck != nil {
		*b.Stuck = append(*b.Stuck, stuck(e.Stdout)...)
	}
	if b.Failed != nil {
		*b.Failed = named(e.Stdout)
	}
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s: the tests did not end within %s", b.Pkg.ImportPath, g.Timeout), nil, nil
	case err != nil:
		return "", nil, err
	}
	out = append(bytes.Clone(e.Stdout), e.Stderr...)
	if e.Code != 0 {
		return fmt.Sprintf("%s: %s", b.Pkg.ImportPath, whatFailed(e.Code, out)), out, nil
	}
	return "", out, nil
}

// env returns the environment that a test binary runs in. On fewer cores than
// there are it has as many processors as on all: goroutines still run in turns
// that nobody foresees.
func (b Tested) env(g *gocmd.Go) []string {
	env := g.Env()
	if b.Brief {
		env = append(env, "GORACE="+strings.TrimSpace(gocmd.Getenv(env, "GORACE")+" atexit_sleep_ms=100"))
	}
	if len(b.Among) == 0 || slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "GOMAXPROCS=") }) {
		return env
	}
	return append(env, fmt.Sprintf("GOMAXPROCS=%d", runtime.NumCPU()))
}

// whatFailed picks the lines of a test binary's output that say why it
// failed.
func whatFailed(code int, out []byte) string {
	var lines []string
	for l := range strings.Lines(failuresFirst(string(out))) {
		t := strings.TrimSpace(l)
		if strings.HasPrefix(t, "--- FAIL") || strings.HasPrefix(t, "panic:") || strings.Contains(t, "DATA RACE") || strings.Contains(t, "_test.go:") {
			lines = append(lines, strings.TrimRight(l, "\n"))
		}
	}
	if len(lines) == 0 {
		return fmt.Sprintf("exit status %d\n%s", code, words.LastLines(string(out), 12))
	}
	return strings.Join(lines[:min(len(lines), 12)], "\n")
}

// failuresFirst returns the output of a test binary with -test.v as it would be without: what a test logged comes behind the line
// that says that it failed, and what others logged is left out.
func failuresFirst(out string) string {
	if !strings.Contains(out, "=== RUN") {
		return out
	}
	var b strings.Builder
	logged, now := make(map[string]string), ""
	for l := range strings.Lines(out) {
		words := strings.Fields(l)
		switch {
		case len(words) > 2 && words[0] == "---":
			if words[1] == "FAIL:" {
				b.WriteString(l + logged[words[2]])
			}
		case len(words) == 3 && words[0] == "===":
			now = words[2]
		case strings.HasPrefix(l, "    "):
			logged[now] += l
		default:
			b.WriteString(l)
		}
	}
	return b.String()
}
