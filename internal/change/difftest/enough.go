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
	"strconv"
	"sync/atomic"
	"time"
)

var pawlBegan, pawlLeft atomic.Int64

func pawlEnough() bool {
	ms, err := strconv.ParseInt(os.Getenv("PAWL_DRIVE_ENOUGH"), 10, 64)
	if err != nil || time.Now().UnixMilli() <= ms {
		pawlBegan.Add(1)
		return false
	}
	os.Setenv("PAWL_DRIVE_CUT", strconv.FormatInt(pawlBegan.Load(), 10)+" "+strconv.FormatInt(pawlLeft.Add(1), 10)) // for the record
	return true
}
`

// Where package testing asks.
const (
	runTestOld  = "if !ok || shouldFailFast() {"
	runTestNew  = "if !ok || shouldFailFast() || pawlEnough() {"
	runBenchOld = "b.Run(Benchmark.Name, Benchmark.F)"
	runBenchNew = "if Benchmark.Name == \"" + benchmark + "\" || !pawlEnough() {\n\t\t\t\t\tb.Run(Benchmark.Name, Benchmark.F)\n\t\t\t\t}"
)

// putEnough makes tests and benchmarks stop early. A testing package of another
// shape stays as it is: the processes then end when their time is over. given is
// the overlay file that is in use so far, or "".
func (l *layer) putEnough(goroot, given string) error {
	dir := filepath.Join(goroot, "src", "testing")
	patched := make(map[string][]byte)
	for name, edit := range map[string][2]string{"testing.go": {runTestOld, runTestNew}, "benchmark.go": {runBenchOld, runBenchNew}} {
		src, err := overlaid(given, filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading package testing: %w", err)
		}
		if bytes.Count(src, []byte(edit[0])) != 1 {
			return nil
		}
		patched[name] = bytes.Replace(src, []byte(edit[0]), []byte(edit[1]), 1)
	}
	patched["zz_pawl.go"] = []byte(enoughText)
	for name, src := range patched {
		if err := l.Put(filepath.Join(dir, name), src); err != nil {
			return err
		}
	}
	return nil
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
