package runs

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
)

func TestSeriesMessage(t *testing.T) {
	r := specimen.Run()
	a := r.Attempts[0]
	a.Change.Title = "brontide: seal each message into a buffer of the Machine"
	got := SeriesMessage(a, r, Scoped, "A local array that the compiler moves to the heap becomes a field of the method's receiver.")
	specimen.Golden(t, "series.txt", got)
	if strings.Contains(strings.ToLower(got), "pawl") {
		t.Error("the message is about pawl")
	}
}

func TestStyleOf(t *testing.T) {
	for _, c := range []struct {
		subjects []string
		want     Style
		subject  string
	}{
		{nil, ByPackage, "wire: seal into a buffer"},
		{[]string{"net/http: close it", "all: gofmt", "Update README"}, ByPackage, "wire: seal into a buffer"},
		{[]string{"fix: close it", "feat: a flag", "Update README"}, Conventional, "perf: seal into a buffer"},
		{[]string{"fix(http): close it", "feat(cmd)!: a flag", "chore: deps"}, Scoped, "perf(wire): seal into a buffer"},
		{[]string{"Close it", "Add a flag (#12)", "all: gofmt"}, Sentence, "Seal into a buffer"},
	} {
		style := StyleOf(c.subjects)
		if got := style.subject("wire: seal into a buffer"); style != c.want || got != c.subject {
			t.Errorf("%q: style %d and subject %q, want %d and %q", c.subjects, style, got, c.want, c.subject)
		}
	}
}
