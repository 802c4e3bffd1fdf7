package integrations

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The recipes of docs/gate.md for GitLab and for a plain shell run as they stand there, in the clone that such a CI
// makes, with a pawl and a go that only pretend.
func TestRecipes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	var gitlab struct {
		Gate struct {
			Variables map[string]string
			Script    []string
			Artifacts struct{ Paths []string }
		}
	}
	if err := yaml.Unmarshal([]byte(block(t, string(page), "gate:")), &gitlab); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env    map[string]string
		lines  []string
		report string
	}{
		"GitLab": {gitlab.Gate.Variables, gitlab.Gate.Script, filepath.Join(append([]string{"ci"}, gitlab.Gate.Artifacts.Paths...)...)},
		"shell":  {map[string]string{}, strings.Split(block(t, string(page), "go install github.com/pawl-dev/pawl/cmd/pawl@latest"), "\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.repository(2)
			b.write("bin/go", "#!/bin/sh\necho \"go $*\" >>\"$STUB_ARGS\"\n")
			if err := os.Chmod(filepath.Join(b.dir, "bin", "go"), 0o755); err != nil {
				t.Fatal(err)
			}
			// GitLab checks a commit out, and no branch.
			b.git("", "clone", "-q", "-b", "topic", "file://"+filepath.Join(b.dir, "remote.git"), "ci")
			b.git("ci", "checkout", "-q", "--detach")
			b.git("ci", "branch", "-q", "-D", "topic")
			gate, err := os.ReadFile("gate.sh")
			if err != nil {
				t.Fatal(err)
			}
			b.write("ci/gate.sh", string(gate))
			env := map[string]string{"STUB_CODE": "1", "STUB_FIRST": "regressed: 1 of 3", "RUNNER_TEMP": "", "TMPDIR": filepath.Join(b.dir, "temp"), "GITHUB_OUTPUT": "", "GITHUB_STEP_SUMMARY": ""}
			for k, v := range c.env {
				env[k] = strings.Replace(v, "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main", 1)
			}
			code, said := b.run("ci", env, "sh", "-ec", strings.Join(c.lines, "\n"))
			args := b.read("args")
			if code != 1 || !strings.Contains(args, "\n-base\norigin/main\n-budget\n10m\n") {
				t.Errorf("exit code %d, pawl was called with\n%s\n%s", code, args, said)
			}
			if c.report != "" && b.read(filepath.Join(c.report, "gate.md")) == "" {
				t.Errorf("no report in %s", c.report)
			}
		})
	}
}

// block returns the block of code of a page that begins with a line.
func block(t *testing.T, page, first string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "\n\n    "+first+"\n")
	if !ok {
		t.Fatalf("no block begins with %s", first)
	}
	lines := []string{first}
	for line := range strings.Lines(rest) {
		code, ok := strings.CutPrefix(line, "    ")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimRight(code, "\n"))
	}
	return strings.Join(lines, "\n")
}
