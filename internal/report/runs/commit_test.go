package runs

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestCommitMessage(t *testing.T) {
	r := specimen.Run()
	specimen.Golden(t, "commit.txt", CommitMessage(r.Attempts[0], r))
	wall := r.Attempts[6]
	wall.Verdicts[0].Metric = "wall/op"
	wall.Change.Title = "Call rotateKey from Encrypt itself instead of from a closure that is deferred on each call"
	wall.Change.Obligations = nil
	specimen.Golden(t, "commit-wall.txt", CommitMessage(wall, r))
}

func TestCommitMessageKeepsToTheWidth(t *testing.T) {
	r := specimen.Run()
	for _, a := range r.Attempts {
		a.Change.Hypothesis = strings.Repeat("allocs/op of WriteMessage falls ", 8)
		a.Change.Title = "multi\nline " + a.Change.Title
		body, _, _ := strings.Cut(CommitMessage(a, r), "\nPawl-")
		for i, line := range strings.Split(body, "\n") {
			if n := utf8.RuneCountInString(line); n > messageWidth {
				t.Errorf("line of %d: %q", n, line)
			}
			if i == 1 && line != "" {
				t.Errorf("the second line is %q", line)
			}
		}
	}
}

// What a change loses, as a user has allowed, stands in the message: in all that reads the
// commit nothing else tells it from one that only gains.
func TestCommitMessageNamesThePrice(t *testing.T) {
	r := specimen.Run()
	a := r.Attempts[0]
	if strings.Contains(CommitMessage(a, r), "price") {
		t.Error("a change without loss has a price")
	}
	a.Price = "G: allocates more: allocs/op about 7 → 9, which varies; H becomes slower by 9.0 %"
	got := strings.Join(strings.Fields(CommitMessage(a, r)), " ")
	if want := "At a price that was allowed: G: allocates more: allocs/op about 7 -> 9, which varies; H becomes slower by 9.0 %"; !strings.Contains(got, want) {
		t.Errorf("%s\nwithout %q", got, want)
	}
}

// git itself must find the trailers.
func TestGitReadsTheTrailers(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	r := specimen.Run()
	a := r.Attempts[0]
	a.Change.Obligations = append(a.Change.Obligations, model.Obligation{Text: "two\nlines: as one", How: "assumed"})
	cmd := exec.Command(git, "interpret-trailers", "--parse")
	cmd.Stdin = strings.NewReader(CommitMessage(a, r))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{"Pawl-Run", "Pawl-Benchmark", "Pawl-CPU", "Pawl-Allocs", "Pawl-Bytes", "Pawl-Guard", "Pawl-Assumes", "Pawl-Assumes", "Pawl-Change"}
	if len(got) != len(want) {
		t.Fatalf("git sees %d trailers:\n%s", len(got), out)
	}
	for i, line := range got {
		if !strings.HasPrefix(line, want[i]+": ") {
			t.Errorf("trailer %d is %q, want %s", i, line, want[i])
		}
	}
}

// Where not all tests were run, the commit and the series name the sample.
func TestSampleIsSaid(t *testing.T) {
	checks := []model.Check{{Name: "vet", OK: true}, {Name: "tests", OK: true, Sample: 31}, {Name: "race", Skipped: "no compiler"}}
	if got, want := passed(checks), "vet tests (a sample of 31)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := checked(checks), "Passed with it: go vet, the tests (a sample of 31)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
