package recode

import (
	"flag"
	"math/rand/v2"
	"strings"
)

var (
	seed  = flag.Int("seed", 1, "of the random patterns")
	count = flag.Int("count", 300, "random patterns")
)

// A maker makes patterns of a small alphabet, in which parts meet often.
type maker struct{ *rand.Rand }

func (m maker) sequence(depth int) string {
	var b strings.Builder
	for range 1 + m.IntN(3) {
		b.WriteString(m.part(depth))
	}
	return b.String()
}

func (m maker) part(depth int) string {
	atoms := []string{"a", "b", "c", "ab", "[ab]", "[bc]", "[^a]*", "[a-c]", "-", "[ab]*[a]", "é", "(?i:b)"}
	atom := atoms[m.IntN(len(atoms))]
	if depth > 0 && m.IntN(2) == 0 {
		open := []string{"(", "(?:"}[m.IntN(2)]
		atom = open + m.sequence(depth-1)
		for range m.IntN(3) {
			atom += "|" + m.sequence(depth-1)
		}
		atom += ")"
	} else if strings.HasSuffix(atom, "*") || len(atom) > 1 && atom[0] != '[' && atom[0] != '(' {
		return atom
	}
	return atom + []string{"", "", "", "?", "*", "+", "{2}", "{1,2}", "??", "+?"}[m.IntN(10)]
}
