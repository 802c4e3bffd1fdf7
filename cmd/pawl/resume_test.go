package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The flags of the run that goes on hold, unless they are given anew; the directory
// is that of the run.
func TestSettingsOf(t *testing.T) {
	v, e := verbOf("optimize"), &env{stdout: io.Discard, stderr: io.Discard}
	earlier := []string{"-C", "elsewhere", "-bench", "A", "./...", "-budget=2m", "-retry", "-allow", "state", "-allow=api", "-json"}
	later := []string{"-resume", "2026", "-budget", "30s", "-json=false", "-allow", "unsafe"}
	given, err := v.flagsIn(e, later)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"resume": {"true"}, "budget": {"30s"}, "json": {"false"}, "allow": {"unsafe"}}
	if diff := cmp.Diff(want, given); diff != "" {
		t.Error("given:", diff)
	}
	set, err := v.settingsOf(e, earlier, given, later)
	if err != nil {
		t.Fatal(err)
	}
	if set.bench != "A" || set.budget != 30*time.Second || !set.retry || set.json || set.chdir != "" || set.allow.String() != "unsafe" {
		t.Errorf("got %+v", set)
	}
	command, err := v.goingOn(e, earlier, given)
	if diff := cmp.Diff([]string{"-C", "elsewhere", "-allow", "unsafe", "-bench", "A", "-budget", "30s", "-json=false", "-retry=true", "./..."}, command); diff != "" || err != nil {
		t.Error("the command:", diff, err)
	}
	if set, err = v.settingsOf(e, earlier, nil, []string{"-resume"}); err != nil || set.allow.String() != "state,api" || set.budget != 2*time.Minute {
		t.Errorf("taken over: %+v, %v", set, err)
	}
	if _, err := v.flagsIn(e, []string{"-nonsense"}); err == nil {
		t.Error("an unknown flag was taken")
	}
}

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "30d": 720 * time.Hour, "1.5d": 36 * time.Hour, "12h": 12 * time.Hour} {
		if got, err := parseAge(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "soon", "-1d", "-5h", "xd"} {
		if _, err := parseAge(text); err == nil {
			t.Errorf("%q was taken for an age", text)
		}
	}
	for n, want := range map[int64]string{5: "5 B", 999: "999 B", 1000: "1 kB", 123456: "123 kB", 5 << 20: "5.24 MB", 3e9: "3 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
	}
}

// The line that goes on with a run works where the user stands.
func TestElsewhere(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".", "examples/wire", "it's"} {
		at := filepath.Join(root, filepath.FromSlash(dir))
		if err := errors.Join(os.MkdirAll(filepath.Join(at, "pkg"), 0o755), os.WriteFile(filepath.Join(at, "go.mod"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ here, dir, want string }{
		{".", ".", ""}, {"pkg", ".", ""}, {".", "pkg", ""}, {".", "examples/wire", " -C examples/wire"},
		{"examples", "examples/wire/pkg", " -C wire/pkg"}, {"examples/wire", ".", " -C ../.."}, {".", "it's", ` -C 'it'\''s'`},
	} {
		if got := elsewhere(filepath.Join(root, tt.here), filepath.Join(root, tt.dir)); got != tt.want {
			t.Errorf("in %s, of %s: %q, want %q", tt.here, tt.dir, got, tt.want)
		}
	}
}
