package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A kill in the middle of a line loses that line and no more.
func TestJournalGoesOnAfterAKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sub", "results.jsonl")
	j, err := openJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if err := j.add(Record{Key: key, Verb: "aa"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"key":"c","verb"`)
	f.Close()
	if j, err = openJournal(name); err != nil {
		t.Fatal(err)
	}
	if !j.done["a"] || !j.done["b"] || j.done["c"] {
		t.Errorf("done: %v", j.done)
	}
	if err := j.add(Record{Key: "d"}); err != nil {
		t.Fatal(err)
	}
	j.close()
	all, err := readRecords(name)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, r := range all {
		keys = append(keys, r.Key)
	}
	if diff := cmp.Diff([]string{"a", "b", "d"}, keys); diff != "" {
		t.Error(diff)
	}
}

func TestItems(t *testing.T) {
	power := deal("power", subjects, gateEffect, 12, 1, 0)
	items := mix(deal("aa", subjects, 0, 60, 1, 10), power)
	if len(items) != 72 {
		t.Fatalf("%d items", len(items))
	}
	keys, seeds := make(map[string]bool), make(map[uint64]bool)
	usual := 0
	lastPower := -1
	for i, it := range items {
		keys[it.key()], seeds[it.seed(1)] = true, true
		if it.usual {
			usual++
		}
		if it.verb == "power" {
			if lastPower >= 0 && i-lastPower > 7 {
				t.Errorf("no power between %d and %d", lastPower, i)
			}
			lastPower = i
		}
	}
	if len(keys) != 72 || len(seeds) != 72 || usual != 6 {
		t.Errorf("%d keys, %d seeds, %d with the usual benchstat", len(keys), len(seeds), usual)
	}
	if items[0].seed(1) == items[0].seed(2) {
		t.Error("the campaign's seed changes nothing")
	}
}

func TestParseLoad(t *testing.T) {
	for spec, want := range map[string]int{"": 0, "none": 0, "1x": 1, "12x": 12} {
		if got, err := parseLoad(spec); err != nil || got != want {
			t.Errorf("%q: %d, %v", spec, got, err)
		}
	}
	for _, spec := range []string{"x", "2", "-1x", "0x", "2y", "9999999x"} {
		if _, err := parseLoad(spec); err == nil {
			t.Errorf("%q: no error", spec)
		}
	}
}

// Without a load there is nothing to stop, and conditions are told all the
// same.
func TestNoLoad(t *testing.T) {
	n, err := startLoad("none", 1)
	if err != nil {
		t.Fatal(err)
	}
	w := n.watch()
	w.start = w.start.Add(-time.Second)
	if c := w.end(); c.Taken != 0 {
		t.Errorf("no load took %v CPUs", c.Taken)
	}
	n.stop()
}
