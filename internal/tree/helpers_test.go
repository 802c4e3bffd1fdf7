package tree

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

// A world is a directory with a repository and a cache in it.
type world struct {
	t     *testing.T
	dir   string // canonical
	root  string // dir/u/proj
	cache string
}

// testerEnv is the environment of the tester, who has a Go cache in their home.
var testerEnv = os.Environ()

// runApart runs the tests with an empty home, apart from the tester's own
// configuration. It is one for all tests, so that they can run side by side.
func runApart(m *testing.M) (code int, err error) {
	home, err := os.MkdirTemp("", "pawl-tree-home")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(home)
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "EMAIL": "", "GIT_CONFIG_NOSYSTEM": "1",
	} {
		if err := os.Setenv(name, value); err != nil {
			return 1, err
		}
	}
	return m.Run(), nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, root: filepath.Join(dir, "u", "proj"), cache: filepath.Join(dir, "cache")}
	for _, d := range []string{w.root, w.cache} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// newRepo returns a world whose root is a repository with one commit.
func newRepo(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.needGit()
	w.git(w.root, "init", "-q", "-b", "main")
	w.write("go.mod", "module example.com/proj\n\ngo 1.25\n")
	w.write("a.go", "package proj\n\nfunc A() int {\n\treturn 1\n}\n")
	w.write("sub/b.go", "package sub\n\nfunc B() int {\n\treturn 2\n}\n")
	w.git(w.root, "add", ".")
	w.git(w.root, "commit", "-qm", "first")
	return w
}

func (w *world) needGit() {
	w.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.t.Skip("git is not installed")
	}
}

// git runs git as the user would, with a user's identity.
func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	args = append([]string{"-c", "user.name=U Ser", "-c", "user.email=u@example.com", "-c", "protocol.file.allow=always"}, args...)
	out, err := w.run(dir, "git", args...)
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args[6:], " "), err, out)
	}
	return out
}

func (w *world) run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// write writes a file; its name is relative to the root unless absolute.
func (w *world) write(name, data string) {
	w.t.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(w.root, name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) locate() *Place {
	w.t.Helper()
	p, err := Locate(w.t.Context(), w.root)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) take(opts Options) *Snapshot {
	w.t.Helper()
	s, err := Take(w.t.Context(), w.locate(), filepath.Join(w.cache, "work"), opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// unchanged fails the test if, from now to its end, anything in the user's
// directories changes but what pawl may add.
func (w *world) unchanged() {
	w.stays("/.git/objects", "/.git/refs/heads/pawl", "/.git/logs/refs/heads/pawl", "/.pawl")
}

// untouched fails the test if anything at all changes in the user's directories.
func (w *world) untouched() { w.stays() }

func (w *world) stays(but ...string) {
	before := w.fingerprint(but...)
	w.t.Cleanup(func() {
		if diff := cmp.Diff(before, w.fingerprint(but...)); diff != "" {
			w.t.Errorf("the user's files changed (-before +after):\n%s", diff)
		}
	})
}

// fingerprint returns mode, time and content of all that is the user's, but
// for paths with one of the parts.
func (w *world) fingerprint(but ...string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(w.dir, "u"), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(w.dir, p)
		slash := filepath.ToSlash(rel)
		for _, ours := range but {
			if strings.Contains(slash, ours) {
				return nil
			}
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			out[slash] = info.Mode().String() // its time changes with entries of ours
		case info.Mode()&fs.ModeSymlink != 0:
			text, _ := os.Readlink(p)
			out[slash] = "-> " + text
		case strings.Contains(slash, "/.git/sharedindex."):
			// git itself renews the time of a split index whenever it is read.
			out[slash] = info.Mode().String()
		default:
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out[slash] = fmt.Sprintf("%v %d %x", info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(data))
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// contents returns the files below dir: text, or "-> target", with "*" for an
// executable.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		if info.Mode()&fs.ModeSymlink != 0 {
			text, err := os.Readlink(p)
			out[rel] = "-> " + text
			return err
		}
		data, err := os.ReadFile(p)
		out[rel] = string(data)
		if info.Mode()&0o100 != 0 {
			out[rel] += "*"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// after returns the whole content of each file after the edits, by path: what
// Recorder.Keep takes.
func after(s *Snapshot, edits []model.Edit) (map[string][]byte, error) {
	news, err := s.edited(edits)
	files := map[string][]byte{}
	for _, n := range news {
		files[n.rel] = n.data
	}
	return files, err
}

// takeRef takes the files of a commit into the work directory of take.
func (w *world) takeRef(ref string, opts Options) *Snapshot {
	w.t.Helper()
	s, err := TakeRef(w.t.Context(), w.locate(), filepath.Join(w.cache, "work"), ref, opts)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// commit makes a commit of all that is there and returns its id.
func (w *world) commit(message string) string {
	w.t.Helper()
	w.git(w.root, "add", "-A", ".")
	w.git(w.root, "commit", "-qm", message)
	return w.head()
}

func (w *world) head() string { return strings.TrimSpace(w.git(w.root, "rev-parse", "HEAD")) }

// checkout returns what git itself makes of a commit, in a clone.
func (w *world) checkout(commit string, settings ...string) map[string]string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "clone")
	args := []string{"clone", "-q", "--no-checkout"}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	w.git(w.dir, append(args, w.root, dir)...)
	w.git(dir, "checkout", "-q", "--detach", commit)
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		w.t.Fatal(err)
	}
	return contents(w.t, dir)
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func mustContain(t *testing.T, what, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q does not contain %q", what, got, want)
		}
	}
}

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func crlf(s string) string { return string(bytes.ReplaceAll([]byte(s), []byte("\n"), []byte("\r\n"))) }
