package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// mostCrashes is how many benchmarks of one package may end the process before
// the package is given up.
const mostCrashes = 20

// mostNamed is how many benchmarks of a package are named that failed.
const mostNamed = 8

// A failure is a benchmark that is left out of what is profiled, and what it
// said.
type failure struct{ name, why string }

// mostLate is how many benchmarks of one package may be at work when its time is
// over: each costs all of that time.
const mostLate = 2

// A failedRun is a process of benchmarks that ended with another code than 0, or
// was ended.
type failedRun struct {
	pkg   string
	exit  gocmd.Exit
	limit time.Duration // after which it was ended; 0 if it ended by itself
}

func (f *failedRun) Error() string {
	if f.limit > 0 {
		at := ""
		if bad, _ := culprits(f, nil); len(bad) > 0 {
			at = ": " + bad[len(bad)-1].name + " was at work"
		}
		return fmt.Sprintf("the benchmarks of %s did not end within %s%s; choose some with -bench", f.pkg, f.limit, at)
	}
	return fmt.Sprintf("the benchmarks of %s failed (exit code %d); fix them, or choose others with -bench:\n%s", f.pkg, f.exit.Code, tail(f.exit))
}

// runOthers runs the benchmarks of a package but those that failed before. One
// that ends the process, or is at work when its time is over, is left out of a new
// one; one that fails in any other way has let the others go on. The error is for what concerns all.
func (s *Site) runOthers(ctx context.Context, b *testBinary, limit time.Duration, flags ...string) (gocmd.Exit, error) {
	late := 0
	for range mostCrashes {
		all := flags
		if len(b.failed) > 0 {
			all = append(slices.Clone(flags), "-test.skip="+b.skip())
		}
		e, err := s.run(ctx, b, limit, all...)
		var failed *failedRun
		if !errors.As(err, &failed) {
			return e, err
		}
		b.began = append(b.began, names(startLine, string(e.Stdout))...)
		if failed.limit > 0 {
			late++
		}
		bad, over := culprits(failed, b.began)
		if len(bad) == 0 || late == mostLate {
			return e, err
		}
		b.failed, b.err = append(b.failed, bad...), err
		if over {
			return e, nil
		}
		s.c.say("%s of %s ended its process: going on without it", bad[len(bad)-1].name, b.pkg.ImportPath)
	}
	return gocmd.Exit{}, fmt.Errorf("%d benchmarks of %s ended their process; choose others with -bench", mostCrashes, b.pkg.ImportPath)
}

// skip is the pattern of the benchmarks that failed.
func (b *testBinary) skip() string {
	var patterns []string
	for _, f := range b.failed {
		var parts []string
		for part := range strings.SplitSeq(f.name, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		patterns = append(patterns, strings.Join(parts, "/"))
	}
	return strings.Join(patterns, "|")
}

var (
	// What a benchmark said stands behind it, or with -test.v in front of it.
	failLine   = regexp.MustCompile(`(?: +(\S+\.go:\d+: [^\n]*)\n)?[^\n]*--- FAIL: (Benchmark\S*)(?:\n +(\S[^\n]*))?`)
	startLine  = regexp.MustCompile(`(?m)^(Benchmark\S*)$`)          // with -test.v, before it runs
	beginLine  = regexp.MustCompile(`(?m)^(Benchmark\S*)(?:\s|$)`)   // before it runs, and again with its result
	overLine   = regexp.MustCompile(`(?m)^(?:PASS|FAIL)$`)           // behind all benchmarks
	crashLine  = regexp.MustCompile(`(?m)(?:panic|fatal error): .*`) // not at the beginning where a name has no figures yet
	procSuffix = regexp.MustCompile(`-\d+$`)
	firstStack = regexp.MustCompile(`(?ms)^goroutine \d+ [^\n]*:\n(.*?)(?:^$|\z)`) // of the goroutine that panicked
	benchFrame = regexp.MustCompile(`(?m)^(?:created by )?\S+\.(Benchmark\w*)(?:[.(]| in )`)
)

func names(line *regexp.Regexp, out string) []string {
	var all []string
	for _, m := range line.FindAllStringSubmatch(out, -1) {
		all = append(all, m[1])
	}
	return all
}

// culprits returns the benchmarks that a process failed for, and whether all
// others in it came to run. A name may have the suffix -N of testing, or look as
// if it had: began are names without it.
func culprits(run *failedRun, began []string) (bad []failure, over bool) {
	e, out := run.exit, string(run.exit.Stdout)
	for _, m := range failLine.FindAllStringSubmatch(out, -1) {
		bad = append(bad, failure{bare(m[2], began), cmp.Or(m[3], m[1])})
	}
	// What fails below fails its parents, which are no less sound for it.
	bad = slices.DeleteFunc(bad, func(f failure) bool {
		return slices.ContainsFunc(bad, func(g failure) bool { return strings.HasPrefix(g.name, f.name+"/") })
	})
	begun, done := names(beginLine, out), names(resultLine, out)
	last := crashed(begun, string(e.Stderr))
	switch {
	case last != "": // whatever testing printed meanwhile: no profiles were written
	case overLine.MatchString(out):
		return bad, true
	case len(begun) == 0 || slices.Contains(done, begun[len(begun)-1]):
		return nil, false // it ended before or behind them
	default:
		last = begun[len(begun)-1]
	}
	why := crashLine.FindString(out + "\n" + string(e.Stderr))
	switch {
	case run.limit > 0:
		why = fmt.Sprintf("it had not ended when the %s for all of the package were over", run.limit)
	case why == "":
		why = fmt.Sprintf("its process ended with exit code %d", e.Code)
	}
	return append(bad, failure{bare(last, began), why}), false
}

// crashed returns the last benchmark that began of those below the function whose
// stack a panic shows, "" if it shows none of them. Testing starts the next
// benchmark while the runtime still writes the panic of the one before, and may
// give that one a result: the order of the output does not tell.
func crashed(begun []string, stderr string) string {
	stack := firstStack.FindStringSubmatch(stderr)
	if stack == nil {
		return ""
	}
	frames := names(benchFrame, stack[1])
	for _, name := range slices.Backward(begun) {
		top, _, _ := strings.Cut(name, "/")
		if len(frames) > 0 && procSuffix.ReplaceAllString(top, "") == frames[len(frames)-1] {
			return name
		}
	}
	return ""
}

func bare(name string, began []string) string {
	if slices.Contains(began, name) {
		return name
	}
	return procSuffix.ReplaceAllString(name, "")
}

func (b *testBinary) leftOut() []model.Warning {
	var ws []model.Warning
	for i, f := range b.failed {
		if i == mostNamed {
			return append(ws, model.Warning{
				Seen: fmt.Sprintf("%d more of %s failed and are left out", len(b.failed)-i, b.pkg.ImportPath),
				Try:  "go test -run '^$' -bench . " + b.pkg.ImportPath,
			})
		}
		w := model.Warning{
			Seen:  fmt.Sprintf("%s of %s failed and is left out", f.name, b.pkg.ImportPath),
			Cause: f.why,
			Try:   "go test -run '^$' -bench '" + (&testBinary{failed: []failure{f}}).skip() + "' " + b.pkg.ImportPath,
		}
		ws = append(ws, w)
	}
	return ws
}

// A packageFailure is a package where no benchmark could be profiled.
type packageFailure struct {
	pkg string
	err error
}

func (f *packageFailure) warning() model.Warning {
	cause := strings.ReplaceAll(f.err.Error(), "\n", " ")
	var failed *failedRun
	if errors.As(f.err, &failed) {
		if failed.limit == 0 {
			cause = fmt.Sprintf("they failed (exit code %d)", failed.exit.Code)
		}
		if bad, _ := culprits(failed, nil); len(bad) > 0 {
			cause = strings.TrimSuffix(bad[0].name+": "+bad[0].why, ": ")
		}
	}
	return model.Warning{Seen: "no benchmark of " + f.pkg + " is in the profiles", Cause: cause, Try: "go test -run '^$' -bench . " + f.pkg}
}
