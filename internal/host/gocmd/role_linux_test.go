package gocmd

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// play is what the test binary does as a process that is run in a test.
func play(role string) int {
	switch role {
	case "holder":
		return holdUntilKilled()
	case "hostile":
		hostile()
	case "breeder":
		return breeder(5, false)
	case "shedder":
		return breeder(5, true)
	case "daemon":
		_ = breeder(1, false)
		time.Sleep(time.Minute)
	case "sleeper":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Minute) // ends earlier by what is tested
	case "eater":
		eater()
	case "leaver":
		leaver()
	case "forker":
		forker()
	case "barrier":
		return barrier()
	case "burner":
		for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		}
	case "spinner":
		for start := time.Now(); time.Since(start) < 20*time.Second; {
		}
	case "clock":
		fmt.Println(still())
	case "suicide":
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	}
	return 0
}

// still counts how many short stretches of work take no CPU time by the clock of
// the process.
func still() int {
	clock := func() int64 {
		var ts unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts)
		return ts.Nano()
	}
	none, sum := 0, 0
	for range 1000 {
		start := clock()
		for i := range 10000 {
			sum += i * i
		}
		if clock() == start {
			none++
		}
	}
	runtime.KeepAlive(sum)
	return none
}

// say prints the outcome of one attempt.
func say(what string, err error) {
	outcome := "no"
	if err == nil {
		outcome = "yes"
	} else {
		fmt.Fprintln(os.Stderr, what+":", err)
	}
	fmt.Println(what, outcome)
}

// hostile tries what a sandbox is to prevent, and what it must not.
func hostile() {
	env := os.Getenv
	say("write home", os.WriteFile(filepath.Join(env("REAL_HOME"), "evil"), nil, 0o600)) // goes to a private directory
	say("write module", os.WriteFile(filepath.Join(env("MODULE"), "evil.go"), nil, 0o600))
	say("write system", os.WriteFile("/etc/evil", nil, 0o600))
	say("write program", os.WriteFile(os.Args[0], nil, 0o600))
	say("write work", os.WriteFile(filepath.Join(env("WORK"), "result"), []byte("x"), 0o600))
	say("write temp", os.WriteFile(filepath.Join(os.TempDir(), "pawl-evil"), nil, 0o600))
	say("read key", readable(filepath.Join(env("REAL_HOME"), ".ssh", "id")))
	say("read module", readable(filepath.Join(env("MODULE"), "m.go")))
	say("dial out", dial("udp", "192.0.2.1:9")) // sends nothing
	say("dial host", dial("tcp", env("LISTENER")))
	say("dial socket", dial("unix", env("SOCKET")))
	say("loopback", loopbackWorks())
	say("token", readableVar("GITHUB_TOKEN"))
	say("mount", syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, ""))
	say("unshare", unshareWrites())
	say("see others", seesOthers())
	say("attach", attaches())
	fmt.Println("uid", os.Getuid())
}

func readable(name string) error {
	_, err := os.ReadFile(name)
	return err
}

func readableVar(name string) error {
	if os.Getenv(name) == "" {
		return fmt.Errorf("%s is not set", name)
	}
	return nil
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 500*time.Millisecond)
	if err == nil {
		_ = c.Close()
	}
	return err
}

func loopbackWorks() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second}}
	srv.Start()
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err == nil {
		_ = resp.Body.Close()
	}
	return err
}

// unshareWrites makes a user namespace of its own, in which it has all rights,
// and tries to make the system writable from there.
func unshareWrites() error {
	cmd := exec.Command("unshare", "-Urm", "sh", "-c", "mount -o remount,rw,bind / && touch /evil || umount -l /proc && test -e /proc/1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func seesOthers() error {
	for _, k := range everyone() {
		if k.pid != 1 && k.pid != os.Getpid() {
			return nil
		}
	}
	return fmt.Errorf("nobody is there")
}

func attaches() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return syscall.PtraceAttach(1)
}

// breeder starts children that leave its process group and session, with their
// parents gone, and ends. With shed they also forget their environment.
func breeder(n int, shed bool) int {
	for range n {
		cmd := exec.Command("setsid", "sh", "-c", "sleep 600 & sleep 600 & trap '' TERM; sleep 600")
		if shed {
			cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		}
		if err := cmd.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if f := os.Getenv("PIDS"); f != "" {
			out, _ := os.OpenFile(f, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			fmt.Fprintln(out, cmd.Process.Pid)
			_ = out.Close()
		}
	}
	time.Sleep(50 * time.Millisecond) // the shells get to start theirs; either way all must go
	return 0
}

// eater takes memory, up to a bound.
func eater() {
	var kept [][]byte
	for range 80 { // 640 MiB
		b := make([]byte, 8<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		kept = append(kept, b)
		time.Sleep(15 * time.Millisecond)
	}
	runtime.KeepAlive(kept)
}

// leaver fills shared memory that it then does not have mapped.
func leaver() {
	for range 3 {
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 100<<20, unix.IPC_CREAT|0o600)
		if err != nil {
			return
		}
		b, err := unix.SysvShmAttach(id, 0, 0)
		if err != nil {
			return
		}
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		_ = unix.SysvShmDetach(b)
	}
	time.Sleep(20 * time.Second) // ends earlier by what is tested
}

// forker starts processes, up to a bound, and keeps them.
func forker() {
	for range 16 {
		_ = exec.Command("sleep", "600").Start()
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(time.Minute)
}

// barrier says that it is ready and waits until it is let go, as a benchmark
// process does: descriptors 3, 4 and 5 are records, ready and go.
func barrier() int {
	records, ready, letGo := os.NewFile(3, "records"), os.NewFile(4, "ready"), os.NewFile(5, "go")
	_, _ = ready.Write([]byte{1})
	one := make([]byte, 1)
	if _, err := io.ReadFull(letGo, one); err != nil {
		return 1
	}
	var allowed string
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 1
	}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if v, ok := strings.CutPrefix(sc.Text(), "Cpus_allowed_list:"); ok {
			allowed = strings.TrimSpace(v)
		}
	}
	fmt.Fprintln(records, "cores", allowed, "pid", strconv.Itoa(os.Getpid()), len(os.Args))
	return 0
}
