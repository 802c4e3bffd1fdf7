package attempt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
)

func TestWritten(t *testing.T) {
	const before = "one\ntwo\nthree\nfour\nfive\n"
	at := func(s string) int {
		for i := range before {
			if before[i:i+len(s)] == s {
				return i
			}
		}
		panic(s)
	}
	tests := []struct {
		name  string
		edits []model.Edit
		want  []span
	}{
		{"a word", []model.Edit{{Start: at("two"), End: at("\nthree"), New: "2"}}, []span{{2, 2}}},
		{"a line becomes three, and a later one another", []model.Edit{
			{Start: at("four"), End: at("five"), New: "4\n"},
			{Start: at("two"), End: at("three"), New: "a\nb\nc\n"},
		}, []span{{2, 4}, {6, 6}}},
		{"lines that go leave the place where they were", []model.Edit{{Start: at("two"), End: at("four"), New: ""}}, []span{{2, 2}}},
		{"two edits of a line", []model.Edit{{Start: 0, End: 1, New: "O"}, {Start: 2, End: 3, New: "E"}}, []span{{1, 1}, {1, 1}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, written(tt.edits, []byte(before)), cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.name, diff)
		}
	}
}

func TestMissed(t *testing.T) {
	cover := func(text string) *reach.Coverage {
		c, err := reach.Parse([]byte("mode: set\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	covers := []*reach.Coverage{
		cover("m/p.go:3.1,5.2 2 1\nm/p.go:7.1,9.2 2 0\nm/p.go:11.1,11.9 1 0\n"),
		cover("m/p.go:3.1,5.2 2 0\nm/p.go:7.1,9.2 2 0\nm/p.go:11.1,11.9 1 1\n"),
	}
	got := missed(covers, "m", "p.go", []span{{1, 12}})
	if diff := cmp.Diff([]span{{7, 9}}, got, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
