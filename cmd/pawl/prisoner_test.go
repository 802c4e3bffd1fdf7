//go:build linux

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A prison is a user's world with secrets in it, and the module in
// testdata/prisoner, whose tests try all ways out that are known.
type prison struct {
	t                              *testing.T
	root, tree, home, victim, temp string
	cache, gocache, modcache, pawl string
	as                             []string // a command that runs pawl in another way; none as it is
	before                         map[string]string
	listener, abstract             string
	doors                          *os.File // left open, as descriptor 9
	shm                            int
}

// planted is in every secret.
const planted = "PLANTED-fe0c4a91"

func newPrison(t *testing.T, allowed string) *prison {
	t.Helper()
	if !hasSandbox() {
		t.Skip("this system allows no sandbox")
	}
	pawl, err := exec.LookPath("pawl") // TestMain puts it there
	if err != nil {
		t.Fatal(err)
	}
	// Not in a directory for temporary files, which is hidden as such.
	base, err := os.MkdirTemp("/var/tmp/..", "pawl-prison-")
	if err != nil {
		if base, err = os.MkdirTemp("", "pawl-prison-"); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.EvalSymlinks(base)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	p := &prison{t: t, root: root, tree: root + "/src/prisoner", home: root + "/home", victim: root + "/victim", temp: root + "/temp",
		cache: root + "/cache", modcache: root + "/modcache", pawl: root + "/bin/pawl"}
	p.gocache = p.goenv("GOCACHE")
	data, err := os.ReadFile(pawl)
	if err != nil {
		t.Fatal(err)
	}
	p.write(p.pawl, string(data), 0o755)
	p.doorsAndWindows()
	for name, text := range map[string]string{
		p.home + "/.ssh/id_rsa": "-----BEGIN " + planted, p.home + "/notes.txt": planted, p.home + "/.config/go/env": "GONOPROXY=" + planted + "\n", p.home + "/.gitconfig": "# " + planted,
		p.tree + "/.env": "KEY=" + planted, p.tree + "/.pawl/runs/20200101T000000-try/run.json": `{"schema":1,"id":"20200101T000000-try","dir":"` + planted + `"}`,
		p.victim + "/file": planted, p.root + "/private/file": planted, p.temp + "/planted": planted,
		p.cache + "/pawl/find/planted": planted, p.cache + "/pawl/work/0123456789abcdef/fs/secret": planted,
	} {
		p.write(name, text, 0o600)
	}
	if err := errors.Join(os.Chmod(p.root+"/private", 0o700), os.Chmod(p.root, 0o755)); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("testdata/prisoner/*")
	if err != nil || len(sources) < 4 {
		t.Fatal(sources, err)
	}
	for _, name := range sources {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p.write(filepath.Join(p.tree, strings.TrimSuffix(filepath.Base(name), ".txt")), string(data), 0o644)
	}
	cmd, err := os.ReadFile("/proc/self/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var consts strings.Builder
	for name, value := range map[string]string{"home": p.home, "tree": p.tree, "victim": p.victim, "private": p.root + "/private", "temp": p.temp, "cache": p.cache, "gocache": p.gocache,
		"modcache": p.modcache, "listener": p.listener, "abstract": p.abstract, "allowed": allowed, "outerCmd": string(cmd)} {
		fmt.Fprintf(&consts, "const %s = %q\n", name, value)
	}
	fmt.Fprintf(&consts, "const outer = %d\nconst shmKey = %d\nconst verbose = false\n", os.Getpid(), p.shm)
	p.write(p.tree+"/world_test.go", "package prisoner\n\n"+consts.String(), 0o644)
	p.write(p.tree+"/.gitignore", ".env\n", 0o644)
	p.git("init", "-q", "-b", "main")
	p.git("add", ".")
	p.git("commit", "-qm", "first")
	p.write(p.root+"/faster.patch", fasterPatch, 0o644)
	p.before = p.state()
	return p
}

// fasterPatch is a change that tests and benchmarks have to judge.
const fasterPatch = `--- a/prisoner.go
+++ b/prisoner.go
@@ -7,9 +7,9 @@
 
 // Join puts words one after the other.
 func Join(words []string) string {
-	s := ""
+	var b strings.Builder
 	for _, w := range words {
-		s += strings.ToUpper(w)
+		b.WriteString(strings.ToUpper(w))
 	}
-	return s
+	return b.String()
 }
`

func (p *prison) goenv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (p *prison) write(name, text string, mode fs.FileMode) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		p.t.Fatal(err)
	}
}

// doorsAndWindows opens what a process outside the sandbox could reach.
func (p *prison) doorsAndWindows() {
	p.t.Helper()
	for _, dir := range []string{p.home, p.temp, p.victim, p.modcache} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	p.abstract = "@pawl-prison-" + strconv.Itoa(os.Getpid())
	for network, addrs := range map[string][]string{"tcp": {"127.0.0.1:0"}, "unix": {p.abstract, p.home + "/s", p.temp + "/s"}} {
		for _, addr := range addrs {
			l, err := net.Listen(network, addr)
			if err != nil {
				p.t.Fatal(err)
			}
			p.t.Cleanup(func() { _ = l.Close() })
			if network == "tcp" {
				p.listener = l.Addr().String()
			}
		}
	}
	if err := syscall.Mkfifo(p.home+"/pipe", 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile("/dev/shm/pawl-prisoner-planted", []byte(planted), 0o666); err == nil {
		p.t.Cleanup(func() { _ = os.Remove("/dev/shm/pawl-prisoner-planted") })
	}
	p.shm = 0x7061776c
	if id, err := unix.SysvShmGet(p.shm, 4096, unix.IPC_CREAT|0o666); err == nil {
		p.t.Cleanup(func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	}
	var err error
	if p.doors, err = os.Open(p.victim); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = p.doors.Close() })
}

func (p *prison) env() []string {
	env := []string{
		"HOME=" + p.home, "XDG_CACHE_HOME=" + p.cache, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + p.temp, "GOCACHE=" + p.gocache, "GOMODCACHE=" + p.modcache,
		"GOTELEMETRY=off", "GOTOOLCHAIN=local", "GIT_CONFIG_NOSYSTEM=1", "GOPROXY=https://u:" + planted + "@proxy.invalid",
	}
	for _, name := range []string{"DATABASE_URL", "GITHUB_TOKEN", "MYSQL_PWD", "NPM_AUTH", "SENTRY_DSN", "STRIPE_KEY", "SESSION_COOKIE", "MY_PASS", "SLACK_WEBHOOK",
		"AZURE_STORAGE_CONNECTION_STRING", "AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY", "INNOCENT"} {
		env = append(env, name+"="+planted)
	}
	return env
}

func (p *prison) git(args ...string) {
	p.t.Helper()
	git(p.t, p.tree, append(os.Environ(), "HOME="+p.root), args...)
}

// run runs pawl, with a descriptor of the victim left open.
func (p *prison) run(args ...string) string {
	p.t.Helper()
	argv := append(append(p.as, p.pawl), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.tree, p.env()
	cmd.ExtraFiles = []*os.File{p.doors, p.doors, p.doors, p.doors, p.doors, p.doors, p.doors}
	out, err := cmd.CombinedOutput()
	p.t.Logf("pawl %s: %v\n%s", strings.Join(args, " "), err, out)
	if strings.Contains(string(out), "ESCAPED") {
		p.t.Errorf("pawl %s: a way out", strings.Join(args, " "))
	}
	if strings.Contains(string(out), planted) {
		p.t.Errorf("pawl %s: a secret is in the output", strings.Join(args, " "))
	}
	if diff := cmp.Diff(p.before, p.state()); diff != "" {
		p.t.Errorf("pawl %s: the user's files: -want +got:\n%s", strings.Join(args, " "), diff)
	}
	return string(out)
}

// state is what nobody may change: all files of the user's, but for what pawl
// itself keeps.
func (p *prison) state() map[string]string {
	p.t.Helper()
	out := make(map[string]string)
	for _, root := range []string{p.home, p.tree, p.victim, p.cache + "/pawl/find", p.cache + "/pawl/work/0123456789abcdef", p.modcache} {
		err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(p.root, at)
			switch {
			case err != nil:
				return err
			case d.IsDir() && (rel == "src/prisoner/.git" || strings.HasPrefix(rel, "src/prisoner/.pawl/runs/2") && !strings.Contains(rel, "20200101")),
				d.IsDir() && (rel == "modcache/cache" || rel == "home/.config/go/telemetry"):
				return filepath.SkipDir
			case strings.HasPrefix(rel, "cache/pawl/find/") && !strings.HasSuffix(rel, "planted"):
				return nil
			case rel == "src/prisoner/.pawl/journal.jsonl", rel == "src/prisoner/.pawl/.gitignore", strings.HasPrefix(rel, "src/prisoner/.pawl/cache"):
				return nil
			case d.Type().IsRegular():
				data, err := os.ReadFile(at)
				out[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
				return err
			}
			out[rel] = d.Type().String()
			return nil
		})
		if err != nil {
			p.t.Error(err)
		}
	}
	delete(out, "src/prisoner/.pawl/cache")
	return out
}

// measured checks that pawl came so far as to run the module's tests.
func (p *prison) measured(out string, want ...string) {
	p.t.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			p.t.Errorf("the run did not come to %q", w)
		}
	}
}

// The ways out of the sandbox, one prison after the other: what is planted in shared memory, and the abstract socket, have one name.
func TestPrisoner(t *testing.T) {
	long(t, "runs pawl several times")
	t.Run("verbs", prisonerOfVerbs)
	t.Run("partly", prisonerPartly)
	t.Run("as user", prisonerAsUser)
	t.Run("build", prisonerBuild)
}

// No verb, and no phase of it, lets a prisoner out.
func prisonerOfVerbs(t *testing.T) {
	p := newPrison(t, "")
	p.measured(p.run("try", "-sandbox", "-q", "-budget", "3m", "-per-change", "20s", p.root+"/faster.patch"), "Join", "Kept: ")
	p.measured(p.run("compare", "-sandbox", "-q", "-budget", "20s", "HEAD", "HEAD"), "Join")
	p.measured(p.run("bench-stub", "-sandbox", "Join"), "func Benchmark")
	p.measured(p.run("optimize", "-sandbox", "-q", "-budget", "30s", "-per-change", "500ms"), "Join")
	p.measured(p.run("find", "-sandbox", "-q", "-bench", "."), "Join")
}

// Under landlock alone, what docs/sandbox.md names as not kept in may get out,
// and nothing else.
func prisonerPartly(t *testing.T) {
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("no unshare command")
	}
	p := newPrison(t, "a route to the internet,the host,a socket in the home directory,a socket in tmp,shared memory by key,seeing the tester,a signal to the cell's maker")
	p.as = []string{unshare, "--user", "--map-root-user", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces || exit 99; exec "$0" "$@"`}
	if out := p.run("try", "-sandbox", "-q", p.root+"/faster.patch"); !strings.Contains(out, "allows no sandbox") {
		t.Skip("user namespaces cannot be forbidden here: ", out)
	}
	p.measured(p.run("try", "-sandbox=try", "-q", "-budget", "3m", "-per-change", "20s", p.root+"/faster.patch"), "Join", "sandbox of tests and benchmarks is partial")
}

// As an ordinary user it is the same.
func prisonerAsUser(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("only root becomes another user, with setpriv")
	}
	as := []string{setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"}
	if out, err := exec.Command(as[0], append(as[1:], "true")...).CombinedOutput(); err != nil { // such as where / is root's alone
		t.Skipf("another user can run nothing here: %v\n%s", err, out)
	}
	p := newPrison(t, "")
	p.gocache = p.root + "/gocache"
	const nobody = 65534
	err = filepath.WalkDir(p.root, func(at string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(at, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
	p.as = as
	p.measured(p.run("try", "-sandbox", "-q", "-budget", "3m", "-per-change", "20s", p.root+"/faster.patch"), "Join", "Kept: ")
}

// What a C compiler or an assembler would read for a module does not get into it,
// nor into what is said about it.
func prisonerBuild(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"an assembler": {"zz.s": "#include %q\n", "zz.go": "package prisoner\n\nfunc asm()\n"},
		"a C include":  {"zz.go": "package prisoner\n\n// #include %q\nimport \"C\"\n"},
		"C data":       {"zz.c": "__asm__(\".incbin \\\"\" %q \"\\\"\");\n", "zz.go": "package prisoner\n\nimport \"C\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPrison(t, "")
			if _, err := exec.LookPath("gcc"); err != nil && strings.Contains(name, "C") {
				t.Skip("no C compiler")
			}
			for file, text := range files {
				if strings.Contains(text, "%q") {
					text = fmt.Sprintf(text, p.home+"/notes.txt")
				}
				p.write(filepath.Join(p.tree, file), text, 0o644)
			}
			p.git("add", ".")
			p.git("commit", "-qm", "reads")
			p.before = p.state()
			for _, args := range [][]string{{"try", "-sandbox", "-q", p.root + "/faster.patch"}, {"compare", "-sandbox", "-q", "-budget", "5s", "HEAD", "HEAD"}, {"find", "-sandbox", "-q", "-bench", "."}} {
				out := p.run(args...)
				if l := strings.ToLower(out); !strings.Contains(l, "no such file") && !strings.Contains(l, "file not found") && !strings.Contains(l, "permission denied") {
					t.Error("no compiler asked for the file")
				}
			}
		})
	}
}
