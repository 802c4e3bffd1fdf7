package stand

import "testing"

func TestTopPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"": "", "WriteMessage$": "WriteMessage$", "Counter/With_triple$": "Counter", "A[/]b": "A[/]b", "(a/b)c/d": "(a/b)c",
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
