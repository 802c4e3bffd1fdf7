package hotpath

import (
	"strings"
	"testing"
)

// A guardrail of go test that runs no test holds nothing.
func TestRanNothing(t *testing.T) {
	const none = "testing: warning: no tests to run\nPASS\nok  \tm/a\t0.003s [no tests to run]\n"
	for _, tt := range []struct {
		command, out, want string
	}{
		{"go test -run Nix .", none, "none has a name"},
		{"go vet . && go test -run 'A|B' ./...", "?   \tm/b\t[no test files]\n" + none, "none has a name"},
		{"go test ./...", none + "ok  \tm/b\t0.1s\n", ""},
		{"go test ./...", none + "=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\nok  \tm/b\t0.1s\n", ""},
		{"go test .", "=== RUN   TestX\n    x_test.go:3: no server\n--- SKIP: TestX (0.00s)\nPASS\nok  \tm\t0.1s\n", "skipped"},
		{"go test .", "--- SKIP: TestX (0.00s)\n--- PASS: TestY (0.00s)\nPASS\nok  \tm\t0.1s\n", ""},
		{"go test -run '^$' -bench . .", "BenchmarkX-2   \t 100\t 12 ns/op\nPASS\nok  \tm\t0.1s\n", ""},
		{"go test -run X . >/dev/null", "", ""},
		{"go test -run X . | grep -q ok", "", ""},
		{"sh golden.sh", none, ""},
		{"echo 'go test'", none, ""},
	} {
		if got := ranNothing(tt.command, []byte(tt.out)); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.command, got, tt.want)
		}
	}
}

// -v is for a go test that nobody else reads.
func TestVerbosely(t *testing.T) {
	env := []string{"A=1", "GOFLAGS=-mod=mod"}
	for command, want := range map[string]string{
		"go test -run '^A$|^B$' ./...":     "GOFLAGS=-mod=mod -v",
		"CGO_ENABLED=0 go test .":          "GOFLAGS=-mod=mod -v",
		"go test . | grep ok":              "GOFLAGS=-mod=mod",
		"go test . && diff a b":            "GOFLAGS=-mod=mod",
		"go run ./cmd/render | diff - out": "GOFLAGS=-mod=mod",
		"GOFLAGS= go test .":               "GOFLAGS=-mod=mod -v",
	} {
		if got := verbosely(command, env); got[len(got)-1] != want {
			t.Errorf("%s: %q", command, got)
		}
	}
}
