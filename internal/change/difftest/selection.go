package difftest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// A selection is what of a test binary is run, so that inputs are recorded.
type selection struct {
	level level
	out   []string // tests, examples and benchmarks that are left out
}

// A level is how much is run: the higher, the less.
type level int

const (
	allLong    level = iota // long tests too, and more iterations of benchmarks
	all                     // what -short leaves of the tests, and one iteration
	judging                 // of the benchmarks, those alone that judge
	tests                   // no benchmark
	benchmarks              // no test
	judgesOnly              // no test, and no other benchmark than those that judge
	lastLevel  = judgesOnly
	nothing    = lastLevel + 1 // where inputs are made up
)

// args returns the arguments that make a test binary run the selection, and
// the driver after it. The benchmarks that judge are named by their functions.
func (s selection) args(timeout time.Duration, judges []string) []string {
	run, bench, n := ".", ".", "1x"
	switch s.level {
	case allLong:
		n = "3x"
	case judging, judgesOnly:
		bench = "^(" + strings.Join(append(slices.Clone(judges), benchmark), "|") + ")$"
		if s.level == judgesOnly {
			run = "^$"
		}
	case tests:
		bench = "^" + benchmark + "$"
	case benchmarks:
		run = "^$"
	case nothing:
		run, bench = "^$", "^"+benchmark+"$"
	}
	args := []string{"-test.run=" + run, "-test.bench=" + bench, "-test.benchtime=" + n, "-test.timeout=" + max(timeout, time.Second).String()}
	if s.level != allLong {
		args = append(args, "-test.short")
	}
	if len(s.out) > 0 {
		args = append(args, "-test.skip=^("+strings.Join(s.out, "|")+")$")
	}
	return args
}

// missing says what of the tests of a package the selection leaves out since the
// process did not come to driving with it.
func (s selection) missing(pkg string) []string {
	var out []string
	switch s.level {
	case judging:
		out = append(out, fmt.Sprintf("what other benchmarks of %s than the judging one call it with: with them the process did not come to driving", pkg))
	case tests:
		out = append(out, fmt.Sprintf("what the benchmarks of %s call it with: with them the process did not come to driving", pkg))
	case benchmarks:
		out = append(out, fmt.Sprintf("what the tests of %s call it with: with them the process did not come to driving in its time", pkg))
	case judgesOnly:
		out = append(out, fmt.Sprintf("what the tests of %s and other benchmarks than the judging one call it with: with them the process did not come to driving in its time", pkg))
	}
	if len(s.out) > 0 {
		out = append(out, fmt.Sprintf("what %s of %s calls it with: with it the process did not come to driving", words.Some(s.out, mostNamed), pkg))
	}
	return out
}

// mostNamed is how many tests are named of those that were left out.
const mostNamed = 5

var (
	failedTest  = regexp.MustCompile(`(?m)^--- FAIL: ((?:Test|Example|Fuzz|Benchmark)\w+)`)
	runningTest = regexp.MustCompile(`(?m)^\t((?:Test|Example|Fuzz)\w+)[/\w]* \(`)
	stackedTest = regexp.MustCompile(`(?m)^\S*\.((?:Test|Example|Fuzz|Benchmark)\w+)(?:\.func[\d.]+)?\(`)
)

// mostFailing is how many benchmarks are left out one by one: one that fails after the tests, for what they have
// left behind, says little of the others.
const mostFailing = 3

func count(names []string, prefix string) (n int) {
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

// slow is the exit status of a process that was still recording when it should
// have been driving.
const slow = 3

// without leaves out what kept a process from driving, as its output shows,
// and runs less where it shows nothing, or where all of it is too slow: of a package
// with benchmarks that judge, which are named by their functions, the benchmarks. It reports whether there is anything
// left to try.
func (s selection) without(e ended, judges []string) (selection, bool) {
	text := bytes.Clone(e.exit.Stdout)
	for stack := range bytes.SplitSeq(e.exit.Stderr, []byte("\n\n")) {
		if !bytes.Contains(stack, []byte("testing.(*T).Parallel(")) { // one that waits for its turn
			text = append(append(text, "\n\n"...), stack...)
		}
	}
	fresh := false
	switch {
	case e.exit.Code == slow && len(judges) > 0 && !bytes.Contains(text, []byte(".Benchmark")): // it was in a test
		s.level = max(s.level, benchmarks)
	case e.exit.Code == slow && s.level < lastLevel:
		s.level++
	}
	for _, re := range []*regexp.Regexp{failedTest, runningTest, stackedTest} {
		for _, m := range re.FindAllSubmatch(text, -1) {
			if name := string(m[1]); !slices.Contains(s.out, name) && name != benchmark {
				s.out, fresh = append(slices.Clone(s.out), name), true
				if s.level == all && count(s.out, "Benchmark") == mostFailing {
					s.level = judging // the next one may not work here either
				}
			}
		}
		if fresh {
			break
		}
	}
	if !fresh {
		s.level++
	}
	if !s.judged(judges) && (s.level == judging || s.level == judgesOnly) {
		s.level++
	}
	return s, s.level <= lastLevel
}

// judged reports whether a benchmark is left that judges.
func (s selection) judged(judges []string) bool {
	return slices.ContainsFunc(judges, func(name string) bool { return !slices.Contains(s.out, name) })
}

// hurried leaves out all but the benchmarks that judge, where there is one: other tests would take the time for driving.
func (s selection) hurried(judges []string) selection {
	if s.judged(judges) {
		s.level = max(s.level, judgesOnly)
	}
	return s
}
