package profile

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	large     = flag.Bool("large", false, "write large profiles, and read them next to go tool pprof")
	megabytes = flag.Int64("megabytes", 100, "how large they are, unpacked")
	packed    = flag.Bool("packed", false, "make the file as large instead")
	pairs     = flag.Int("pairs", 5, "how often each reads each, in turn")
	only      = flag.String("shape", "", "the one shape to read: stacks, few or labels")
)

// A run is what one reading of a file took.
type run struct {
	wall, cpu float64 // seconds
	megabytes float64 // resident, at most
}

// Pawl's command next to go tool pprof -top, in turn. Times are printed and
// not judged; memory is.
func TestLarge(t *testing.T) {
	if !*large {
		t.Skip("writes large profiles and runs for minutes: -large")
	}
	dir := t.TempDir()
	pawl := filepath.Join(dir, "pawl")
	if out, err := exec.Command("go", "build", "-o", pawl, "github.com/pawl-dev/pawl/cmd/pawl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		t.Skipf("no go tool pprof: %v", err)
	}
	for name, sh := range shapes {
		if *only != "" && *only != name {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name+".pprof")
			total, rows := writeProfile(t, file, sh, *megabytes<<20, *packed)
			checkTotal(t, pawl, file, total)
			var theirs, ours []run
			for range *pairs {
				theirs = append(theirs, measure(t, strings.TrimSpace(string(tool)), "-top", file))
				ours = append(ours, measure(t, pawl, "diagnose", file))
			}
			a, b := median(theirs), median(ours)
			t.Logf("%d samples. pprof -top: %.1f s of CPU, %.1f s, %.0f MB. pawl diagnose: %.1f s, %.1f s, %.0f MB. Ratios %.2f, %.2f, %.2f.",
				rows, a.cpu, a.wall, a.megabytes, b.cpu, b.wall, b.megabytes, b.cpu/a.cpu, b.wall/a.wall, b.megabytes/a.megabytes)
			if b.megabytes > a.megabytes {
				t.Errorf("pawl took %.0f MB, and pprof %.0f", b.megabytes, a.megabytes)
			}
		})
	}
}

func checkTotal(t *testing.T, pawl, file string, want int64) {
	t.Helper()
	out, err := exec.Command(pawl, "diagnose", "-json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Profiles []struct{ Total float64 } }
	if err := json.Unmarshal(out, &d); err != nil || len(d.Profiles) != 1 {
		t.Fatalf("%v: %.200s", err, out)
	}
	if got := d.Profiles[0].Total; got != float64(want) {
		t.Errorf("total %v ns; want %d", got, want)
	}
}

func measure(t *testing.T, name string, args ...string) run {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s := cmd.ProcessState
	return run{
		wall: time.Since(begin).Seconds(), cpu: (s.UserTime() + s.SystemTime()).Seconds(),
		megabytes: float64(s.SysUsage().(*syscall.Rusage).Maxrss) / 1024,
	}
}

// median is that of each figure.
func median(runs []run) run {
	of := func(f func(run) float64) float64 {
		var xs []float64
		for _, r := range runs {
			xs = append(xs, f(r))
		}
		slices.Sort(xs)
		return xs[len(xs)/2]
	}
	return run{
		of(func(r run) float64 { return r.wall }), of(func(r run) float64 { return r.cpu }), of(func(r run) float64 { return r.megabytes }),
	}
}
