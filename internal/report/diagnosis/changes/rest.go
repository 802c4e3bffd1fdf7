package changes

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

func signChanges(s *sheet.Sheet, c model.ProfileComparison) {
	if len(c.Signs) > 0 {
		s.Mark(sheet.Dim, "Signatures  ", sheet.Normal, signChangesText(c))
	}
}

func signChangesText(c model.ProfileComparison) string {
	var parts []string
	for _, x := range c.Signs {
		t := x.Func + " " + per(c, x.Before) + " → " + per(c, x.After)
		if x.ShareOnly {
			t += " (share only)"
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ") + "."
}

// restOfChanges says what is not in the tables, and why.
func restOfChanges(s *sheet.Sheet, c model.ProfileComparison) {
	for _, t := range restTexts(c) {
		s.Para(sheet.Normal, "", t)
	}
}

// restTexts says it in sentences.
func restTexts(c model.ProfileComparison) []string {
	if c.Noise.Tested == 0 {
		return nil
	}
	t := ""
	if c.Quiet+c.QuietLines > 0 {
		t = words.Plural(c.Quiet, "function") + " and " + words.Plural(c.QuietLines, "line") + ": no difference that is not noise. "
		if len(c.Functions)+len(c.Lines)+len(c.Signs) > 0 {
			t = "The rest, " + t
		}
	}
	out := []string{t + noiseText(c.Noise)}
	if c.Neutral > 0 && hasShareOnly(c) {
		out = append(out, fmt.Sprintf("Share only: the shares of most of the work changed by %s %% because the rest did; these changed no more than that.", whole(c.Neutral-1)))
	}
	if len(c.Moved) > 0 {
		out = append(out, "Lines not matched, for the code changed: "+someNames(c.Moved)+".")
	}
	return out
}

// noiseText says how differences were told from noise.
func noiseText(n model.ProfileNoise) string {
	t := fmt.Sprintf("Of comparisons of one program with itself, at most %.0f in 100 name anything", 100*n.Level)
	if n.Repeats == 0 {
		return t + ", going by the variation assumed between runs; several profiles on each side would measure it."
	}
	return t + ", going by the variation among the profiles of each side."
}

func hasShareOnly(c model.ProfileComparison) bool {
	for _, list := range [][]model.ProfileChange{c.Functions, c.Lines, c.Signs} {
		for _, x := range list {
			if x.ShareOnly {
				return true
			}
		}
	}
	return false
}

func someNames(of []string) string {
	const most = 4
	var out []string
	for _, n := range of {
		out = append(out, words.Symbol(n))
	}
	return words.Some(out, most)
}
