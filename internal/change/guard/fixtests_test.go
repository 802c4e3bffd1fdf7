package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestOwnTests(t *testing.T) {
	base := "package p\n\nfunc TestA(t *testing.T) { check(1) }\n\nfunc check(n int) {}\n\nfunc BenchmarkA(b *testing.B) {}\n"
	replace := func(file, was, now string) model.Edit {
		at := strings.Index(base, was)
		return model.Edit{File: file, Start: at, End: at + len(was), New: now}
	}
	code := model.Edit{File: "p.go", New: "x"}
	for _, tt := range []struct {
		name string
		test model.Edit
		own  bool
	}{
		{"a new test", replace("p_test.go", "\nfunc TestA", "\nfunc TestB(t *testing.T) {}\nfunc TestA"), true},
		{"a changed test", replace("p_test.go", "check(1)", "check(2)"), true},
		{"a new file", model.Edit{File: "q_test.go", New: "package p\nfunc BenchmarkB(b *testing.B) {}\n"}, true},
		{"a changed helper", replace("p_test.go", "check(n int) {}", "check(n int) { return }"), false},
		{"a changed benchmark", replace("p_test.go", "BenchmarkA(b *testing.B) {}", "BenchmarkA(b *testing.B) { return }"), false},
		{"a benchmark that is gone", replace("p_test.go", "func BenchmarkA(b *testing.B) {}\n", ""), false},
		{"no syntax", replace("p_test.go", "func TestA", "func func"), false},
	} {
		read := func(file string) []byte {
			if file == "p_test.go" {
				return []byte(base)
			}
			return nil
		}
		left, tests := OwnTests([]model.Edit{code, tt.test}, read)
		if got := len(tests) == 1 && len(left) == 1; got != tt.own {
			t.Errorf("%s: %v", tt.name, got)
		}
		if left, tests := OwnTests([]model.Edit{tt.test}, read); len(left) != 1 || len(tests) != 0 {
			t.Errorf("%s alone is taken for a fix's", tt.name)
		}
	}
}

func TestNeedNetwork(t *testing.T) {
	const net = "example.com/m: --- FAIL: TestGet (0.01s)\n    m_test.go:9: Get \"http://example.com\": dial tcp: lookup example.com: no such host\n"
	const other = "--- FAIL: TestSum (0.00s)\n    m_test.go:19: 3\n"
	for detail, want := range map[string][]string{net: {"TestGet"}, other: nil, net + other: nil, "": nil} {
		if got := NeedNetwork(detail); !slices.Equal(got, want) {
			t.Errorf("%q: %q", detail, got)
		}
	}
}
