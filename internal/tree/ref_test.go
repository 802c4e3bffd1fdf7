package tree

import (
	"path/filepath"
	"strings"
	"testing"
)

func noEnv(string) string { return "" }

func TestResolve(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	one := w.head()
	w.git(w.root, "tag", "-a", "-m", "v1", "v1")
	w.git(w.root, "checkout", "-qb", "topic/x")
	w.write("a.go", "package proj // two\n")
	two := w.commit("find me: two")
	clone := filepath.Join(w.dir, "u", "clone")
	w.git(w.dir, "clone", "-q", w.root, clone)
	w.git(clone, "checkout", "-q", "--detach", "HEAD~1")
	w.git(clone, "branch", "-D", "topic/x")
	w.untouched()
	p, err := Locate(t.Context(), clone)
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"HEAD": one, "v1": one, "origin/topic/x": two, "refs/remotes/origin/main": one, two: two, two[:8]: two,
		"origin/topic/x~1": one, "origin/HEAD": two, ":/find me": two, "origin/topic/x^{commit}": two,
	} {
		if got, err := Resolve(t.Context(), p, ref); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", ref, got, err, want)
		}
	}
	for ref, want := range map[string]string{
		"":                      "no name of a commit",
		"-q":                    "no name of a commit",
		"--git-dir":             "no name of a commit",
		"gone":                  "no commit gone: see git branch -a, or get it with git fetch",
		"origin/gone":           "\n  git fetch origin gone:refs/remotes/origin/gone",
		"HEAD~9":                "no commit HEAD~9",
		"HEAD:go.mod":           "HEAD:go.mod is no commit",
		"HEAD^{tree}":           "is no commit",
		"v1 HEAD":               "no commit v1 HEAD",
		"v1..HEAD":              "no commit v1..HEAD",
		"topic/x":               "there is origin/topic/x",
		strings.Repeat("a", 40): "git fetch",
		"a\x00b":                "no name of a commit",
	} {
		got, err := Resolve(t.Context(), p, ref)
		if err == nil {
			t.Errorf("%q is %s", ref, got)
			continue
		}
		mustContain(t, ref, err.Error(), want)
	}
}

func TestMergeBase(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	base := w.head()
	w.git(w.root, "checkout", "-qb", "topic")
	w.write("a.go", "package proj // topic\n")
	topic := w.commit("topic")
	w.git(w.root, "checkout", "-q", "main")
	for _, name := range []string{"x", "y", "z"} {
		w.write(name, name)
		w.commit(name)
	}
	w.git(w.root, "checkout", "-q", "--orphan", "other")
	w.commit("other")
	w.git(w.root, "checkout", "-q", "main")
	w.untouched()
	p := w.locate()
	for _, ends := range [][2]string{{"main", "topic"}, {"topic", "main"}, {topic, "main"}, {"main", base}} {
		if got, err := MergeBase(t.Context(), p, ends[0], ends[1]); err != nil || got != base {
			t.Errorf("merge base of %v is %s, %v", ends, got, err)
		}
	}
	for _, ends := range [][2]string{{"main", "other"}, {"main", "gone"}, {"-a", "main"}} {
		_, err := MergeBase(t.Context(), p, ends[0], ends[1])
		if err == nil {
			t.Fatalf("%v have a merge base", ends)
		}
		want := map[string]string{"other": "unrelated", "gone": "no commit gone", "main": "no name"}[ends[1]]
		mustContain(t, "error", err.Error(), want)
	}
}

// A clone as actions/checkout makes it: one commit, HEAD detached.
func TestShallow(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.git(w.root, "checkout", "-qb", "topic")
	w.write("a.go", "package proj // topic\n")
	w.commit("topic")
	w.git(w.root, "checkout", "-q", "main")
	w.write("b.go", "package proj\n")
	w.commit("main moves on")
	clone := filepath.Join(w.dir, "u", "clone")
	w.git(w.dir, "clone", "-q", "--depth=1", "--branch=topic", "file://"+w.root, clone)
	w.git(clone, "checkout", "-q", "--detach")
	w.git(clone, "branch", "-q", "-D", "topic")
	at := func() *Place {
		p, err := Locate(t.Context(), clone)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ci := func(name string) string { return map[string]string{"GITHUB_BASE_REF": "main"}[name] }

	before := w.fingerprint()
	_, err := Resolve(t.Context(), at(), "HEAD~1")
	mustContain(t, "resolve", err.Error(), "HEAD~1", "shallow clone", "git fetch --unshallow", "fetch-depth: 0")
	_, err = DefaultBase(t.Context(), at(), ci)
	mustContain(t, "default base", err.Error(), "main", "$GITHUB_BASE_REF", "git fetch origin main:refs/remotes/origin/main", "fetch-depth: 0")
	s, err := TakeRef(t.Context(), at(), filepath.Join(w.cache, "work"), "HEAD", Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "copy", readFile(t, s.Path("a.go")), "package proj // topic\n")
	equal(t, "the user's files", w.fingerprint(), before)

	w.git(clone, "fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")
	ref, err := DefaultBase(t.Context(), at(), ci)
	equal(t, "default base", ref, "origin/main")
	equal(t, "error", err, nil)
	_, err = MergeBase(t.Context(), at(), ref, "HEAD")
	mustContain(t, "merge base", err.Error(), "shallow clone", "origin/main and HEAD", "git fetch --unshallow", "fetch-depth: 0")
	w.git(clone, "fetch", "-q", "--unshallow")
	if _, err = MergeBase(t.Context(), at(), ref, "HEAD"); err != nil {
		t.Error(err)
	}
}

func TestDefaultBase(t *testing.T) {
	t.Parallel()
	type state struct {
		name  string
		setup func(w *world)
		env   string
		want  string // or of the error, after a "!"
	}
	git := func(args ...string) func(*world) { return func(w *world) { w.git(w.root, args...) } }
	all := func(steps ...func(*world)) func(*world) {
		return func(w *world) {
			for _, s := range steps {
				s(w)
			}
		}
	}
	// remote makes w's root have one, with a branch main.
	remote := func(name, head string) func(*world) {
		return func(w *world) {
			up := filepath.Join(w.dir, name+".git")
			w.git(w.dir, "clone", "-q", "--bare", w.root, up)
			w.git(w.root, "remote", "add", name, up)
			w.git(w.root, "fetch", "-q", name)
			if head != "" {
				w.git(w.root, "update-ref", "refs/remotes/"+name+"/"+head, "HEAD")
				w.git(w.root, "symbolic-ref", "refs/remotes/"+name+"/HEAD", "refs/remotes/"+name+"/"+head)
			}
		}
	}
	topic := git("checkout", "-qb", "topic")
	for _, tt := range []state{
		{"local", topic, "", "main"},
		{"local master", all(git("branch", "-m", "master"), topic), "", "master"},
		{"remote main", all(remote("origin", ""), topic), "", "origin/main"},
		{"remote HEAD", all(remote("origin", "dev"), topic), "", "origin/dev"},
		{"remote HEAD of a branch that is gone", all(remote("origin", "dev"), topic, git("update-ref", "-d", "refs/remotes/origin/dev")), "", "origin/main"},
		{"a remote of another name", all(remote("upstream", ""), topic), "", "upstream/main"},
		{"two remotes, no origin", all(remote("one", ""), remote("two", ""), topic), "", "main"},
		{"detached", all(remote("origin", ""), git("checkout", "-q", "--detach")), "", "origin/main"},
		{"on the default branch", git("branch", "topic"), "", "!main is the default branch and has no upstream: give -base"},
		{"on the default branch with a remote", remote("origin", ""), "", "!give -base"},
		{"on the default branch with an upstream", all(remote("origin", ""), git("branch", "-q", "--set-upstream-to=origin/main")), "", "origin/main"},
		{"on a branch like no other", git("branch", "-m", "odd"), "", "!default branch is not known"},
		{"a branch that is not the default", all(remote("origin", "dev"), git("branch", "-q", "--set-upstream-to=origin/main")), "", "origin/dev"},
		{"pull request", all(git("branch", "v2"), remote("origin", ""), topic), "v2", "origin/v2"},
		{"pull request, fetched by hand", all(git("branch", "v2"), topic), "v2", "v2"},
		{"pull request into a branch that is not here", all(remote("origin", ""), topic), "v9", "!v9"},
		{"pull request on the branch of that name", remote("origin", ""), "main", "origin/main"},
		{"a tag of that name", all(topic, git("tag", "main")), "", "refs/heads/main"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newRepo(t)
			tt.setup(w)
			w.untouched()
			getenv := func(name string) string { return map[string]string{"GITHUB_BASE_REF": tt.env}[name] }
			got, err := DefaultBase(t.Context(), w.locate(), getenv)
			if want, ok := strings.CutPrefix(tt.want, "!"); ok {
				if err == nil {
					t.Fatalf("got %s", got)
				}
				mustContain(t, "error", err.Error(), want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "base", got, tt.want)
			if _, err := Resolve(t.Context(), w.locate(), got); err != nil {
				t.Error(err)
			}
		})
	}
	w := newWorld(t)
	w.write("go.mod", "module m\n")
	for what, err := range map[string]error{
		"base": second(DefaultBase(t.Context(), w.locate(), noEnv)), "ref": second(Resolve(t.Context(), w.locate(), "main")),
	} {
		if err == nil {
			t.Fatal("no error without git: ", what)
		}
		mustContain(t, what, err.Error(), "not in a git repository")
	}
}

func second(_ string, err error) error { return err }

// None of this needs the lock of the user's index, which an editor or a
// prompt may hold.
func TestLockedIndex(t *testing.T) {
	t.Parallel()
	w, ids := versions(t)
	w.write(".git/index.lock", "")
	w.untouched()
	w.take(Options{})
	w.takeRef(ids[0], Options{})
	s := w.takeRef(ids[1], Options{})
	if err := s.ApplyPatch(t.Context(), []byte("--- a/more.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package proj\n")); err != nil {
		t.Error(err)
	}
}
