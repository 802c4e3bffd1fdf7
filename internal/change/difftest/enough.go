package difftest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// enoughText is a file of package testing. Tests and benchmarks that have not
// begun when the time for recording is over are left out, and what was recorded
// so far is driven: else a long list of tests would leave nothing.
const enoughText = `package testing

import (
	"os"
	"pawldrive"
	"strconv"
	"strings"
	"sync/atomic"
)

var pawlBegan, pawlLeft atomic.Int64

// pawlJudge reports whether one of the benchmarks that judge the change is a
// top-level one, or is below it: these are never left out.
func pawlJudge(name string) bool {
	for _, judge := range strings.Split(pawldrive.Env("PAWL_DRIVE_JUDGES"), "\n") {
		if top, _, _ := strings.Cut(judge, "/"); top == name {
			return true
		}
	}
	return false
}

// pawlFirst puts the tests first that are asked for, and says which one begins.
func pawlFirst(tests []InternalTest) []InternalTest {
	named := map[string]bool{}
	for _, name := range strings.Split(pawldrive.Env("PAWL_DRIVE_FIRST"), "\n") {
		named[name] = true
	}
	var first, then []InternalTest
	for _, test := range tests {
		run := test.F
		test.F = func(t *T) {
			pawldrive.Test(t.Name())
			run(t)
		}
		if named[test.Name] {
			first = append(first, test)
		} else {
			then = append(then, test)
		}
	}
	return append(first, then...)
}

func pawlEnough() bool {
	if !pawldrive.Enough() {
		pawlBegan.Add(1)
		return false
	}
	os.Setenv("PAWL_DRIVE_CUT", strconv.FormatInt(pawlBegan.Load(), 10)+" "+strconv.FormatInt(pawlLeft.Add(1), 10)) // for the record
	return true
}
`

// Where package testing asks.
var testingEdits = []struct{ file, was, now string }{
	{"testing.go", "if !ok || shouldFailFast() {", "if !ok || shouldFailFast() || pawlEnough() {"},
	{"testing.go", "for _, test := range tests {\n\t\t\t\t\tt.Run(", "for _, test := range pawlFirst(tests) {\n\t\t\t\t\tt.Run("},
	{"benchmark.go", "b.Run(Benchmark.Name, Benchmark.F)",
		"if Benchmark.Name == \"" + benchmark + "\" || pawlJudge(Benchmark.Name) || !pawlEnough() {\n\t\t\t\t\tb.Run(Benchmark.Name, Benchmark.F)\n\t\t\t\t}"},
	{"benchmark.go", "if sub.run1() {\n\t\tsub.run()\n\t}", "if pawldrive.Benchmark(sub.name); sub.run1() {\n\t\tsub.run()\n\t}\n\tpawldrive.Benchmark(b.name)"},
	{"benchmark.go", "import (\n", "import (\n\t\"pawldrive\"\n"},
}

// putEnough makes tests and benchmarks stop early, and benchmarks say when they
// run. Tests say so too, and those that are asked for come first. It reports false for a testing package of another shape, which stays as it
// is: the processes then end when their time is over. given is the overlay file
// that is in use so far, or "".
func (l *layer) putEnough(goroot, given string) (ok bool, err error) {
	dir := filepath.Join(goroot, "src", "testing")
	patched := map[string][]byte{"zz_pawl.go": []byte(enoughText)}
	for _, e := range testingEdits {
		src, again := patched[e.file]
		if !again {
			src, err = overlaid(given, filepath.Join(dir, e.file))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("reading package testing: %w", err)
		}
		if bytes.Count(src, []byte(e.was)) != 1 {
			return false, nil
		}
		patched[e.file] = bytes.Replace(src, []byte(e.was), []byte(e.now), 1)
	}
	for name, src := range patched {
		if err := l.Put(filepath.Join(dir, name), src); err != nil {
			return false, err
		}
	}
	return true, nil
}

// overlaid reads a file as the go command sees it with an overlay.
func overlaid(overlay, name string) ([]byte, error) {
	if overlay != "" {
		data, err := os.ReadFile(overlay)
		if err != nil {
			return nil, err
		}
		var o struct{ Replace map[string]string }
		if err := json.Unmarshal(data, &o); err != nil {
			return nil, err
		}
		if now, ok := o.Replace[name]; ok {
			name = now
		}
	}
	return os.ReadFile(name)
}
