package tree

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/words"
)

// searchMax bounds how many lines are compared to find where the moved hunks
// of one patch belong. Each search is as long as the file times the hunk, so a
// patch of many small hunks that fit nowhere would take the square of its
// size. A patch of a hundred moved hunks in files of ten thousand lines uses a
// tenth of it.
const searchMax = 100e6

// A search finds the places of hunks, within a budget for one patch.
type search struct{ left int }

func newSearch() *search { return &search{left: searchMax} }

// hunk returns the line of the file at which h applies, as hunk.locate does:
// where its header says it is, at no cost, or else wherever it moved, for as
// long as the budget lasts.
func (s *search) hunk(h hunk, file []string, from, moved int) (int, bool) {
	if h.oldLen == 0 {
		return h.locate(file, from, moved)
	}
	old := h.side('+')
	if at := h.hint(moved); at >= from && at+len(old) <= len(file) && slices.Equal(file[at:at+len(old)], old) {
		return at, true
	}
	if s.left -= (len(file) + 1) * (len(old) + 1); s.left < 0 {
		s.left = 0
		return 0, false
	}
	return h.locate(file, from, moved)
}

// spend takes from the budget what reading lines of a file costs.
func (s *search) spend(lines int) error {
	if s.left -= lines; s.left < 0 {
		return errors.New("the patch goes over the same files too often: make one diff of the whole change")
	}
	return nil
}

// hint is the line, counted from zero, at which the header says h begins.
func (h hunk) hint(moved int) int {
	if h.oldLen == 0 {
		return h.oldStart + moved // "after line n"
	}
	return h.oldStart - 1 + moved
}

// side returns the lines of a hunk without those of one sign.
func (h hunk) side(without byte) []string {
	var out []string
	for _, l := range h.lines {
		if l.sign != without {
			out = append(out, l.text)
		}
	}
	return out
}

// misses says why hunk n of a file's part does not apply: what the file has
// there instead.
func (h hunk) misses(rel string, n int, file []string, from, moved int) error {
	head := fmt.Sprintf("%s: hunk %d (line %d of the patch) does not apply: ", shown(rel), n, h.line)
	at, old := h.hint(moved), h.side('+')
	stands := func(lines []string) bool {
		return at >= 0 && at+len(lines) <= len(file) && slices.Equal(file[at:at+len(lines)], lines)
	}
	switch added := h.side('-'); {
	case len(file) == 0:
		return errors.New(head + "the file is empty")
	case at < from && stands(old):
		return errors.New(head + "it stands before the end of the hunk above it: hunks go from top to bottom")
	case len(added) > 0 && stands(added):
		return fmt.Errorf("%sits new lines are at line %d already: is it applied?", head, at+1)
	case at < 0 || at >= len(file):
		return fmt.Errorf("%sit changes line %d, and the file has %d", head, at+1, len(file))
	}
	for i, want := range old {
		switch {
		case at+i >= len(file):
			return fmt.Errorf("%sthe file ends at line %d, where the patch has %s", head, len(file), excerpt(want))
		case file[at+i] != want:
			return fmt.Errorf("%sline %d of the file should be %s and is %s", head, at+i+1, excerpt(want), excerpt(file[at+i]))
		}
	}
	return errors.New(head + "its lines are not there")
}

// excerpt quotes a line for a message, shortened.
func excerpt(line string) string {
	text := strings.TrimSuffix(line, "\n")
	end := ""
	if text == line {
		end = " (without a newline)"
	}
	return strconv.Quote(strings.ToValidUTF8(words.Clip(text, 80), "�")) + end
}

// shown is a name from a patch as a message may have it: quoted when a
// terminal would obey it or a reader misread it, and shortened.
func shown(name string) string {
	clipped := words.Clip(name, 200)
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(clipped)
	}
	return clipped
}

// brief makes an error that quotes what it was given fit for a terminal:
// shortened, and without control characters.
func brief(err error) error {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '�'
		}
		return r
	}, words.Clip(err.Error(), 2000))
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// errorsMax is how many errors of one kind are told.
const errorsMax = 5

// joinSome joins the first errors, each shortened, and counts the rest.
func joinSome(errs []error) error {
	var some []error
	for i, err := range errs {
		if i == errorsMax {
			return errors.Join(append(some, fmt.Errorf("and %d more", len(errs)-i))...)
		}
		some = append(some, brief(err))
	}
	return errors.Join(some...)
}
