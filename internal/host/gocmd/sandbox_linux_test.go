package gocmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A scene is a user's home with a key and a module in it, and a sandbox.
type scene struct {
	home, module, work string
	env                []string
	box                *Sandbox
	meter              *Meter
}

func newScene(t *testing.T, edit func(*SandboxConfig)) *scene {
	t.Helper()
	temp := t.TempDir()
	s := newSceneIn(t, temp, edit)
	t.Cleanup(func() {
		if err := s.box.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("left behind: %s", left)
		}
	})
	return s
}

// newSceneIn takes the directory for temporary files; "" for the system's.
func newSceneIn(t *testing.T, temp string, edit func(*SandboxConfig)) *scene {
	t.Helper()
	home := t.TempDir()
	s := &scene{home: home, module: filepath.Join(home, "src", "m"), work: filepath.Join(home, ".cache", "pawl", "work")}
	for name, text := range map[string]string{".ssh/id": "secret", "src/m/m.go": "package m", ".cache/pawl/work/m.go": "package m"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.env = setenv(setenv(os.Environ(), "HOME", home), "GORACE", "atexit_sleep_ms=0")
	s.env = setenv(s.env, letIn, "GOCMD_*,LISTENER,SOCKET,REAL_HOME,MODULE,WORK,PIDS") // beside them GITHUB_TOKEN stays out
	if temp != "" {
		s.env = setenv(s.env, "TMPDIR", temp)
	}
	c := SandboxConfig{Env: s.env, Writable: []string{s.work}, Readable: []string{executable(t)}}
	if edit != nil {
		edit(&c)
	}
	box, err := OpenSandbox(t.Context(), c)
	var none *NoSandboxError
	if errors.As(err, &none) {
		t.Skip(none.Why)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.box, s.meter = box, NewMeter(time.Now())
	s.meter.Confine(box, nil)
	return s
}

func executable(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func (s *scene) proc(t *testing.T, role string, env ...string) Proc {
	return Proc{Path: executable(t), Dir: s.work, Env: append(append(s.env, "GOCMD_ROLE="+role), env...), CPU: NoCPU, Kind: Test}
}

func (s *scene) run(t *testing.T, role string, env ...string) (Exit, error) {
	t.Helper()
	return s.meter.Run(t.Context(), s.proc(t, role, env...))
}

// attempts reads what hostile said.
func attempts(out []byte) map[string]string {
	got := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if i := strings.LastIndexByte(line, ' '); i > 0 {
			got[line[:i]] = line[i+1:]
		}
	}
	return got
}

// listeners are a port and a socket that a process outside could reach.
func listeners(t *testing.T) []string {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tcp.Close() })
	dir, err := os.MkdirTemp("", "s") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	sock, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sock.Close() })
	return []string{"LISTENER=" + tcp.Addr().String(), "SOCKET=" + sock.Addr().String(), "GITHUB_TOKEN=t"}
}

func TestSandboxConfines(t *testing.T) {
	s := newSceneIn(t, "", nil)
	defer s.box.Close()
	e, err := s.run(t, "hostile", append(listeners(t), "REAL_HOME="+s.home, "MODULE="+s.module, "WORK="+s.work)...)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"write home": "yes", "write module": "no", "write system": "no", "write program": "no", "write work": "yes", "write temp": "yes",
		"read key": "no", "read module": "no", "dial out": "no", "dial host": "no", "dial socket": "no", "loopback": "yes", "token": "no",
		"mount": "no", "unshare": "no", "see others": "no", "attach": "no", "uid": strconv.Itoa(os.Getuid()),
	}
	if diff := cmp.Diff(want, attempts(e.Stdout)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, e.Stderr)
	}
	if len(s.box.Warnings()) != 0 {
		t.Errorf("warnings of a whole sandbox: %v", s.box.Warnings())
	}
	var files []string
	_ = filepath.WalkDir(s.home, func(path string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			files = append(files, strings.TrimPrefix(path, s.home))
		}
		return nil
	})
	if diff := cmp.Diff([]string{"/.cache/pawl/work/m.go", "/.cache/pawl/work/result", "/.ssh/id", "/src/m/m.go"}, files); diff != "" {
		t.Errorf("the user's home: -want +got:\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(os.TempDir(), "pawl-evil")); err == nil {
		t.Error("a file in the private directory for temporary files is in the public one")
	}
}

// Where there are no namespaces, landlock keeps the files.
func TestPartialSandbox(t *testing.T) {
	s := newScene(t, func(c *SandboxConfig) { c.Partial, c.partly = true, true })
	if len(s.box.Warnings()) != 1 {
		t.Fatalf("warnings %v, want one", s.box.Warnings())
	}
	if s.box.none {
		t.Skip("there is no landlock here: ", s.box.Warnings()[0].Cause)
	}
	e, err := s.run(t, "hostile", append(listeners(t), "REAL_HOME="+s.home, "MODULE="+s.module, "WORK="+s.work)...)
	if err != nil {
		t.Fatal(err)
	}
	got := attempts(e.Stdout)
	for what, want := range map[string]string{
		"write home": "no", "write module": "no", "write system": "no", "write program": "no", "write work": "yes", "write temp": "yes",
		"read key": "no", "read module": "no", "loopback": "yes", "token": "no", "mount": "no",
	} {
		if got[what] != want {
			t.Errorf("%s: %s, want %s\n%s", what, got[what], want, e.Stderr)
		}
	}
}

func TestSandboxRefusesLess(t *testing.T) {
	_, err := OpenSandbox(t.Context(), SandboxConfig{partly: true, Env: os.Environ()})
	var none *NoSandboxError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "-sandbox=try") {
		t.Errorf("got %v, want a *NoSandboxError that says how to go on", err)
	}
}

// A directory that cannot be made is no reason to speak of user namespaces.
func TestSandboxWithoutTemporaryDirectory(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := OpenSandbox(t.Context(), SandboxConfig{Partial: true, Env: []string{"TMPDIR=" + missing}})
	var none *NoSandboxError
	if err == nil || errors.As(err, &none) || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("got %v, want the directory and what to do", err)
	}
}

// The barrier of a duet, pinning, exit codes and CPU time are as outside.
func TestSandboxedBenchmarkProcess(t *testing.T) {
	s := newScene(t, nil)
	var inside, mine []*os.File
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			r, w = w, r
		}
		mine, inside = append(mine, r), append(inside, w)
	}
	p := s.proc(t, "barrier")
	p.Args, p.Extra, p.Kind = []string{"-a", "-b"}, inside, Measure
	if CanPin() {
		p.CPU, _ = QuietCPU()
	}
	r, err := s.meter.Start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range inside {
		_ = f.Close()
	}
	if _, err := io.ReadFull(mine[1], make([]byte, 1)); err != nil {
		t.Error("not ready:", err)
	}
	if k, err := readKin(r.Pid()); err != nil || k.group != r.Pid() {
		t.Errorf("process %d as seen from outside: %+v, %v", r.Pid(), k, err)
	}
	_, _ = mine[2].Write([]byte{1})
	said, _ := io.ReadAll(mine[0])
	if e, err := r.Wait(); err != nil || e.Code != 0 {
		t.Fatalf("%v, %+v %s", err, e, e.Stderr)
	}
	if want := fmt.Sprintf("cores %d pid 2 3\n", p.CPU); CanPin() && !strings.HasPrefix(string(said), want[:8]) {
		t.Errorf("it said %q, want %q but for the pid", said, want)
	}

	before := ChildCPU()
	e, err := s.run(t, "burner")
	if err != nil || e.CPU < 20*time.Millisecond {
		t.Errorf("CPU time %v, %v: that of the process is missing", e.CPU, err)
	}
	if got := ChildCPU() - before; got < e.CPU {
		t.Errorf("ChildCPU grew by %v, and the process took %v", got, e.CPU)
	}
	if e, err := s.run(t, "suicide"); err != nil || e.Code != -1 {
		t.Errorf("a process that a signal ended: %+v, %v", e, err)
	}
	p = Proc{Path: "/bin/sh", Args: []string{"-c", "echo out; echo err >&2; exit 7"}, Env: s.env, Dir: s.work, CPU: NoCPU, Kind: Test}
	e, err = s.meter.Run(t.Context(), p)
	if err != nil || e.Code != 7 || string(e.Stdout) != "out\n" || string(e.Stderr) != "err\n" {
		t.Errorf("%+v, %v", e, err)
	}
	p.Env, p.Args = append(p.Env, "PWD=/a", "PWD="+s.work), []string{"-c", "env | grep ^PWD="}
	if e, err = s.meter.Run(t.Context(), p); err != nil || string(e.Stdout) != "PWD="+s.work+"\n" {
		t.Errorf("of a variable that is set twice the last counts: %s %v", e.Stdout, err)
	}
	p.Args, p.Last = []string{"-c", untilLast}, true
	if e, err = s.meter.Run(t.Context(), p); err != nil || e.Code != 0 {
		t.Errorf("for last: exit code %d, %v\n%s", e.Code, err, e.Stderr)
	}
	p.Path = "/no/such/program"
	if _, err := s.meter.Run(t.Context(), p); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
	if len(s.box.idle) != 1 {
		t.Errorf("%d cells for one process at a time, want 1", len(s.box.idle))
	}
}

// The clock by which benchmarks are judged must not stand still: it does where
// the kernel has to watch a process's CPU time.
func TestSandboxedClock(t *testing.T) {
	s := newScene(t, nil)
	e, err := s.run(t, "clock")
	if err != nil || e.Code != 0 {
		t.Fatalf("%v %s", err, e.Stderr)
	}
	if got := strings.TrimSpace(string(e.Stdout)); got != "0" {
		t.Errorf("of 1,000 short stretches of work %s took no CPU time", got)
	}
}

// alive lists the processes that the given ones are, or come from.
func alive(t *testing.T, mark string) []string {
	t.Helper()
	var out []string
	for _, k := range everyone() {
		env, err := os.ReadFile(procFile(k.pid, "environ"))
		if err == nil && !k.zombie && bytes.Contains(env, []byte(mark)) {
			out = append(out, fmt.Sprint(k))
		}
	}
	return out
}

// What a process leaves behind is gone when Run returns, in whatever group and
// session, in a sandbox and outside.
func TestFamilyEnds(t *testing.T) {
	boxes := map[string]func(*SandboxConfig){
		"outside": nil, "inside": func(*SandboxConfig) {}, "partly": func(c *SandboxConfig) { c.Partial, c.partly = true, true },
	}
	for name, edit := range boxes {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, edit)
			if edit == nil {
				s.meter = NewMeter(time.Now())
			}
			pids := filepath.Join(s.work, "pids")
			mark := "GOCMD_TEST_MARK=" + filepath.Base(s.home) + name
			if e, err := s.run(t, "breeder", mark, "PIDS="+pids); err != nil || e.Code != 0 {
				t.Fatalf("%v %s", err, e.Stderr)
			}
			if left := alive(t, mark); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if data, err := os.ReadFile(pids); err != nil || bytes.Count(data, []byte("\n")) != 5 {
				t.Errorf("children %q, %v: the test tests nothing", data, err)
			}
			if _, err := s.run(t, "shedder", mark, "PIDS="+filepath.Join(s.work, "shed")); err != nil {
				t.Fatal(err)
			}
			data, _ := os.ReadFile(filepath.Join(s.work, "shed"))
			for f := range strings.FieldsSeq(string(data)) {
				pid, _ := strconv.Atoi(f)
				if k, err := readKin(pid); name != "inside" && err == nil && k.name == "sh" && !k.zombie {
					t.Errorf("left: %+v", k)
				}
			}
		})
	}
}

// The end of one family is not that of another, nor of what this program has
// started by other means.
func TestFamiliesAreApart(t *testing.T) {
	s := newScene(t, nil)
	s.meter = NewMeter(time.Now())
	own := exec.Command("sleep", "600")
	if err := own.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = own.Process.Kill()
		_ = own.Wait()
	}()
	pids := filepath.Join(s.work, "pids")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	mark := "GOCMD_TEST_MARK=" + filepath.Base(s.home)
	long, err := s.meter.Start(ctx, s.proc(t, "daemon", mark+"-long", "PIDS="+pids))
	if err != nil {
		t.Fatal(err)
	}
	for len(alive(t, mark+"-long")) < 5 { // itself, the shell and its three
		time.Sleep(time.Millisecond)
	}
	if _, err := s.run(t, "breeder", mark+"-short"); err != nil {
		t.Fatal(err)
	}
	if left := alive(t, mark+"-long"); len(left) != 5 {
		t.Errorf("of the other family %d of 5 live on: %v", len(left), left)
	}
	cancel()
	if _, err := long.Wait(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left := alive(t, mark); len(left) > 0 {
		t.Errorf("left when the last family has ended: %v", left)
	}
	if k, err := readKin(own.Process.Pid); err != nil || k.zombie {
		t.Errorf("a process of our own was ended: %+v, %v", k, err)
	}
}

// A process that ignores SIGTERM ends with its context, and the next one finds
// a sandbox.
func TestSandboxCancel(t *testing.T) {
	for name, edit := range map[string]func(*SandboxConfig){"whole": nil, "partly": func(c *SandboxConfig) { c.Partial, c.partly = true, true }} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, edit)
			ctx, cancel := context.WithCancel(t.Context())
			mark := "GOCMD_TEST_MARK=" + filepath.Base(s.home) + name
			r, err := s.meter.Start(ctx, s.proc(t, "sleeper", mark))
			if err != nil {
				t.Fatal(err)
			}
			r.Terminate()
			cancel()
			if _, err := r.Wait(); !errors.Is(err, context.Canceled) {
				t.Errorf("Wait: %v, want %v", err, context.Canceled)
			}
			if left := alive(t, mark); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if e, err := s.run(t, "burner"); err != nil || e.Code != 0 {
				t.Errorf("afterwards: %+v, %v", e, err)
			}
		})
	}
}

func TestSandboxLimits(t *testing.T) {
	s := newScene(t, func(c *SandboxConfig) { c.Limits = Limits{Memory: 200 << 20, Processes: 10, File: 1 << 20} })
	for role, want := range map[string]string{"eater": "MiB of memory, and the limit is 200 MiB", "forker": "processes, and the limit is 10"} {
		e, err := s.run(t, role)
		if err != nil || e.Code != -1 || !strings.Contains(string(e.Stderr), want) {
			t.Errorf("%s: code %d, %v, %s; want %q", role, e.Code, err, e.Stderr, want)
		}
	}
	shared := newScene(t, func(c *SandboxConfig) { c.Limits = Limits{Memory: 200 << 20} })
	if e, err := shared.run(t, "leaver"); err != nil || e.Code != -1 || !strings.Contains(string(e.Stderr), "MiB of memory, and the limit is 200 MiB") {
		t.Errorf("leaver: code %d, %v, %s", e.Code, err, e.Stderr)
	}
	short := newScene(t, func(c *SandboxConfig) { c.Limits = Limits{CPU: 100 * time.Millisecond} })
	if e, err := short.run(t, "spinner"); err != nil || e.Code != -1 || !strings.Contains(string(e.Stderr), "of CPU time, and the limit is 100ms") {
		t.Errorf("spinner: code %d, %v, %s", e.Code, err, e.Stderr)
	}
	p := Proc{Path: "/bin/sh", Args: []string{"-c", "head -c 2000000 /dev/zero >" + filepath.Join(s.work, "big")}, Env: s.env, CPU: NoCPU, Kind: Test}
	if e, err := s.meter.Run(t.Context(), p); err != nil || e.Code == 0 {
		t.Errorf("a file above the limit: %+v, %v", e, err)
	}
	if fi, err := os.Stat(filepath.Join(s.work, "big")); err != nil || fi.Size() > 1<<20 {
		t.Errorf("a file above the limit: %v, %v", fi, err)
	}
}

// When pawl is killed, all that it runs in a sandbox ends, and the private
// directory goes. Closing the socket is what a killed pawl does.
func TestSandboxEndsWithPawl(t *testing.T) {
	s := newScene(t, nil)
	mark := "GOCMD_TEST_MARK=" + filepath.Base(s.home)
	r, err := s.meter.Start(t.Context(), s.proc(t, "sleeper", mark))
	if err != nil {
		t.Fatal(err)
	}
	private := r.in.cell.private
	if err := os.WriteFile(filepath.Join(private.Dir, "tmp", "secret"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = r.in.cell.wire.conn.CloseRead() // Wait sees the end too
	_ = r.in.cell.wire.conn.Close()
	<-r.in.cell.ended
	if left := alive(t, mark); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(private.Dir, "tmp", "secret")); err == nil {
		t.Error("the private directory still has its files")
	}
	sweep := func() error {
		SweepScratch(filepath.Dir(private.Dir))
		_, err := os.Stat(private.Dir)
		return err
	}
	if err := sweep(); err != nil {
		t.Errorf("a directory that is in use was swept away: %v", err)
	}
	_ = private.lock.Close()
	if err := sweep(); err == nil {
		t.Error("the directory of a pawl that was killed stays")
	}
	if _, err := r.Wait(); err == nil {
		t.Error("Wait: no error of a process that has lost its sandbox")
	}
}

// The go command keeps the network and its cache, and runs as ever.
func TestGoCommandIsOutside(t *testing.T) {
	s := newScene(t, nil)
	dir := module(t, map[string]string{"a.go": "package a\n"})
	g, err := New(t.Context(), Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir(), Meter: s.meter})
	if err != nil {
		t.Fatal(err)
	}
	if e, err := g.Vet(t.Context(), []string{"."}); err != nil {
		t.Errorf("%v %s", err, e.Stderr)
	}
}

func FuzzParseKin(f *testing.F) {
	f.Add([]byte("12 (a) b)) S 1 12 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 1 2"))
	f.Add([]byte("12 ("))
	f.Fuzz(func(t *testing.T, data []byte) {
		if k, err := parseKin(12, data); err == nil && k.pid != 12 {
			t.Errorf("%+v", k)
		}
	})
}

// startCost measures what a sandbox adds to a process's start.
func benchmarkStart(b *testing.B, box *Sandbox) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	m := NewMeter(time.Now())
	if box != nil {
		m.Confine(box, nil)
	}
	for b.Loop() {
		if _, err := m.Run(b.Context(), Proc{Path: path, Env: os.Environ(), Dir: "/", CPU: NoCPU, Kind: Measure}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	b.Run("outside", func(b *testing.B) { benchmarkStart(b, nil) })
	b.Run("inside", func(b *testing.B) {
		box, err := OpenSandbox(b.Context(), SandboxConfig{Env: os.Environ()})
		if err != nil {
			b.Skip(err)
		}
		defer box.Close()
		benchmarkStart(b, box)
	})
}
