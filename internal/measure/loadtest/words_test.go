package loadtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{" \t\n", nil},
		{"./old -addr {addr}  -config x.json", []string{"./old", "-addr", "{addr}", "-config", "x.json"}},
		{`a 'b c' "d e" ''`, []string{"a", "b c", "d e", ""}},
		{`a"b c"'d e'f`, []string{"ab cd ef"}},
		{`'$HOME "x" \n' "$HOME \"x\" \n"`, []string{`$HOME "x" \n`, `$HOME "x" \n`}},
		{`a\ b \'`, []string{"a b", "'"}},
		{`sh -c 'vegeta attack | vegeta report'`, []string{"sh", "-c", "vegeta attack | vegeta report"}},
		{`grep '|' \; a|b`, []string{"grep", "|", ";", "a|b"}},
	}
	for _, tt := range tests {
		got, err := split(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", tt.in, diff)
		}
	}
	for in, want := range map[string]string{`a 'b`: "not closed", `a "b\"`: "not closed", `a \`: "backslash", "a | b": "sh -c", "a > b": "sh -c", "a &&": "sh -c"} {
		if got, err := split(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v; want an error with %q", in, got, err, want)
		}
	}
}

// A word between single quotes comes back as it was.
func FuzzSplit(f *testing.F) {
	f.Add("a b", `c"\`)
	f.Add("'", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		got, err := split(quote(a) + " " + quote(b))
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q came back as %q, %v", a, b, got, err)
		}
		_, _ = split(a) // must not panic
	})
}

func TestNewCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server"), nil, 0o777); err != nil {
		t.Fatal(err)
	}
	c, err := newCommand("base program", "./server -addr={addr} {port}:{port} {other}", dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "server"); c.path != want {
		t.Errorf("path %q, want %q", c.path, want)
	}
	want := []string{"-addr=127.0.0.1:4711", "4711:4711", "{other}"}
	if diff := cmp.Diff(want, c.argsFor(4711)); diff != "" {
		t.Errorf("arguments: -want +got:\n%s", diff)
	}
	for text, want := range map[string]string{
		"":                   "no command",
		"./missing":          "build it first",
		"./":                 "is a directory",
		"no-such-program-x":  "not on PATH",
		"GOGC=50 ./server":   "write env GOGC=50",
		"./server | tee log": "sh -c",
	} {
		if _, err := newCommand("base program", text, dir); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "base program: ") {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
}
