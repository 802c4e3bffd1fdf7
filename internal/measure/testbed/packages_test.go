package testbed

import (
	"strings"
	"syscall"
	"testing"
)

func TestTopPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"": "", "WriteMessage$": "WriteMessage$", "Counter/With_triple$": "Counter", "A[/]b": "A[/]b", "(a/b)c/d": "(a/b)c",
		"A|B": "A|B", "A/x|B/y": "A|B", "A|B/y": "A|B", `A\/x/y|[|/]]`: `A\/x|[|/]]`, "(A|B)/x": "(A|B)", "(?i)a|b": "(?:(?i)a)|b",
	} {
		got, err := topPattern(pattern)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %q", pattern, got, err, want)
		}
	}
	if _, err := topPattern("a("); err == nil {
		t.Error("an open bracket is no error")
	}
}

// A full disk is not the tree's fault.
func TestBrokenByTheDisk(t *testing.T) {
	b := &BrokenTree{Name: "the base", What: "does not build", Detail: "link: " + syscall.ENOSPC.Error(), Next: "fix it"}
	if text := b.Error(); strings.Contains(text, "fix it") || !strings.Contains(text, "make room") {
		t.Error(text)
	}
}
