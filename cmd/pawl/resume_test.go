package main

import (
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The flags of the run that goes on hold, unless they are given anew; the folder
// is that of the run.
func TestSettingsOf(t *testing.T) {
	v, e := optimizeVerb(), &env{stdout: io.Discard, stderr: io.Discard}
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

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		20 * time.Minute: "20m", 10 * time.Second: "10s", 3 * time.Minute: "3m", 2 * time.Hour: "2h", 90 * time.Second: "1m30s", 100 * time.Minute: "1h40m",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
