package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// The commands of the tutorials run, one after the other, in a copy of an example or of a published module. Their
// answers and exit codes are those that the page shows, and the whole output of commands that measure nothing; figures
// are another machine's.
func TestTutorials(t *testing.T) {
	long(t, "measures for some minutes")
	for page, from := range tutorials {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(from, "@") { // takes longest: one commit in six
				sample.One(t, 6)
			}
			text, err := os.ReadFile("../../docs/" + page + ".md")
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(startOf(t, from))); err != nil {
				t.Fatal(err)
			}
			pawl, err := exec.LookPath("pawl")
			if err != nil {
				t.Fatal(err)
			}
			env := append(os.Environ(), "PATH="+filepath.Dir(pawl)+string(filepath.ListSeparator)+os.Getenv("PATH"), "COLUMNS=80",
				"XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+goCache(t),
				"GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@localhost", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@localhost")
			git(t, dir, env, "init", "-q", "-b", "main")
			git(t, dir, env, "add", ".")
			git(t, dir, env, "commit", "-q", "-m", "first")
			for _, step := range tutorialSteps(string(text)) {
				cmd := exec.Command("sh", "-c", step.command)
				cmd.Dir, cmd.Env, cmd.Stderr = dir, env, t.Output()
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v\n%s", step.command, err, out)
				}
				got, want := answer(string(out)), answer(step.output)
				if still.MatchString(step.command) {
					got, want = shown(string(out), step.output)
				}
				if got != want {
					t.Fatalf("%s answers\n%s\nand not\n%s\nas the page says:\n%s", step.command, got, want, out)
				}
			}
		})
	}
}

// startOf is the directory of an example, or of a module that is named with its version.
func startOf(t *testing.T, from string) string {
	if !strings.Contains(from, "@") {
		return "../../examples/" + from
	}
	cmd := exec.Command("go", "mod", "download", "-json", from)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s cannot be had: %v", from, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	return module.Dir
}

// goCache is where the go command keeps what it compiled.
func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// tutorials are the pages with the example or module that each begins with.
var tutorials = map[string]string{
	"first-ten-minutes": "wire",
	"agent-tries":       "wire",
	"gate-a-repository": "wire",
	"slow-service":      "shop",
	"lnd":               "github.com/lightningnetwork/lnd@v0.18.2-beta",
}

// still are the commands that measure nothing, so that all that a page shows of them is what they print.
var still = regexp.MustCompile(`^(git diff|pawl find [^-])`)

// shown returns what a page shows of an output and the same part of what came out, without figures. A page ends
// with … what it leaves out.
func shown(output, page string) (got, want string) {
	want, _, cut := strings.Cut(page, "…\n")
	got = output
	if lines := strings.SplitAfter(output, "\n"); cut {
		got = strings.Join(lines[:min(len(lines), strings.Count(want, "\n"))], "")
	}
	plain := func(s string) string { return strings.TrimSpace(figures.ReplaceAllString(s, "N")) }
	return plain(got), plain(want)
}

// step is a command of a tutorial, with what the page shows of its output.
type step struct{ command, output string }

// tutorialSteps returns the commands of a page in their order. As in a shell, a line that begins with > goes on with
// the command before it.
func tutorialSteps(page string) []step {
	var steps []step
	for line := range strings.Lines(page) {
		code, ok := strings.CutPrefix(line, "    ")
		command, starts := strings.CutPrefix(code, "$ ")
		more, goes := strings.CutPrefix(code, ">")
		switch {
		case ok && starts:
			steps = append(steps, step{command: strings.TrimSpace(command)})
		case ok && goes && len(steps) > 0:
			steps[len(steps)-1].command += "\n" + strings.TrimPrefix(strings.TrimSuffix(more, "\n"), " ")
		case ok && len(steps) > 0:
			steps[len(steps)-1].output += code
		}
	}
	return steps
}

var (
	figures  = regexp.MustCompile(`[0-9]+([.,][0-9]+)*`)
	sentence = regexp.MustCompile(`^(.*?)([.;] |\n|$)`)
	exitCode = regexp.MustCompile(`(?m)^exit code \d$`)
	short    = regexp.MustCompile(` changes kept(, N (undecided|not compared))+`)
)

// answer returns an output's first line, up to a full stop or semicolon, without its figures, and the exit code. How many
// of the ideas a budget decides, and drives side by side with the base, is the machine's speed, as figures are: what is
// left undecided or not compared is not held against a page.
func answer(output string) string {
	first := figures.ReplaceAllString(sentence.FindStringSubmatch(output)[1], "N")
	return short.ReplaceAllString(first, " changes kept") + "\n" + exitCode.FindString(output)
}
