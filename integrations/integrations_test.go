// Package integrations holds what carries pawl to other places: the script
// behind the GitHub action, and a pre-push hook. Its tests run both against a
// pawl that only pretends, and real git.
package integrations

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// stub is a pawl that notes how it was called, writes the report that it is
// told to, and exits as it is told to.
const stub = `#!/bin/sh
printf '%s\n' "$@" >"$STUB_ARGS"
[ -z "$(cat)" ] || echo 'something on stdin' >>"$STUB_ARGS"
if [ "$1" = gate ] && [ "$2" = -o ] && [ -n "${STUB_FIRST:-}" ]; then
	printf '**%s**\n\n| the | table |\n' "$STUB_FIRST" >"$3/gate.md"
	printf '{"benchmarks": [{\n"standing": "%s"\n}]}\n' "${STUB_STANDING:-undecided}" >"$3/gate.json"
fi
echo '::error::from a benchmark'
echo 'pawl: in its own words' >&2
exit "${STUB_CODE:-0}"
`

// A bed is a directory with the stub on the PATH, and without the user's git
// configuration.
type bed struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newBed(t *testing.T) *bed {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	for _, tool := range []string{"sh", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	b := &bed{t: t, dir: t.TempDir()}
	bin := filepath.Join(b.dir, "bin")
	b.mkdir("bin", "home", "temp")
	b.write("bin/pawl", stub)
	if err := os.Chmod(filepath.Join(bin, "pawl"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.env = map[string]string{
		"PATH": bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME": filepath.Join(b.dir, "home"),
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@localhost", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost",
		"STUB_ARGS": filepath.Join(b.dir, "args"), "RUNNER_TEMP": filepath.Join(b.dir, "temp"),
		"GITHUB_STEP_SUMMARY": filepath.Join(b.dir, "summary"), "GITHUB_OUTPUT": filepath.Join(b.dir, "output"),
	}
	return b
}

func (b *bed) mkdir(names ...string) {
	b.t.Helper()
	for _, n := range names {
		if err := os.MkdirAll(filepath.Join(b.dir, n), 0o777); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bed) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// read returns a file that was written, or "" where there is none; the file is
// removed.
func (b *bed) read(name string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err := errors.Join(err, os.Remove(path)); err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// run runs a command in a directory of the bed and returns its exit code and all
// of its output.
func (b *bed) run(dir string, env map[string]string, args ...string) (int, string) {
	b.t.Helper()
	var out bytes.Buffer
	code := b.writing(&out, dir, env, args...)
	return code, out.String()
}

// writing runs a command as run does, with its output to w.
func (b *bed) writing(w io.Writer, dir string, env map[string]string, args ...string) int {
	b.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = filepath.Join(b.dir, dir)
	for _, vars := range []map[string]string{b.env, env} {
		for k, v := range vars {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
	}
	cmd.Stdout, cmd.Stderr = w, w
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// git runs git and expects it to do what it is told.
func (b *bed) git(dir string, args ...string) string {
	b.t.Helper()
	code, out := b.run(dir, nil, append([]string{"git"}, args...)...)
	if code != 0 {
		b.t.Fatalf("git %v: exit code %d\n%s", args, code, out)
	}
	return strings.TrimSpace(out)
}

// repository makes a bare remote with a branch main, and a clone of it in
// "work" on a branch topic that is some commits ahead of main and behind it.
func (b *bed) repository(commits int) {
	b.t.Helper()
	b.git("", "init", "-q", "--bare", "-b", "main", "remote.git")
	b.git("", "clone", "-q", "remote.git", "work")
	b.git("work", "switch", "-q", "-c", "main")
	b.commit("work", "first")
	b.git("work", "push", "-q", "origin", "main")
	b.git("work", "remote", "set-head", "origin", "main")
	b.git("work", "switch", "-q", "-c", "topic")
	for range commits {
		b.commit("work", "topic")
	}
	b.git("work", "switch", "-q", "main")
	for range commits {
		b.commit("work", "main")
	}
	b.git("work", "tag", "v1.0")
	b.git("work", "push", "-q", "origin", "main", "v1.0", "topic")
	b.git("work", "switch", "-q", "topic")
}

func (b *bed) commit(dir, text string) {
	b.t.Helper()
	b.git(dir, "commit", "-q", "--allow-empty", "-m", text)
}

func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A benchmark that fails on the candidate alone fails the step, though other
// undecided ones do not.
func TestGateScriptFailedBenchmark(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("plain")
	env := map[string]string{"STUB_CODE": "4", "STUB_FIRST": "undecided: 1 of 3", "STUB_STANDING": "failed"}
	if code, said := b.run("plain", env, "sh", script(t, "gate.sh"), "run"); code != 4 || !strings.Contains(said, "::error title") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

func TestGateScript(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("plain")
	for _, c := range []struct {
		name, code, first, fail string
		want                    int
		summary, output, said   string
	}{
		{"clean", "0", "clean: 3 of 3", "true", 0, "**clean: 3 of 3**\n", "exit-code=0\nresult=clean\n", ""},
		{"regressed", "1", "regressed: 1 of 3", "true", 1, "**regressed: 1 of 3**\n", "exit-code=1\nresult=regressed\n", "::error title=pawl gate::regressed: 1 of 3\n"},
		{"regressed, whatever of undecided", "1", "regressed: 1 of 3", "false", 1, "**regressed: 1 of 3**\n", "exit-code=1\nresult=regressed\n", "::error title"},
		{"undecided", "4", "undecided: 2 of 3 (100% x)", "true", 4, "**undecided: 2 of 3 (100% x)**\n", "exit-code=4\nresult=undecided\n", "::error title=pawl gate::undecided: 2 of 3 (100%25 x)\n"},
		{"undecided, let pass", "4", "undecided: 2 of 3", "false", 0, "**undecided: 2 of 3**\n", "exit-code=4\nresult=undecided\n", "::warning title=pawl gate::undecided: 2 of 3\n"},
		{"undecided, by default", "4", "undecided: 2 of 3", "", 0, "**undecided: 2 of 3**\n", "exit-code=4\nresult=undecided\n", "::warning title=pawl gate::undecided: 2 of 3\n"},
		{"nothing compared", "4", "nothing compared", "", 4, "**nothing compared**\n", "exit-code=4\nresult=undecided\n", "::error title"},
		{"could not", "3", "", "false", 3, "**pawl gate came to no answer (exit code 3)**\n\n    pawl: in its own words\n", "exit-code=3\nresult=failed\n", "::error title"},
		{"could not, half a report", "3", "clean: 1 of 1", "true", 3, "**pawl gate came to no answer (exit code 3)**\n", "result=failed\n", "::error title"},
		{"usage", "2", "", "true", 2, "**pawl gate came to no answer (exit code 2)**\n", "exit-code=2\nresult=usage\n", "::error title=pawl gate::pawl: in its own words\n"},
		{"clean without a report", "0", "", "true", 3, "**pawl gate came to no answer (exit code 3)**\n", "exit-code=3\nresult=failed\n", "::error title"},
		{"killed", "137", "", "false", 137, "**pawl gate came to no answer (exit code 137)**\n", "exit-code=137\nresult=failed\n", "::error title"},
		{"neither true nor false", "4", "undecided: 1 of 1", "maybe", 2, "**pawl gate did not run: fail-on-undecided is neither true nor false**\n", "exit-code=2\nresult=usage\n", "::error title"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, said := b.run("plain", map[string]string{"STUB_CODE": c.code, "STUB_FIRST": c.first, "PAWL_FAIL_ON_UNDECIDED": c.fail}, "sh", script(t, "gate.sh"), "run")
			if code != c.want {
				t.Errorf("exit code %d, want %d\n%s", code, c.want, said)
			}
			if got := b.read("summary"); !strings.HasPrefix(got, c.summary) {
				t.Errorf("summary:\n%s", got)
			}
			if got := b.read("output"); !strings.Contains(got, c.output) {
				t.Errorf("outputs:\n%s", got)
			}
			if !strings.Contains(said, c.said) || c.said == "" && strings.Contains(said, "::error title") {
				t.Errorf("said:\n%s\nwant %q", said, c.said)
			}
			stop := regexp.MustCompile(`(?s)::stop-commands::(\S+)\n.*::error::from a benchmark.*\n::(\S+)::\n`).FindStringSubmatch(said)
			if c.fail != "maybe" && (stop == nil || stop[1] != stop[2] || len(stop[1]) < 20) {
				t.Errorf("what the benchmarks print can be read as a command:\n%s", said)
			}
		})
	}
}

func TestGateScriptPassesInputsAsData(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("plain/sub")
	b.write("plain/sub/go.mod", "module m\n")
	env := map[string]string{
		"STUB_FIRST": "clean: 1 of 1", "PAWL_DIRECTORY": "sub", "PAWL_PACKAGES": "./... * ./a;id", "PAWL_BENCH": "A$(touch x)|`touch y`'\"",
		"PAWL_BUDGET": "5m; touch z", "PAWL_MIN_EFFECT": "0.02", "PAWL_ALPHA": "0.01", "PAWL_BASELINE": "my file",
	}
	if code, said := b.run("plain", env, "sh", script(t, "gate.sh"), "run"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	want := strings.Join([]string{"gate", "-o", filepath.Join(b.dir, "temp", "pawl"), "-strict", "-bench", env["PAWL_BENCH"], "-budget", "5m; touch z",
		"-min-effect", "0.02", "-alpha", "0.01", "-baseline", "my file", "--", "./...", "*", "./a;id", ""}, "\n")
	if got := b.read("args"); got != want {
		t.Errorf("pawl was called with\n%s\nwant\n%s", got, want)
	}
	files, err := os.ReadDir(filepath.Join(b.dir, "plain", "sub"))
	if err != nil || len(files) != 1 {
		t.Errorf("something ran: %v, %v", files, err)
	}
	env["PAWL_BASE"] = "--upload-pack=touch x"
	b.git("plain", "init", "-q")
	if code, said := b.run("plain", env, "sh", script(t, "gate.sh"), "run"); code != 2 {
		t.Errorf("a base that is an option: exit code %d\n%s", code, said)
	}
}

// Where no runner gives the job a directory, the report goes to a new one: what
// others have below TMPDIR stays.
func TestGateScriptWithoutRunner(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("plain", "temp/pawl")
	b.write("temp/pawl/mine", "of somebody else")
	env := map[string]string{"STUB_FIRST": "clean: 1 of 1", "RUNNER_TEMP": "", "TMPDIR": filepath.Join(b.dir, "temp")}
	code, said := b.run("plain", env, "sh", script(t, "gate.sh"), "run")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	named := regexp.MustCompile(`report and samples go to (\S+)`).FindStringSubmatch(said)
	if named == nil {
		t.Fatalf("the directory is not named:\n%s", said)
	}
	if _, err := os.Stat(filepath.Join(named[1], "gate.md")); err != nil {
		t.Error(err)
	}
	if b.read("temp/pawl/mine") == "" {
		t.Error("a directory of somebody else was removed")
	}
}

// Checkouts of CI hold one commit: the script fetches until there is a merge
// base, and says what it is.
func TestGateScriptFetchesHistory(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.repository(60) // more than the first step
	want := b.git("work", "merge-base", "main", "topic")
	for _, c := range []struct {
		name, clone string
		env         map[string]string
		base        string // what pawl is told, or nothing
	}{
		{"pull request", "--depth=1", map[string]string{"GITHUB_BASE_REF": "main"}, "origin/main"},
		{"merge of a pull request", "pull", map[string]string{"GITHUB_BASE_REF": "main"}, "origin/main"},
		{"branch as input", "--depth=1", map[string]string{"PAWL_BASE": "main", "GITHUB_BASE_REF": "other"}, "origin/main"},
		{"default branch", "--depth=1", nil, "origin/main"},
		{"tag", "--depth=1", map[string]string{"PAWL_BASE": "v1.0"}, "v1.0"},
		{"commit before", "--depth=1", map[string]string{"PAWL_BASE": "HEAD~1"}, "HEAD~1"},
		{"whole clone", "--no-single-branch", map[string]string{"PAWL_BASE": "main"}, "origin/main"},
		{"no such branch", "--depth=1", map[string]string{"PAWL_BASE": "nowhere"}, "nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.RemoveAll(filepath.Join(b.dir, "ci")); err != nil {
				t.Fatal(err)
			}
			b.clone(c.clone)
			env := map[string]string{"STUB_FIRST": "clean: 1 of 1"}
			for k, v := range c.env {
				env[k] = v
			}
			code, said := b.run("ci", env, "sh", script(t, "gate.sh"), "run")
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, said)
			}
			if args := b.read("args"); !strings.Contains(args, "\n-base\n"+c.base+"\n") {
				t.Errorf("pawl was called with\n%s\nwant -base %s", args, c.base)
			}
			if c.base == "nowhere" {
				return // pawl says that it is not there
			}
			base := want
			switch {
			case c.base == "HEAD~1":
				base = b.git("ci", "rev-parse", "HEAD~1")
			case c.clone == "pull":
				base = b.git("ci", "rev-parse", "HEAD^1")
			}
			if got := b.git("ci", "merge-base", c.base, "HEAD"); got != base {
				t.Errorf("the merge base is %s, want %s", got, base)
			}
		})
	}
}

// clone makes "ci", with one commit of topic, or of a merge of it into main as
// GitHub makes it for a pull request, or with everything.
func (b *bed) clone(how string) {
	b.t.Helper()
	url := "file://" + filepath.Join(b.dir, "remote.git")
	if how != "pull" {
		b.git("", "clone", "-q", how, "-b", "topic", url, "ci")
		b.git("ci", "checkout", "-q", "--detach")
		return
	}
	merge := b.git("work", "commit-tree", "-p", "main", "-p", "topic", "-m", "merge", "main^{tree}")
	b.git("work", "push", "-q", "origin", merge+":refs/pull/1/merge")
	b.git("", "init", "-q", "ci")
	b.git("ci", "remote", "add", "origin", url)
	b.git("ci", "fetch", "-q", "--no-tags", "--depth=1", "origin", "+"+merge+":refs/remotes/pull/1/merge")
	b.git("ci", "checkout", "-q", "refs/remotes/pull/1/merge")
}

func TestPrePush(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.repository(2)
	hook, err := os.ReadFile("pre-push")
	if err != nil {
		t.Fatal(err)
	}
	b.write("work/.git/hooks/pre-push", string(hook))
	if err := os.Chmod(filepath.Join(b.dir, "work/.git/hooks/pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	on := func(branch string) func() { return func() { b.git("work", "switch", "-q", branch) } }
	env := func(kv ...string) map[string]string {
		m := make(map[string]string)
		for i := 0; i < len(kv); i += 2 {
			m[kv[i]] = kv[i+1]
		}
		return m
	}
	main := b.git("work", "rev-parse", "main")
	for _, c := range []struct {
		name   string
		before func()
		env    map[string]string
		push   string
		pushed bool
		args   string // of pawl; empty when it is not to be called
		said   string
	}{
		{"clean", on("topic"), nil, "origin topic", true, "gate -strict -base origin/main -budget 2m", ""},
		{"regressed", on("topic"), env("STUB_CODE", "1"), "origin topic", false, "gate -strict -base origin/main -budget 2m", "the push is blocked"},
		{"regressed, not verified", on("topic"), env("STUB_CODE", "1"), "--no-verify origin topic", true, "", ""},
		{"regressed, skipped", on("topic"), env("STUB_CODE", "1", "PAWL_SKIP", "1"), "origin topic", true, "", ""},
		{"undecided", on("topic"), env("STUB_CODE", "4"), "origin topic", true, "gate -strict -base origin/main -budget 2m", "not everything could be decided; the push goes on"},
		{"undecided, strict", on("topic"), env("STUB_CODE", "4", "PAWL_STRICT", "1"), "origin topic", false, "gate -strict -base origin/main -budget 2m", "PAWL_STRICT=1 blocks the push"},
		{"could not", on("topic"), env("STUB_CODE", "3"), "origin topic", true, "gate -strict -base origin/main -budget 2m", "could not do its work (exit code 3)"},
		{"could not, strict", on("topic"), env("STUB_CODE", "3", "PAWL_STRICT", "1"), "origin topic", false, "gate -strict -base origin/main -budget 2m", "could not do its work"},
		{"settings", on("topic"), env("PAWL_BUDGET", "30s", "PAWL_BASELINE", "a b", "PAWL_DIRECTORY", "sub", "PAWL_PACKAGES", "./x ./y"), "origin topic", true,
			"gate -strict -base origin/main -budget 30s -baseline a b -C sub -- ./x ./y", ""},
		{"two names of one state", on("topic"), nil, "origin topic topic:copy", true, "gate -strict -base origin/main -budget 2m", ""},
		{"default branch", on("main"), env("STUB_CODE", "1"), "origin main", false, "gate -strict -base " + main + " -budget 2m", "blocked"},
		{"not checked out", on("topic"), env("STUB_CODE", "1"), "origin main", true, "", "main is not what is checked out, so it is not compared"},
		{"not checked out, strict", on("topic"), env("PAWL_STRICT", "1"), "origin main", false, "", "main is not what is checked out"},
		{"tag", on("topic"), env("STUB_CODE", "1"), "origin refs/tags/v2", true, "", ""},
		{"deletion", on("topic"), env("STUB_CODE", "1"), "--delete origin gone", true, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			c.before()
			b.git("work", "push", "-q", "--no-verify", "origin", "--force", main+":refs/heads/main", "main:refs/heads/gone", ":refs/heads/topic", ":refs/heads/copy", ":refs/tags/v2")
			b.git("work", "tag", "-f", "v2")
			b.git("work", "update-ref", "refs/remotes/origin/main", main)
			if strings.Contains(c.push, "main") {
				tree := b.git("work", "rev-parse", "main^{tree}")
				b.git("work", "update-ref", "refs/heads/main", b.git("work", "commit-tree", "-p", main, "-m", "more", tree))
				defer b.git("work", "update-ref", "refs/heads/main", main)
			}
			code, said := b.run("work", c.env, append([]string{"git", "push"}, strings.Fields(c.push)...)...)
			if (code == 0) != c.pushed {
				t.Errorf("exit code %d\n%s", code, said)
			}
			if got := strings.Join(strings.Split(strings.TrimSpace(b.read("args")), "\n"), " "); got != c.args {
				t.Errorf("pawl was called with %q, want %q", got, c.args)
			}
			if !strings.Contains(said, c.said) {
				t.Errorf("said\n%s\nwant %q", said, c.said)
			}
		})
	}
}

// Without pawl the hook says so, and does not stand in the way.
func TestPrePushWithoutPawl(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.repository(1)
	if err := os.Remove(filepath.Join(b.dir, "bin/pawl")); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("pawl"); err == nil {
		t.Skip("there is another pawl on the PATH")
	}
	head := b.git("work", "rev-parse", "HEAD")
	zero := strings.Repeat("0", len(head))
	for strict, want := range map[string]int{"0": 0, "1": 1} {
		cmd := "printf 'refs/heads/topic " + head + " refs/heads/topic " + zero + "\\n' | sh '" + script(t, "pre-push") + "' origin url"
		code, said := b.run("work", map[string]string{"PAWL_STRICT": strict}, "sh", "-c", cmd)
		if code != want || !strings.Contains(said, "pawl is not on the PATH") {
			t.Errorf("PAWL_STRICT=%s: exit code %d\n%s", strict, code, said)
		}
	}
}

// A reader is somebody who looks at a log, and makes a file once a text stands in it.
type reader struct {
	log        bytes.Buffer
	text, file string
}

func (r *reader) Write(p []byte) (int, error) {
	r.log.Write(p)
	if strings.Contains(r.log.String(), r.text) {
		return len(p), os.WriteFile(r.file, nil, 0o666)
	}
	return len(p), nil
}

// What pawl says is in the job's log before it ends: this one ends well only if
// somebody has read it.
func TestGateSaysWhileItRuns(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.mkdir("plain")
	b.write("bin/pawl", `#!/bin/sh
echo 'pawl: measuring' >&2
tries=0
until [ -e "$STUB_ARGS" ]; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || exit 3
	sleep 0.1
done
printf '**clean: 1 of 1**\n' >"$3/gate.md"
`)
	r := &reader{text: "pawl: measuring", file: b.env["STUB_ARGS"]}
	if code := b.writing(r, "plain", nil, "sh", script(t, "gate.sh"), "run"); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.log.String())
	}
}
