//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A deed is a verb that may be killed.
type deed struct {
	args   string
	kept   bool          // it begins where a change was kept
	writes []string      // patterns of the user's files that it is there to write
	takes  time.Duration // as far as is known; learned from those that end
}

// A killer is a victim, and the verbs that it is killed at.
type killer struct {
	*victim
	coin  *rand.Rand
	deeds []*deed
	fixed string          // what find -fix makes of its file
	from  map[bool]string // copies of the module: with a kept change, and without
}

// Whichever verb is killed, and whenever, what is the user's stays as it is, but
// for what the verb is there to write, which is whole: as before, or as after.
// The next pawl needs no help.
func TestKilledVerbs(t *testing.T) {
	long(t, "kills pawl, for minutes")
	const side = 2 // by side
	for n := range side {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			k := newKiller(t, uint64(2+n))
			for range (*kills + n) / side {
				k.once()
			}
		})
	}
}

func newKiller(t *testing.T, stream uint64) *killer {
	k := &killer{victim: newVictim(t), coin: killCoin(t, stream), from: map[bool]string{}}
	root := filepath.Dir(k.dir)
	patch := filepath.Join(root, "a.patch")
	k.copyTo(false)
	if code, out := k.run("find", "-fix", "."); code != exitOK {
		t.Fatalf("find -fix: exit code %d\n%s", code, out)
	}
	k.fixed = read(t, filepath.Join(k.dir, "cut.go"))
	if err := os.WriteFile(patch, []byte(k.git("diff", "--", "cut.go")), 0o600); err != nil || k.fixed == victimCut {
		t.Fatalf("find -fix did nothing: %v", err)
	}
	k.copyBack(false)
	if code, out := k.run(append([]string{"optimize"}, strings.Fields(victimFlags+" -per-change 30s -budget 5m")...)...); code != exitOK || len(k.branches()) == 0 {
		t.Fatalf("exit code %d, and nothing kept\n%s", code, out)
	}
	k.check("undisturbed")
	k.copyTo(true)
	k.deeds = []*deed{
		{args: "optimize " + victimFlags, takes: 20 * time.Second},
		{args: "try -bench Next -budget 10s -per-change 500ms -q " + patch, takes: 10 * time.Second},
		{args: "record -bench Next -at Summer.Next -q next", writes: []string{"perf/records/next.txt"}, takes: 10 * time.Second},
		{args: "find -fix -q .", writes: []string{"cut.go", ".pawl-fix-*.tmp"}, takes: 300 * time.Millisecond},
		{args: "undo", kept: true, takes: time.Second},
		{args: "clean -runs 0 -journal -branches", kept: true, takes: 200 * time.Millisecond},
	}
	return k
}

// copyTo remembers the module as it is, and copyBack makes it so again, with
// the times of its files.
func (k *killer) copyTo(kept bool) {
	k.t.Helper()
	k.from[kept] = fmt.Sprintf("%s.%v", k.dir, kept)
	k.copy(k.dir, k.from[kept])
}

func (k *killer) copyBack(kept bool) {
	k.t.Helper()
	if err := os.RemoveAll(k.dir); err != nil {
		k.t.Fatal(err)
	}
	k.copy(k.from[kept], k.dir)
}

func (k *killer) copy(from, to string) {
	k.t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		k.t.Fatalf("%v: %s", err, out)
	}
}

// once kills one verb and looks at what it left, then lets it, or what is
// quicker, run to its end there.
func (k *killer) once() {
	d := k.deeds[k.coin.IntN(len(k.deeds))]
	k.copyBack(d.kept)
	m := moment{name: "some time"}
	if ms := k.moments(); k.coin.IntN(2) == 0 {
		m = ms[k.coin.IntN(len(ms))]
	}
	m.after = time.Duration(k.coin.Float64() * float64(d.takes))
	when := fmt.Sprintf("%s: killed at %s, after %v at the latest", d.args, m.name, m.after.Round(time.Millisecond))
	if !k.kill(m, strings.Fields(d.args)...) {
		when = "not " + when
	}
	k.t.Log(when)
	k.whole(when, d)
	next := d
	if d.takes > 2*time.Second && k.coin.IntN(4) > 0 {
		next = k.deeds[len(k.deeds)-1] // clean, which ends what runs on in the copy, too
	}
	start := time.Now()
	code, out := k.run(strings.Fields(next.args)...)
	took := time.Since(start)
	switch {
	case code == exitOK, code == exitUndecided:
		next.takes = (next.takes + took) / 2
	case next.args == "undo" && len(k.branches()) == 0: // the one that was killed had done it
	default:
		k.t.Fatalf("%s; then %s: exit code %d\n%s", when, next.args, code, out)
	}
	k.whole(when+"; then "+next.args, d, next)
	if code, out := k.run("log"); code != exitOK {
		k.t.Fatalf("%s; log: exit code %d\n%s", when, code, out)
	}
	k.noStrays()
}

// whole checks all that is the user's after some verbs.
func (k *killer) whole(when string, deeds ...*deed) {
	k.t.Helper()
	var writes []string
	for _, d := range deeds {
		writes = append(writes, d.writes...)
	}
	k.check(when, writes...)
	if text := read(k.t, filepath.Join(k.dir, "cut.go")); text != victimCut && text != k.fixed {
		k.t.Fatalf("%s: cut.go is\n%s", when, text)
	}
	left, _ := filepath.Glob(filepath.Join(k.dir, ".pawl-fix-*"))
	for _, name := range left { // goes with the next fix, when it is old
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			k.t.Fatal(err)
		}
	}
	if last := deeds[len(deeds)-1]; len(deeds) > 1 && strings.HasPrefix(last.args, "find") && len(left) > 0 {
		k.t.Fatalf("%s: %v is left", when, left)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
