package prisoner

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// A way is one try to get out; it led out where the error is nil.
type way struct {
	name string
	try  func() error
}

var errKept = errors.New("nothing was there")

func ways() []way {
	return slices.Concat(readingWays(), writingWays(), processWays(), kernelWays(), terminalWays(), networkWays())
}

// work is pawl's work directory, as far as it can be told from inside.
func work() string {
	dir, _ := os.Getwd()
	if at := strings.Index(dir, "/fs/"); at > 0 {
		return dir[:at]
	}
	return dir
}

func reads(name string) func() error {
	return func() error {
		data, err := os.ReadFile(name)
		if err == nil && (len(data) == 0 || string(data) == "prisoner") { // what plant wrote, into a private home
			return errKept
		}
		return err
	}
}

func lists(dir string) func() error {
	return func() error {
		entries, err := os.ReadDir(dir)
		if err == nil && len(entries) == 0 {
			return errKept
		}
		return err
	}
}

// ofTester is a way to the tester by its process ID. The cell has process IDs of its own, and one
// of its processes or threads may have that one: then nothing got out.
func ofTester(try func() error) func() error {
	within := func() bool {
		cmd, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", outer))
		return err == nil && string(cmd) != outerCmd
	}
	return func() error {
		if within() {
			return errKept
		}
		err := try()
		if err == nil && within() {
			return errKept
		}
		return err
	}
}

func readingWays() []way {
	out := []way{
		{"key in the home directory", reads(home + "/.ssh/id_rsa")},
		{"plain file in the home directory", reads(home + "/notes.txt")},
		{"home directory by the parent", reads(home + "/../" + filepath.Base(home) + "/notes.txt")},
		{"settings of go", func() error {
			data, err := os.ReadFile(home + "/.config/go/env")
			if err == nil && !strings.Contains(string(data), "PLANTED") {
				return errKept
			}
			return err
		}},
		{"secrets beside the module", reads(tree + "/.env")},
		{"the module at its own place", reads(tree + "/prisoner.go")},
		{"git of the module", reads(tree + "/.git/config")},
		{"git of the module, a hook", lists(tree + "/.git/hooks")},
		{"the journal", reads(tree + "/.pawl/journal.jsonl")},
		{"the runs", lists(tree + "/.pawl/runs")},
		{"a planted run", reads(tree + "/.pawl/runs/20200101T000000-try/run.json")},
		{"pawl's other caches", reads(cache + "/pawl/find/planted")},
		{"copies of other modules", reads(cache + "/pawl/work/0123456789abcdef/fs/secret")},
		{"the build cache", reads(gocache + "/planted")},
		{"what only its owner may read", reads(private + "/file")},
		{"another home", lists("/home")},
		{"the home of root", lists("/root/.ssh")},
		{"shadow", reads("/etc/shadow")},
		{"host keys", reads("/etc/ssh/ssh_host_ed25519_key")},
		{"services' sockets", lists("/run/systemd")},
		{"files of others in tmp", reads(temp + "/planted")},
		{"shared memory of others", reads("/dev/shm/pawl-prisoner-planted")},
		{"environment of the cell", reads("/proc/1/environ")},
		{"root of the cell", reads("/proc/1/root" + home + "/notes.txt")},
		{"descriptors of the cell", func() error {
			for fd := range 16 {
				if opens(fmt.Sprintf("/proc/1/fd/%d", fd), os.O_RDONLY) == nil {
					return nil
				}
			}
			return errKept
		}},
		{"environment of pawl", reads(fmt.Sprintf("/proc/%d/environ", os.Getppid()))},
		{"environment of the tester", ofTester(reads(fmt.Sprintf("/proc/%d/environ", outer)))},
		{"root of the tester", ofTester(reads(fmt.Sprintf("/proc/%d/root%s/notes.txt", outer, home)))},
		{"memory of the kernel", func() error { return opens("/proc/kcore", os.O_RDONLY) }},
		{"memory of the machine", func() error { return opens("/dev/mem", os.O_RDONLY) }},
		{"messages of the kernel", func() error { return opens("/dev/kmsg", os.O_RDONLY) }},
		{"a disk", disk},
		{"a node of a disk", func() error {
			name := filepath.Join(os.TempDir(), "node")
			defer os.Remove(name)
			return syscall.Mknod(name, syscall.S_IFBLK|0o600, 0x0100)
		}},
		{"inherited descriptors", inherited},
		{"secrets in the environment", environment},
	}
	return out
}

func opens(name string, flag int) error {
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func disk() error {
	for _, pattern := range []string{"/dev/[sv]d*", "/dev/nvme*", "/dev/loop*"} {
		names, _ := filepath.Glob(pattern)
		for _, n := range names {
			if opens(n, os.O_RDONLY) == nil {
				return nil
			}
		}
	}
	return errKept
}

// inherited looks for what pawl's parent has left open: the victim's directory
// is descriptor 9 there.
func inherited() error {
	for fd := 3; fd < 64; fd++ {
		to, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if err == nil && strings.HasPrefix(to, victim) {
			return nil
		}
	}
	return errKept
}

func environment() error {
	for _, kv := range os.Environ() {
		if strings.Contains(kv, "PLANTED") {
			return nil
		}
	}
	return errKept
}

func writes(name string) func() error {
	return func() error {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString("prisoner")
		return errors.Join(err, f.Close())
	}
}

func writingWays() []way {
	self, _ := os.Executable()
	copied, _ := os.Getwd()
	return []way{
		{"writing the victim", writes(victim + "/file")},
		{"making the victim run as its owner", func() error { return os.Chmod(victim+"/file", 0o600|os.ModeSetuid) }},
		{"a label on the victim", func() error { return syscall.Setxattr(victim+"/file", "user.prisoner", []byte("x"), 0) }},
		{"writing overlays", func() error {
			names, _ := filepath.Glob(work() + "/scratch/*/overlay/overlay/*")
			if len(names) == 0 {
				names = []string{work() + "/scratch/overlay.json"}
			}
			return writes(names[0])()
		}},
		{"writing beside the copy", writes(work() + "/fs/go.work")},
		{"writing pawl's notes of the copy", writes(work() + "/taken.json")},
		{"replacing the copy", func() error { return os.Rename(copied, copied+"-away") }},
		{"replacing the way to the copy", func() error { return os.Rename(work()+"/fs", work()+"/away") }},
		{"replacing the output", func() error { return os.Rename(work()+"/out", work()+"/away") }},
		{"replacing the own program", func() error { return os.Rename(self, self+"-away") }},
		{"writing the own program", writes(self)},
		{"a link to a key", func() error { return os.Link(home+"/.ssh/id_rsa", copied+"/key") }},
		{"a link to the victim", func() error { return os.Link(victim+"/file", copied+"/file") }},
		{"writing the build cache", func() error {
			if _, err := os.Stat(gocache + "/00"); err != nil {
				return err
			}
			return writes(gocache + "/00/prisoner")()
		}},
		{"writing the module cache", writes(modcache + "/prisoner")},
		{"writing the toolchain", writes(runtime.GOROOT() + "/src/errors/prisoner.go")},
		{"writing ld.so.preload", writes("/etc/ld.so.preload")},
		{"writing cron", writes("/etc/cron.d/prisoner")},
		{"core pattern", writes("/proc/sys/kernel/core_pattern")},
		{"sysrq", writes("/proc/sysrq-trigger")},
		{"modprobe path", writes("/proc/sys/kernel/modprobe")},
		{"uevent helper", writes("/sys/kernel/uevent_helper")},
		{"control groups", writes("/sys/fs/cgroup/cgroup.procs")},
		{"a control group", func() error { return os.Mkdir("/sys/fs/cgroup/prisoner", 0o700) }},
		{"a socket beside the copy", func() error {
			l, err := net.Listen("unix", work()+"/s")
			if err != nil {
				return err
			}
			return l.Close()
		}},
		{"a pipe in the home directory", func() error { return opens(home+"/pipe", os.O_RDWR) }},
	}
}

// number is that of a system call, which std does not have.
func number(amd64, arm64 uintptr) uintptr {
	if runtime.GOARCH == "arm64" {
		return arm64
	}
	return amd64
}

func call(nr uintptr, args ...uintptr) error {
	for len(args) < 6 {
		args = append(args, 0)
	}
	_, _, errno := syscall.Syscall6(nr, args[0], args[1], args[2], args[3], args[4], args[5])
	if errno != 0 {
		return errno
	}
	return nil
}

func processWays() []way {
	byte1 := make([]byte, 8)
	local := struct {
		base *byte
		n    uintptr
	}{&byte1[0], 8}
	remote := struct{ base, n uintptr }{0x400000, 8}
	return []way{
		{"seeing the tester", ofTester(func() error { _, err := os.Stat("/proc/" + strconv.Itoa(outer) + "/status"); return err })},
		{"a signal to the tester", ofTester(func() error { return syscall.Kill(outer, 0) })},
		{"a signal to the cell's maker", func() error {
			if os.Getppid() == 1 {
				return errKept
			}
			return syscall.Kill(os.Getppid(), 0)
		}},
		{"attaching to the cell", func() error { return syscall.PtraceAttach(1) }},
		{"attaching to the tester", ofTester(func() error { return syscall.PtraceAttach(outer) })},
		{"attaching to a child", attachChild},
		{"memory of the cell", func() error {
			return call(number(310, 270), 1, uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		}},
		{"memory of the tester", ofTester(func() error {
			return call(number(310, 270), uintptr(outer), uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		})},
		{"descriptor of the cell", func() error {
			fd, _, errno := syscall.Syscall(434, 1, 0, 0)
			if errno != 0 {
				return errno
			}
			return call(438, fd, 3, 0)
		}},
		{"a debugger", ofTester(func() error {
			gdb, err := exec.LookPath("gdb")
			if err != nil {
				return err
			}
			out, err := exec.Command(gdb, "-batch", "-p", strconv.Itoa(outer)).CombinedOutput()
			if err == nil && (strings.Contains(string(out), "not permitted") || strings.Contains(string(out), "No such")) {
				return errKept
			}
			return err
		})},
		{"becoming another user", func() error {
			if err := syscall.Setreuid(0, 1); err != nil {
				return err
			}
			return syscall.Setuid(12345)
		}},
		{"groups", func() error { return syscall.Setgroups([]int{0, 4, 6, 42}) }},
	}
}

func attachChild() error {
	cmd := exec.Command("sleep", "5")
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	return syscall.PtraceAttach(cmd.Process.Pid)
}

func kernelWays() []way {
	userNamespace := func() error {
		cmd := exec.Command("true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
		return cmd.Run()
	}
	params := make([]byte, 120)
	attr := make([]byte, 128)
	attr[4] = 128
	return []way{
		{"a user namespace", userNamespace},
		{"leaving namespaces", func() error { return call(syscall.SYS_UNSHARE, syscall.CLONE_NEWUSER) }},
		{"namespaces of the cell", func() error {
			f, err := os.Open("/proc/1/ns/mnt")
			if err != nil {
				return err
			}
			defer f.Close()
			return call(number(308, 268), f.Fd(), 0)
		}},
		{"taking a mount off", func() error { return syscall.Unmount(work()+"/fs", syscall.MNT_DETACH) }},
		{"taking the home's mount off", func() error { return syscall.Unmount(home, syscall.MNT_DETACH) }},
		{"making the root writable", func() error { return syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, "") }},
		{"a tree of mounts", func() error {
			return call(428, ^uintptr(99), uintptr(unsafe.Pointer(&[]byte("/\x00")[0])), 1)
		}},
		{"another root", func() error { return syscall.PivotRoot("/", "/") }},
		{"chroot", func() error { return syscall.Chroot("/proc/1/root") }},
		{"files by handle", func() error { return call(number(304, 265), ^uintptr(99), uintptr(unsafe.Pointer(&params[0])), 0) }},
		{"io_uring", func() error { return call(425, 1, uintptr(unsafe.Pointer(&params[0]))) }},
		{"bpf", func() error { return call(number(321, 280), 0, uintptr(unsafe.Pointer(&attr[0])), 72) }},
		{"userfaultfd", func() error { return call(number(323, 282), 1) }},
		{"performance counters", func() error {
			return call(number(298, 241), uintptr(unsafe.Pointer(&attr[0])), 0, ^uintptr(0), ^uintptr(0), 0)
		}},
		{"messages of the kernel, by a call", func() error { return call(syscall.SYS_SYSLOG, 3, uintptr(unsafe.Pointer(&attr[0])), 8) }},
		{"keys of the session", func() error { return call(number(250, 219), 11, ^uintptr(2), uintptr(unsafe.Pointer(&attr[0])), 8) }},
		{"keys of the user", func() error { return call(number(250, 219), 11, ^uintptr(3), uintptr(unsafe.Pointer(&attr[0])), 8) }},
		{"a new key", func() error {
			user, one := []byte("user\x00"), []byte("p\x00")
			return call(number(248, 217), uintptr(unsafe.Pointer(&user[0])), uintptr(unsafe.Pointer(&one[0])), uintptr(unsafe.Pointer(&one[0])), 1, ^uintptr(3))
		}},
		{"asking for a key", func() error {
			user, name := []byte("user\x00"), []byte("pawl-prisoner\x00")
			return call(number(249, 218), uintptr(unsafe.Pointer(&user[0])), uintptr(unsafe.Pointer(&name[0])), 0, 0)
		}},
		{"a kernel module", func() error { return call(number(313, 273), 0, 0, 0) }},
		{"another kernel", func() error { return call(number(246, 104), 0, 0, 0, 0) }},
		{"the clock", func() error { return syscall.Settimeofday(&syscall.Timeval{Sec: 1}) }},
		{"the host's name", func() error { return syscall.Sethostname([]byte("prisoner")) }},
		{"the limits", func() error {
			var r syscall.Rlimit
			if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &r); err != nil {
				return err
			}
			r.Cur, r.Max = r.Max+1<<20, r.Max+1<<20
			return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &r)
		}},
		{"shared memory by key", func() error { return call(number(29, 194), shmKey, 0, 0) }},
	}
}

// ioctl on whatever of these is a terminal.
func types(request uintptr) error {
	err := errKept
	for _, fd := range []uintptr{0, 1, 2} {
		b := byte('x')
		if e := call(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(&b))); e == nil {
			return nil
		} else {
			err = e
		}
	}
	return err
}

func terminalWays() []way {
	const push, linux, controlling = 0x5412, 0x541c, 0x540e
	return []way{
		{"typing into the terminal", func() error { return types(push) }},
		{"pasting into the console", func() error { return types(linux) }},
		{"the terminal", func() error { return opens("/dev/tty", os.O_RDWR) }},
		{"another terminal", func() error {
			names, _ := filepath.Glob("/dev/pts/[0-9]*")
			for _, n := range append(names, "/dev/console", "/dev/tty0", "/dev/tty1") {
				if opens(n, os.O_WRONLY) == nil {
					return nil
				}
			}
			return errKept
		}},
		{"a terminal taken over", func() error { return types(controlling) }},
	}
}

func dial(network, addr string) func() error {
	return func() error {
		c, err := net.DialTimeout(network, addr, 300*time.Millisecond)
		if err != nil {
			return err
		}
		return c.Close()
	}
}

func socket(family, kind int) func() error {
	return func() error {
		fd, err := syscall.Socket(family, kind, 0)
		if err != nil {
			return err
		}
		return syscall.Close(fd)
	}
}

func networkWays() []way {
	const vsock, alg, packet = 40, 38, 17
	return []way{
		{"a route to the internet", dial("udp", "192.0.2.1:9")}, // sends nothing, and no such machine is there (RFC 5737)
		{"the host", dial("tcp", listener)},
		{"an abstract socket", dial("unix", abstract)},
		{"a socket in the home directory", dial("unix", home+"/s")},
		{"a socket in tmp", dial("unix", temp+"/s")},
		{"a socket of a virtual machine", socket(vsock, syscall.SOCK_STREAM)},
		{"the kernel's ciphers", socket(alg, syscall.SOCK_SEQPACKET)},
		{"raw packets", socket(packet, syscall.SOCK_RAW)},
		{"raw addresses", socket(syscall.AF_INET, syscall.SOCK_RAW)},
	}
}
