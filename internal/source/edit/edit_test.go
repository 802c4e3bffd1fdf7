package edit

import (
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func at(start, end int, text string) model.Edit { return model.Edit{Start: start, End: end, New: text} }

func TestApply(t *testing.T) {
	const src = "0123456789"
	for _, c := range []struct {
		name  string
		edits []model.Edit
		want  string
		err   string
	}{
		{"none", nil, src, ""},
		{"one", []model.Edit{at(2, 4, "x")}, "01x456789", ""},
		{"in any order", []model.Edit{at(8, 9, "z"), at(0, 1, ""), at(4, 4, "y")}, "123y4567z9", ""},
		{"at both ends", []model.Edit{at(10, 10, ">"), at(0, 0, "<")}, "<" + src + ">", ""},
		{"touching", []model.Edit{at(2, 4, "x"), at(4, 6, "y")}, "01xy6789", ""},
		{"insertions at one place in their order", []model.Edit{at(5, 5, "b"), at(5, 5, "a")}, "01234ba56789", ""},
		{"an insertion before what is replaced there", []model.Edit{at(5, 6, "x"), at(5, 5, "a")}, "01234ax6789", ""},
		{"all", []model.Edit{at(0, 10, "")}, "", ""},
		{"overlapping", []model.Edit{at(0, 5, ""), at(4, 6, "")}, "", "edits overlap at byte 4"},
		{"within another", []model.Edit{at(0, 5, ""), at(4, 4, "x")}, "", "edits overlap at byte 4"},
		{"twice", []model.Edit{at(1, 2, "x"), at(1, 2, "x")}, "", "edits overlap at byte 1"},
		{"past the end", []model.Edit{at(9, 11, "")}, "", "edit of bytes 9 to 11 of a file of 10"},
		{"negative", []model.Edit{at(-1, 2, "")}, "", "edit of bytes -1 to 2 of a file of 10"},
		{"backwards", []model.Edit{at(3, 2, "")}, "", "edit of bytes 3 to 2 of a file of 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := slices.Clone(c.edits)
			got, err := Apply([]byte(src), c.edits)
			why := ""
			if err != nil {
				why = err.Error()
			}
			if string(got) != c.want || why != c.err {
				t.Errorf("%q, %q; want %q, %q", got, why, c.want, c.err)
			}
			if !slices.Equal(given, c.edits) {
				t.Error("the caller's edits were sorted")
			}
		})
	}
}

func TestDisjoint(t *testing.T) {
	got := Disjoint([]model.Edit{at(6, 8, "c"), at(2, 4, "a"), at(3, 6, "b"), at(4, 4, "d"), at(4, 4, "e"), at(7, 7, "f")})
	want := []model.Edit{at(2, 4, "a"), at(4, 4, "d"), at(4, 4, "e"), at(6, 8, "c")}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzApply: edits that do not overlap give what replacing one after the other
// gives, from the last to the first.
func FuzzApply(f *testing.F) {
	f.Add("func F(int) {}\n", []byte{7, 0, 2, 0, 3, 1})
	f.Add("a", []byte{0, 0, 0, 0, 0, 1, 1, 0})
	f.Fuzz(func(t *testing.T, src string, shape []byte) {
		edits, want := edits(src, shape)
		shuffled := slices.Clone(edits)
		for i, b := range shape { // insertions at one place stay in their order
			j := i % max(1, len(edits)-1)
			if b%2 == 1 && len(edits) > 1 && shuffled[j].Start != shuffled[j+1].Start {
				shuffled[j], shuffled[j+1] = shuffled[j+1], shuffled[j]
			}
		}
		got, err := Apply([]byte(src), shuffled)
		if err != nil || string(got) != want {
			t.Fatalf("%q with %v: %q, %v; want %q", src, shuffled, got, err, want)
		}
		if got := Disjoint(shuffled); !slices.Equal(got, edits) {
			t.Fatalf("of %v, %v do not overlap", edits, got)
		}
	})
}

// edits makes edits of src that do not overlap, by their places, and returns
// also what they lead to. A pair of bytes is how far the next one is, and how
// much it replaces.
func edits(src string, shape []byte) (edits []model.Edit, want string) {
	end := 0
	for i := 0; i+1 < len(shape); i += 2 {
		start := end + int(shape[i])
		if end = start + int(shape[i+1]); end > len(src) {
			break
		}
		edits = append(edits, at(start, end, string(rune('A'+i%26))))
	}
	want = src
	for _, e := range slices.Backward(edits) {
		want = want[:e.Start] + e.New + want[e.End:]
	}
	return edits, want
}

// Lines that edits leave alone keep their text under the number that is said.
func TestLines(t *testing.T) {
	const src = "a\nb\nc\nd\ne\n"
	for _, c := range []struct {
		name  string
		edits []model.Edit
		want  [5]int // 0 for a line that is touched
	}{
		{"none", nil, [5]int{1, 2, 3, 4, 5}},
		{"within a line", []model.Edit{at(2, 3, "B")}, [5]int{1, 0, 3, 4, 5}},
		{"a line becomes two", []model.Edit{at(2, 4, "B\nB\n")}, [5]int{1, 0, 4, 5, 6}},
		{"lines go", []model.Edit{at(2, 6, "")}, [5]int{1, 0, 0, 2, 3}},
		{"lines come before the first", []model.Edit{at(0, 0, "x\ny\n")}, [5]int{3, 4, 5, 6, 7}},
		{"lines come at the end", []model.Edit{at(10, 10, "x\n")}, [5]int{1, 2, 3, 4, 5}},
		{"in any order", []model.Edit{at(6, 8, ""), at(2, 2, "x\n")}, [5]int{1, 3, 4, 0, 5}},
		{"up to the middle of a line", []model.Edit{at(3, 5, "")}, [5]int{1, 0, 0, 3, 4}},
	} {
		line := Lines([]byte(src), c.edits)
		for i, want := range c.want {
			if got, ok := line(i + 1); got != want || ok != (want > 0) {
				t.Errorf("%s: line %d is %d, %t; want %d", c.name, i+1, got, ok, want)
			}
		}
	}
}
