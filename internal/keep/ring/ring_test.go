package ring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/keep/store"
)

// bytesOf is content that does not repeat.
func bytesOf(seed, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	return bytes.Map(func(rune) rune { return rune('a' + r.IntN(26)) }, make([]byte, n))
}

func capture(i int) Capture {
	at := time.Unix(int64(i)*60, 0).UTC()
	return Capture{From: at, Until: at.Add(time.Second), Run: 1, Profiles: []Profile{{Kind: "heap"}, {Kind: "profile", Seconds: 1}}}
}

func open(t *testing.T, dir string, most int64) *Ring {
	t.Helper()
	r, err := Open(dir, most)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func onDisk(t *testing.T, dir string) (sum int64, names []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() != lockName {
			sum += info.Size()
			names = append(names, f.Name())
		}
	}
	return sum, names
}

// However much comes, no more is on the disk than was allowed, and the newest is there.
func TestBounded(t *testing.T) {
	dir, most := t.TempDir(), int64(40_000)
	r := open(t, dir, most)
	for i := range 100 {
		content := map[string][]byte{"heap": bytesOf(i/2, 3000), "profile": bytesOf(i+1000, 500+i*20)}
		if err := r.Add(capture(i), content); err != nil {
			t.Fatal(err)
		}
		if sum, _ := onDisk(t, dir); sum > most || sum != r.total {
			t.Fatalf("after %d: %d bytes on disk, %d by the ring; %d allowed", i, sum, r.total, most)
		}
	}
	if err := r.Add(capture(100), map[string][]byte{"heap": make([]byte, 50_000)}); err == nil || !strings.Contains(err.Error(), "-size") {
		t.Errorf("a capture larger than the ring: %v", err)
	}
	all, err := Read(dir)
	if err != nil || len(all) < 5 || all[len(all)-1].Seq != 100 || all[0].Seq != 101-int64(len(all)) {
		t.Fatalf("%v, %v", all, err)
	}
	for _, c := range all {
		for _, p := range c.Profiles {
			if data, err := Content(dir, p); err != nil || int64(len(data)) != p.Bytes {
				t.Errorf("%d %s: %d bytes, %v", c.Seq, p.Kind, len(data), err)
			}
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, most/2) // less is allowed now
	defer again.Close()
	if sum, _ := onDisk(t, dir); sum > most/2 || sum != again.total {
		t.Errorf("%d bytes", sum)
	}
}

// Whatever a kill leaves, what is whole is read, the rest goes, and files of others stay.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, 1<<20)
	for i := range 3 {
		if err := r.Add(capture(i), map[string][]byte{"heap": bytesOf(i, 100), "profile": bytesOf(i+10, 100)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(dir, 1<<20); !errors.As(err, new(*store.BusyError)) {
		t.Errorf("a second writer: %v", err)
	}
	first, second := r.Captures()[0], r.Captures()[1]
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(store.TempPrefix+"123", "half")
	put(strings.Repeat("ab", 32)+profileEnd, "no capture names it")
	put(fileOf(7), `{"seq":7,"prof`)
	put("notes.txt", "mine")
	put(first.Profiles[0].Sum+profileEnd, "damaged")
	if err := os.Remove(filepath.Join(dir, second.Profiles[0].Sum+profileEnd)); err != nil {
		t.Fatal(err)
	}
	r = open(t, dir, 1<<20)
	defer r.Close()
	_, names := onDisk(t, dir)
	if got := fmt.Sprint(names); len(r.Captures()) != 3 || len(names) != 3+5+1 || !strings.Contains(got, "notes.txt") {
		t.Errorf("%d captures, files %v", len(r.Captures()), got)
	}
	if _, err := Content(dir, first.Profiles[0]); !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
	if _, err := Content(dir, second.Profiles[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	if err := r.Add(capture(9), map[string][]byte{"heap": bytesOf(1, 100), "profile": bytesOf(2, 100)}); err != nil || r.Captures()[3].Seq != 4 {
		t.Errorf("%v, %v", r.Captures(), err)
	}
}

// A gap that goes on is one capture, and takes no more room.
func TestExtend(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, 1<<20)
	defer r.Close()
	gap := Capture{From: time.Unix(0, 0).UTC(), Gap: "nobody answers"}
	if err := r.Add(gap, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		gap.Until = time.Unix(int64(i), 0).UTC()
		if err := r.Extend(gap); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Read(dir)
	sum, _ := onDisk(t, dir)
	if err != nil || len(all) != 1 || !all[0].Until.Equal(gap.Until) || sum != r.total {
		t.Errorf("%v, %v; %d bytes, %d by the ring", all, err, sum, r.total)
	}
}
