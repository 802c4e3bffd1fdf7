package diagnose

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Real programs that do one thing each show its signature first
// and name the function that causes it.
func TestPrograms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs programs for some seconds")
	}
	dir := t.TempDir()
	for _, tt := range []struct{ program, kind, sign, caller, rule string }{
		{"allocation", "cpu", allocating, "main.newPoint", "scratchfield"},
		{"collector", "cpu", collecting, "main.work", "gogc"},
		{"stack", "cpu", growing, "main.descend", "deeprecursion"},
		{"deferring", "cpu", deferring, "main.work", "deferloop"},
		{"channel", "cpu", channels, "main.", "channelcounter"},
		{"selecting", "cpu", selecting, "main.", "busyselect"},
		{"contention", "mutex", onLock, "main.hold", "lockio"},
		{"leak", "goroutine", onChannel, "main.wait", "goroutineleak"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			sample.One(t, 6)
			buildProgram(t, dir, tt.program)
			out := filepath.Join(dir, tt.program+".pprof")
			if text, err := exec.Command(filepath.Join(dir, tt.program), out).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			s, err := target.Read(context.Background(), out, 0)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Diagnose([]profile.Source{s}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			sy := d.Profiles[0]
			if sy.Kind != tt.kind || len(sy.Signs) == 0 {
				t.Fatalf("a %s profile with signs %v, below %v", sy.Kind, brief(sy.Signs), brief(sy.Below))
			}
			first := sy.Signs[0]
			if first.Name != tt.sign || len(first.Callers) == 0 || !strings.HasPrefix(first.Callers[0].Func, tt.caller) {
				t.Errorf("signs %v; want %s first, of %s", brief(sy.Signs), tt.sign, tt.caller)
			}
			if len(first.Rules) == 0 || first.Rules[0].Name != tt.rule {
				t.Errorf("rules %v; want %s first", first.Rules, tt.rule)
			}
		})
	}
}

// buildProgram builds one of the programs in testdata into a directory.
func buildProgram(t *testing.T, dir, name string) {
	t.Helper()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, name), "./"+name)
	build.Dir = filepath.Join("testdata", "programs")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}
