package gorelease

import (
	"errors"
	"go/version"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	if !slices.IsSortedFunc(known, func(a, b Release) int { return version.Compare(a.Go, b.Go) }) {
		t.Error("the table is not in the order of releases")
	}
	for _, r := range known {
		if r.Go != version.Lang(r.Go) || len(r.Export) == 0 || r.Trace == "" || r.Checked == "" {
			t.Errorf("%+v is not complete", r)
		}
	}
	if _, ok := Of(runtime.Version()); !ok {
		t.Errorf("the tests run with %s, which is not in the table; HACKING.md says what to do when a release comes", runtime.Version())
	}
}

func TestOf(t *testing.T) {
	for toolchain, want := range map[string]bool{
		"go1.27.4": true, "go1.27rc1": true, "go1.27-devel_0123abcd": true, "go1.24": true,
		"go1.23.9": false, "go1.99": false, "devel": false, "": false,
	} {
		if _, got := Of(toolchain); got != want {
			t.Errorf("Of(%q) = %v, want %v", toolchain, got, want)
		}
	}
}

func TestWarn(t *testing.T) {
	for toolchain, want := range map[string]int{"go1.99.0": 1, "go1.99-devel_0123abcd": 1, Newest() + ".4": 0, Oldest(): 0, "go1.20": 0, "": 0, "private": 0} {
		got := Warn(toolchain)
		if len(got) != want {
			t.Errorf("%q: %d warnings, want %d", toolchain, len(got), want)
		}
		if len(got) == 1 && !strings.Contains(got[0].Seen, toolchain) {
			t.Errorf("the warning does not name %s: %s", toolchain, got[0].Seen)
		}
	}
}

func TestLanguage(t *testing.T) {
	installed := &debug.BuildInfo{Main: debug.Module{Version: "v0.3.1", Sum: "h1:x"}}
	checkout := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
	for _, c := range []struct {
		built, toolchain string
		info             *debug.BuildInfo
		lines            []string
		want             string // the command; "" where pawl will do
	}{
		{"go1.26.8", "go1.27.4", installed, []string{"1.26", "1.25.0", ""}, ""},
		{"go1.27.4", "go1.27.4", installed, []string{"1.27.9"}, ""}, // a patch does not change the language
		{"go1.26.8 X:nogreenteagc", "go1.27.4", installed, []string{"1.26"}, ""},
		{"devel", "go1.27.4", installed, []string{"1.27"}, ""},
		{"go1.26.8", "go1.27.4", installed, []string{"1.26", "1.27.0"}, "GOTOOLCHAIN=go1.27.4 go install github.com/pawl-dev/pawl/cmd/pawl@v0.3.1"},
		{"go1.26.8", "", installed, []string{"go1.27.2"}, "GOTOOLCHAIN=go1.27.2 go install github.com/pawl-dev/pawl/cmd/pawl@v0.3.1"},
		{"go1.26.8", "", installed, []string{"1.27"}, "GOTOOLCHAIN=go1.27.0 go install github.com/pawl-dev/pawl/cmd/pawl@v0.3.1"},
		{"go1.26.8", "go1.28.0", checkout, []string{"1.28"}, "GOTOOLCHAIN=go1.28.0 go install ./cmd/pawl, in your checkout of pawl"},
		{"go1.26.8", "go1.28.0", nil, []string{"1.28"}, "GOTOOLCHAIN=go1.28.0 go install ./cmd/pawl, in your checkout of pawl"},
	} {
		err := language(c.built, c.info, c.toolchain, c.lines)
		if tooNew := new(TooNewError); errors.As(err, &tooNew) {
			if tooNew.Fix != c.want || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s for %v: %v\nwant: %s", c.built, c.lines, err, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s for %v: %v, want %s", c.built, c.lines, err, c.want)
		}
	}
}
