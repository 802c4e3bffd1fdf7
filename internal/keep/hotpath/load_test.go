package hotpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "perf", "records")
	if got, warnings, err := Load(dir); got != nil || warnings != nil || err != nil {
		t.Errorf("no directory: %v, %v, %v", got, warnings, err)
	}
	if _, err := LoadOne(dir, "write"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no record: %v", err)
	}
	r, err := parse([]byte(fullRecord), "perf/records/write.txt")
	if err != nil {
		t.Fatal(err)
	}
	file, err := Save(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
	got, warnings, err := Load(dir)
	if err != nil || len(warnings) > 0 || len(got) != 1 {
		t.Fatalf("%v, %v, %v", got, warnings, err)
	}
	if diff := cmp.Diff(r, got[0], cmpopts.IgnoreUnexported(Record{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if format(got[0]) != fullRecord {
		t.Error("comments are lost")
	}

	// Nothing else is taken for a record, and each thing is said.
	for _, name := range []string{"README.md", ".hidden.txt", "notes.text", "sp ace.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, warnings, err = Load(dir); err != nil || len(got) != 1 || len(warnings) != 2 {
		t.Errorf("%v, %v, %v", got, warnings, err)
	}
	// The mistakes of all files are named; what can be read is there.
	for name, text := range map[string]string{"a.txt": "x", "b.txt": "pawl record 1\nplce: m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, _, err = Load(dir)
	if err == nil || len(got) != 1 || !strings.Contains(err.Error(), "perf/records/a.txt:1:") || !strings.Contains(err.Error(), `perf/records/b.txt:2: there is no key "plce": the nearest is "place"`) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestSaveRefuses(t *testing.T) {
	base := t.TempDir()
	good, err := parse([]byte(fullRecord), "write.txt")
	if err != nil {
		t.Fatal(err)
	}
	bad := good
	bad.Place.Line = "x := \"\u202e\""
	if _, err := Save(filepath.Join(base, "perf", "records"), bad); err == nil {
		t.Error("a record that cannot be read again was written")
	}
	bad = good
	bad.Name = "../../write"
	if _, err := Save(filepath.Join(base, "perf", "records"), bad); err == nil {
		t.Error("a name led out of the directory")
	}
	if _, err := os.Stat(filepath.Join(base, "perf")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a directory was made for nothing")
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(base, "perf")); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := Save(filepath.Join(base, "perf", "records"), good); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("wrote through a link: %v", err)
	}
	if _, _, err := Load(filepath.Join(base, "perf", "records")); err == nil {
		t.Error("read through a link")
	}
	dir := filepath.Join(t.TempDir(), "perf", "records")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(elsewhere, "secret")
	if err := errors.Join(os.WriteFile(secret, []byte("s"), 0o600), os.Symlink(secret, filepath.Join(dir, "write.txt"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(dir, good); err == nil {
		t.Error("wrote over a link")
	}
	if _, err := LoadOne(dir, "write"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read through a link: %v", err)
	}
}

func TestSelection(t *testing.T) {
	records := []Record{{Name: "a", Pkg: "m/a", Bench: "^BenchmarkX$/small|Y"}, {Name: "b", Pkg: "m/b", Bench: "Z"}, {Name: "c", Pkg: "m/b", Bench: "Z"}}
	pkgs, bench := Selection(records)
	if diff := cmp.Diff([]string{"m/a", "m/b"}, pkgs); diff != "" || bench != "^BenchmarkX$|Y|Z" {
		t.Errorf("%s %q", diff, bench)
	}
	for rel, want := range map[string]bool{"perf/records/a.txt": true, "perf/records": true, "perf/records2/a.txt": false, "m.go": false} {
		if Owns(rel) != want {
			t.Errorf("%s: %v", rel, !want)
		}
	}
}

// The change that makes a check weaker is named.
func TestLoosened(t *testing.T) {
	base := func() []Record {
		return []Record{{Name: "a", Pkg: "m", Bench: "A", Guards: []Guard{{"g", time.Minute, "test"}}, Better: []Direction{{Metric: Allocs, Op: Equals}}}}
	}
	for name, tt := range map[string]struct {
		change func([]Record) []Record
		want   string
	}{
		"nothing": {func(r []Record) []Record { return r }, ""},
		"more": {func(r []Record) []Record {
			r[0].Guards = append(r[0].Guards, Guard{Name: "h"})
			return append(r, Record{Name: "b"})
		}, ""},
		"record":     {func([]Record) []Record { return nil }, "the record a is gone"},
		"guard":      {func(r []Record) []Record { r[0].Guards = nil; return r }, "the record a has no guard g any more"},
		"command":    {func(r []Record) []Record { r[0].Guards[0].Command = "true"; return r }, "the guard g of record a is another command"},
		"direction":  {func(r []Record) []Record { r[0].Better[0].Limit = 5; return r }, "does not ask for “allocs/op = 0” any more"},
		"benchmarks": {func(r []Record) []Record { r[0].Bench = "B"; return r }, "about other benchmarks than before: m B"},
	} {
		got := Loosened(base(), tt.change(base()))
		if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0].Seen, tt.want)) {
			t.Errorf("%s: %+v, want %q", name, got, tt.want)
		}
	}
}

func TestGuards(t *testing.T) {
	got, err := Guards([]string{"golden: go test ./...", "go vet ./...", "PATH=x:y go test", "many:\n  a\n\n    b\n"}, time.Minute)
	want := []Guard{
		{"golden", time.Minute, "go test ./..."}, {"guard2", time.Minute, "go vet ./..."},
		{"guard3", time.Minute, "PATH=x:y go test"}, {"many", time.Minute, "a\n  b"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, bad := range [][]string{{"a: x", "a: y"}, {"a: "}, {""}, {"a: \u202ex"}} {
		if got, err := Guards(bad, time.Minute); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}
