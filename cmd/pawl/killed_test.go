//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	kills    = flag.Int("kills", 4, "how often TestKilled and TestKilledVerbs kill pawl, each")
	killSeed = flag.Uint64("killseed", 0, "the seed of their coins; 0 takes the commit's, so that other moments come with each")
)

// A victim is a module in a repository with all kinds of work that is not
// committed, and a pawl that may be killed while it is at work there.
type victim struct {
	t      *testing.T
	dir    string // of the module
	home   string
	pawl   string
	before map[string]string
}

const victimFlags = "-bench Next -budget 60s -per-change 500ms -min-effect 0.05 -allow state -q"

func newVictim(t *testing.T) *victim {
	t.Helper()
	for _, need := range []string{"git", "go"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("no ", need)
		}
	}
	pawl, err := exec.LookPath("pawl") // TestMain puts it there
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{t: t, dir: filepath.Join(root, "m"), home: filepath.Join(root, "home"), pawl: pawl}
	v.write("go.mod", "module example.com/m\n\ngo 1.24\n")
	v.write("m.go", victimSource)
	v.write("m_test.go", victimTest)
	v.write("cut.go", victimCut)
	v.git("init", "-q", "-b", "main")
	v.git("add", ".")
	v.git("commit", "-qm", "first")
	v.write("other.go", "package m // to be stashed\n")
	v.git("stash", "push", "-qu")
	v.write("staged.go", "package m\n")
	v.git("add", "staged.go")
	v.write("staged.go", "package m // and edited\n")
	v.write("untracked.txt", "mine\n")
	v.before = v.state()
	return v
}

func (v *victim) write(name, data string) {
	v.t.Helper()
	path := filepath.Join(v.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		v.t.Fatal(err)
	}
}

func (v *victim) git(args ...string) string {
	v.t.Helper()
	return git(v.t, v.dir, append(v.env(), "GIT_OPTIONAL_LOCKS=0"), args...)
}

// env is the environment of what runs here. The build cache is the tester's.
func (v *victim) env() []string {
	cache := os.Getenv("GOCACHE")
	if cache == "" {
		out, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			v.t.Fatal(err)
		}
		cache = strings.TrimSpace(string(out))
	}
	return append(os.Environ(), "HOME="+v.home, "XDG_CACHE_HOME="+filepath.Join(v.home, "cache"), "XDG_CONFIG_HOME="+v.home,
		"GOCACHE="+cache, "GOTELEMETRY=off", "GIT_CONFIG_NOSYSTEM=1", "CGO_ENABLED=0")
}

// state is all that a run must not change.
func (v *victim) state() map[string]string {
	v.t.Helper()
	out := map[string]string{
		"status": v.git("status", "--porcelain=v2", "--branch"),
		"stash":  v.git("stash", "list"),
		"HEAD":   v.git("rev-parse", "HEAD"),
	}
	for ref := range strings.SplitSeq(v.git("for-each-ref"), "\n") {
		if !strings.Contains(ref, "refs/heads/pawl/") {
			out["refs"] += ref + "\n"
		}
	}
	err := filepath.WalkDir(v.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(v.dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == ".pawl"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		out[rel] = v.sum(rel)
		return nil
	})
	if err != nil {
		v.t.Fatal(err)
	}
	out["index"] = v.sum(".git/index")
	return out
}

func (v *victim) sum(rel string) string {
	data, err := os.ReadFile(filepath.Join(v.dir, rel))
	if err != nil {
		v.t.Fatal(err)
	}
	info, err := os.Lstat(filepath.Join(v.dir, rel))
	if err != nil {
		v.t.Fatal(err)
	}
	return fmt.Sprintf("%x %v %v", sha256.Sum256(data), info.Mode(), info.ModTime())
}

// check compares what is the user's with what it was, but for files that a verb
// is there to write, and looks whether pawl's branches are whole: of pawl's own
// commits, each with its evidence.
func (v *victim) check(when string, but ...string) {
	v.t.Helper()
	before, now := maps.Clone(v.before), v.state()
	for _, state := range []map[string]string{before, now} {
		maps.DeleteFunc(state, func(key, _ string) bool {
			return len(but) > 0 && key == "status" || slices.ContainsFunc(but, func(p string) bool { ok, _ := path.Match(p, key); return ok })
		})
	}
	if diff := cmp.Diff(before, now); diff != "" {
		v.t.Fatalf("%s: the user's things changed (-before +after):\n%s", when, diff)
	}
	for _, branch := range v.branches() {
		for c := range strings.FieldsSeq(v.git("rev-list", "HEAD.."+branch)) {
			if body := v.git("log", "-1", "--format=%B", c); !strings.Contains(body, "Pawl-Run: ") || !strings.Contains(body, "Pawl-Change: ") {
				v.t.Fatalf("%s: %s has a commit without evidence:\n%s", when, branch, body)
			}
			if files := v.git("show", "--format=", "--name-only", c); files != "m.go\n" {
				v.t.Fatalf("%s: a commit of %s touches %s", when, branch, files)
			}
		}
	}
	v.git("fsck", "--no-dangling")
}

func (v *victim) branches() []string {
	return strings.Fields(v.git("for-each-ref", "--format=%(refname:short)", "refs/heads/pawl"))
}

// start starts pawl in a process group of its own.
func (v *victim) start(args ...string) (*exec.Cmd, *bytes.Buffer) {
	v.t.Helper()
	cmd, out := exec.Command(v.pawl, args...), new(bytes.Buffer)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = v.dir, v.env(), out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // what it started may hold the pipe
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	return cmd, out
}

// run runs pawl to its end and returns its exit code.
func (v *victim) run(args ...string) (int, string) {
	v.t.Helper()
	cmd, out := v.start(args...)
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		v.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// A moment is when pawl is killed: some time after its start, or before that, as
// soon as something is to be seen.
type moment struct {
	name  string
	after time.Duration
	seen  func() bool
}

// moments are the points that random times may miss.
func (v *victim) moments() []moment {
	there := func(patterns ...string) func() bool {
		old := make(map[string]bool)
		look := func(seen func(path string) bool) bool {
			for _, p := range patterns {
				found, _ := filepath.Glob(p)
				if slices.ContainsFunc(found, seen) {
					return true
				}
			}
			return false
		}
		look(func(path string) bool { old[path] = true; return false })
		return func() bool { return look(func(path string) bool { return !old[path] }) }
	}
	run := filepath.Join(v.dir, ".pawl", "runs", "*")
	refs := filepath.Join(v.dir, ".git", "refs", "heads", "pawl")
	work := filepath.Join(v.home, "cache", "pawl", "work", "*")
	ms := []moment{
		{name: "the run's directory", seen: there(run)},
		{name: "an index of its own", seen: there(filepath.Join(run, "index-*"))},
		{name: "a branch being made", seen: there(refs+"/*.lock", refs+"/*")},
		{name: "a change about to be kept", seen: there(filepath.Join(run, "pending.json"))},
		{name: "a patch being written", seen: there(filepath.Join(run, "patches", "*"), filepath.Join(run, "patches", ".pawl-*"))},
		{name: "the first samples", seen: there(filepath.Join(run, "samples", "*"))},
		{name: "the report", seen: there(filepath.Join(run, "replay.sh"), filepath.Join(run, "report.html"))},
		{name: "the copy being made", seen: there(filepath.Join(work, "fs"))},
		{name: "the scratch directory", seen: there(filepath.Join(work, "scratch", "*"))},
	}
	for n := 1; n <= 6; n++ {
		ms = append(ms, moment{name: fmt.Sprintf("%d more events in the journal", n), seen: v.events(n)})
	}
	return ms
}

// events waits for so many more lines of the journal.
func (v *victim) events(n int) func() bool {
	have := -1
	return func() bool {
		data, _ := os.ReadFile(filepath.Join(v.dir, ".pawl", "journal.jsonl"))
		lines := bytes.Count(data, []byte("\n"))
		if have < 0 {
			have = lines
		}
		return lines >= have+n
	}
}

// kill starts pawl and kills its whole process group with no warning. It
// reports whether pawl had not come to its end before.
func (v *victim) kill(m moment, args ...string) bool {
	v.t.Helper()
	cmd, _ := v.start(args...)
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	start := time.Now()
	for {
		select {
		case <-ended:
			return false
		case <-time.After(200 * time.Microsecond):
		}
		if time.Since(start) >= m.after || m.seen != nil && m.seen() {
			break
		}
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
	return true
}

// Whenever pawl is killed, what is the user's stays as it is, and the next pawl
// goes on without anybody's help.
func TestKilled(t *testing.T) {
	long(t, "kills pawl, for minutes")
	v := newVictim(t)
	coin := killCoin(t, 1)
	start := time.Now()
	if code, out := v.run(append([]string{"optimize"}, strings.Fields(victimFlags)...)...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	whole := time.Since(start)
	v.check("undisturbed")
	t.Logf("undisturbed: %v", whole.Round(time.Second/10))
	v.reset(true)
	for n := 0; n < *kills; {
		killed := v.chain(coin, whole, min(*kills-n, 1+coin.IntN(4)))
		n += max(killed, 1)
		v.goOn()
		v.reset(coin.IntN(4) == 0)
	}
}

// killCoin says which verbs are killed, and when. It is another one with each
// commit, and the same again for the same seed.
func killCoin(t *testing.T, stream uint64) *rand.Rand {
	seed := *killSeed
	if out, err := exec.Command("git", "rev-parse", "--short=15", "HEAD").Output(); seed == 0 && err == nil {
		seed, _ = strconv.ParseUint(strings.TrimSpace(string(out)), 16, 64)
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-killseed %d", seed)
	return rand.New(rand.NewPCG(seed, stream))
}

// chain kills a run and those that go on with it, and returns how many it hit.
func (v *victim) chain(coin *rand.Rand, whole time.Duration, length int) int {
	args := append([]string{"optimize"}, strings.Fields(victimFlags)...)
	killed := 0
	for range length {
		m := moment{name: "some time"}
		if ms := v.moments(); coin.IntN(2) == 0 {
			m = ms[coin.IntN(len(ms))]
		}
		m.after = time.Duration(coin.Float64() * float64(whole))
		when := fmt.Sprintf("%s: killed at %s, after %v at the latest", strings.Join(args[:2], " "), m.name, m.after.Round(time.Millisecond))
		if !v.kill(m, args...) {
			when = "not " + when
		} else {
			killed++
		}
		v.t.Log(when)
		v.check(when)
		if v.unfinished() {
			args = []string{"optimize", "-resume", "-budget", "60s", "-q"}
		}
	}
	return killed
}

// unfinished reports whether the journal knows of a run that did not end.
func (v *victim) unfinished() bool {
	data, _ := os.ReadFile(filepath.Join(v.dir, ".pawl", "journal.jsonl"))
	last := data[bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n')+1:]
	if !bytes.Contains(data, []byte(`"event":"start"`)) || bytes.Contains(last, []byte(`"event":"stop"`)) {
		return false
	}
	var e struct{ Run string }
	_ = json.Unmarshal(last, &e)
	_, err := os.Stat(filepath.Join(v.dir, ".pawl", "runs", e.Run))
	return e.Run == "" || err == nil // one that failed before it had anything leaves no directory, and is no run to go on with
}

// goOn resumes what was killed last, if it got so far as to be a run, and
// starts another if it did not.
func (v *victim) goOn() {
	v.t.Helper()
	args := append([]string{"optimize"}, strings.Fields(victimFlags)...)
	if v.unfinished() {
		args = []string{"optimize", "-resume", "-budget", "60s", "-q"}
	}
	code, out := v.run(args...)
	if code != 0 {
		v.t.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
	v.check(strings.Join(args, " "))
	if v.unfinished() {
		v.t.Fatalf("after %v there is something left to go on with", args)
	}
	if code, out := v.run("log"); code != 0 {
		v.t.Fatalf("log: exit code %d\n%s", code, out)
	}
	v.noStrays()
}

// noStrays looks for processes that were started in the copy of the tree, and stay: one that
// lets all others go first needs a moment to die of a signal.
func (v *victim) noStrays() {
	left := v.strays()
	for range 100 {
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
		left = v.strays()
	}
	v.t.Errorf("processes are left: %q", left)
}

// strays returns the command lines of processes that were started in the copy of the tree.
func (v *victim) strays() (lines []string) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(env, []byte("PAWLWORK="+v.home)) {
			line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
			lines = append(lines, e.Name()+" "+string(line))
		}
	}
	return lines
}

// reset forgets all runs; and the copy of the tree, if all is set.
func (v *victim) reset(all bool) {
	v.t.Helper()
	for _, b := range v.branches() {
		v.git("update-ref", "-d", "refs/heads/"+b)
	}
	if err := os.RemoveAll(filepath.Join(v.dir, ".pawl")); err != nil {
		v.t.Fatal(err)
	}
	if all {
		if err := os.RemoveAll(filepath.Join(v.home, "cache", "pawl")); err != nil {
			v.t.Fatal(err)
		}
	}
}

// A kill between the commit of a change and its line in the journal: the change
// is on the branch, and the run that goes on takes it for kept.
func TestKilledBeforeTheJournal(t *testing.T) {
	long(t, "runs pawl twice")
	v := newVictim(t)
	if code, out := v.run(append([]string{"optimize"}, strings.Fields(victimFlags+" -per-change 20s")...)...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	branches := v.branches()
	if len(branches) == 0 {
		t.Fatal("nothing was kept")
	}
	tip := v.git("rev-parse", branches[0])
	name := filepath.Join(v.dir, ".pawl", "journal.jsonl")
	journal, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var kept bytes.Buffer
	var pending []byte
	for line := range bytes.SplitAfterSeq(journal, []byte("\n")) {
		if bytes.Contains(line, []byte(`"event":"attempt"`)) {
			pending = line
			break
		}
		kept.Write(line)
	}
	runs, _ := filepath.Glob(filepath.Join(v.dir, ".pawl", "runs", "*"))
	if err := errors.Join(os.WriteFile(name, kept.Bytes(), 0o600), os.WriteFile(filepath.Join(runs[0], "pending.json"), pending, 0o600)); err != nil {
		t.Fatal(err)
	}
	code, out := v.run("optimize", "-resume", "-budget", "60s")
	if code != 0 || !strings.Contains(out, "1 changes tried before") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	v.check("gone on")
	if now := v.git("rev-parse", v.branches()[0]); now != tip || len(v.branches()) != 1 {
		t.Errorf("the branch moved from %s to %s", tip, now)
	}
	if _, out := v.run("log", "latest"); !strings.Contains(out, strings.TrimSpace(tip)) {
		t.Errorf("the log does not have the commit:\n%s", out)
	}
}

const victimCut = `package m

import "strings"

func Route(path string) (string, string) {
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return parts[0], ""
	}
	return parts[0], parts[1]
}
`

const victimSource = `package m

import (
	"encoding/binary"
	"hash"
)

type Summer struct {
	h   hash.Hash
	seq uint64
}

func (s *Summer) Next() {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], s.seq)
	s.seq++
	s.h.Write(b[:])
}
`

const victimTest = `package m

import (
	"bytes"
	"crypto/sha256"
	"hash/crc32"
	"testing"
)

func TestNext(t *testing.T) {
	s := &Summer{h: sha256.New()}
	s.Next()
	s.Next()
	want := sha256.Sum256([]byte{15: 1})
	if got := s.h.Sum(nil); !bytes.Equal(got, want[:]) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func BenchmarkNext(b *testing.B) {
	s := &Summer{h: crc32.NewIEEE()}
	for b.Loop() {
		s.Next()
	}
}
`
