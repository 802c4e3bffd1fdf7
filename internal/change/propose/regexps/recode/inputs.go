package recode

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Inputs returns texts that put a pattern to the test: all short ones made of
// the bytes that the pattern tells apart and some that are often forgotten,
// and n texts that match, as they are and with something changed. A pattern that
// is not supported has none. The same pattern has the same inputs.
func Inputs(pattern string, n int) []string {
	t, err := parse(pattern, false)
	if err != nil {
		if t = runsOf(pattern); t == nil {
			return nil
		}
	}
	in := inputs{rand: rand.New(rand.NewPCG(1, uint64(len(pattern)))), seen: map[string]bool{}}
	a := newAutomaton()
	a.seq(t.nodes, a.terminal(true))
	for _, b := range a.symbols() {
		in.alphabet = append(in.alphabet, string([]byte{byte(b)}))
	}
	in.alphabet = append(in.alphabet, "\n", "é", "\xff", "\u017f", "\u212a", "\x00")
	slices.Sort(in.alphabet)
	in.alphabet = slices.Compact(in.alphabet)
	in.short(n)
	for range n {
		s := in.sample(t.re)
		in.add(s)
		for range 3 {
			s = in.vary(s)
			in.add(s)
		}
	}
	return in.all
}

type inputs struct {
	rand     *rand.Rand
	alphabet []string
	all      []string
	seen     map[string]bool
}

func (in *inputs) add(s string) {
	if !in.seen[s] {
		in.seen[s] = true
		in.all = append(in.all, s)
	}
}

// short adds all texts over the alphabet up to a length at which there are
// about n of them.
func (in *inputs) short(n int) {
	in.add("")
	last := []string{""}
	for len(last)*len(in.alphabet) <= n {
		var next []string
		for _, s := range last {
			for _, c := range in.alphabet {
				in.add(s + c)
				next = append(next, s+c)
			}
		}
		last = next
	}
}

// vary changes a text in one place.
func (in *inputs) vary(s string) string {
	at, c := in.rand.IntN(len(s)+1), in.alphabet[in.rand.IntN(len(in.alphabet))]
	switch in.rand.IntN(5) {
	case 0:
		return s[:at] + c + s[at:]
	case 1:
		return s[:at]
	case 2:
		return s[at:]
	case 3: // a byte is gone
		if at < len(s) {
			return s[:at] + s[at+1:]
		}
	case 4: // a part comes twice
		return s[:at] + s[in.rand.IntN(at+1):]
	}
	return s + c
}

// sample returns a text that matches, but for assertions.
func (in *inputs) sample(re *syntax.Regexp) string {
	text := ""
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			i := in.rand.IntN(len(re.Rune)/2) * 2
			lo, hi := re.Rune[i], min(re.Rune[i+1], re.Rune[i]+100)
			return string(lo + in.rand.Int32N(hi-lo+1))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune(' ' + in.rand.IntN(utf8.RuneSelf-' ')))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			text += in.sample(sub)
		}
	case syntax.OpAlternate:
		return in.sample(re.Sub[in.rand.IntN(len(re.Sub))])
	case syntax.OpCapture:
		return in.sample(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		for range in.times(re) {
			text += in.sample(re.Sub[0])
		}
	}
	return text
}

// times returns how often a repetition is to be run.
func (in *inputs) times(re *syntax.Regexp) int {
	lo, hi := 0, 4
	switch re.Op {
	case syntax.OpPlus:
		lo = 1
	case syntax.OpQuest:
		hi = 1
	case syntax.OpRepeat:
		lo, hi = re.Min, re.Max
		if hi < 0 {
			hi = lo + 3
		}
	}
	return lo + in.rand.IntN(hi-lo+1)
}
