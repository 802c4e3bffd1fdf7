package recode

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// beyond is the character that stands for all outside ASCII.
const beyond = utf8.RuneSelf

// mostStates is how many states a table may have: more are not easier to read than the pattern.
const mostStates = 48

// The states that need no character more.
const (
	fails   = iota // no text that goes on from here matches
	matches        // each one does
	begins         // before the first character
)

// A table is a deterministic automaton for a pattern, over the classes of characters that it tells apart.
type table struct {
	prog    *syntax.Prog
	class   [beyond + 1]int
	of      []rune // one of each class
	next    [][]int
	ends    []bool // whether a text may end in a state
	numbers map[string]int
	sets    [][]uint32 // the instructions that each state stands for
}

// tableOf returns the automaton, or why there is none.
func tableOf(pattern string) (*table, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	t := &table{prog: prog, numbers: map[string]int{}}
	if err := t.classes(); err != nil {
		return nil, err
	}
	t.next, t.ends, t.sets = [][]int{nil, nil}, []bool{false, true}, [][]uint32{nil, nil}
	if t.state(t.closure([]uint32{uint32(prog.Start)}, syntax.EmptyBeginText)) != begins {
		return nil, errors.New("it matches each text, or none")
	}
	for s := begins; s < len(t.sets); s++ {
		if len(t.sets) > mostStates {
			return nil, fmt.Errorf("it needs more than %d states", mostStates)
		}
		var row []int
		for _, r := range t.of {
			row = append(row, t.step(s, r))
		}
		t.next = append(t.next, row)
	}
	return t, nil
}

// classes finds the characters that the pattern does not tell apart. All outside ASCII must be alike.
func (t *table) classes() error {
	seen := map[string]int{}
	for r := rune(0); r <= beyond; r++ {
		var says strings.Builder
		for i := range t.prog.Inst {
			in := &t.prog.Inst[i]
			if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
				return errors.New("it looks at more than the ends of the text")
			}
			if !reads(in) {
				continue
			}
			if r == beyond && !alike(in) {
				return errors.New("characters outside ASCII are told apart")
			}
			fmt.Fprint(&says, in.MatchRune(r), " ")
		}
		c, ok := seen[says.String()]
		if !ok {
			c = len(t.of)
			seen[says.String()] = c
			t.of = append(t.of, r)
		}
		t.class[r] = c
	}
	return nil
}

// reads reports whether an instruction takes a character.
func reads(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// alike reports whether an instruction takes all characters outside ASCII, or none.
func alike(in *syntax.Inst) bool {
	if in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL {
		return true
	}
	if len(in.Rune) == 1 { // with the other cases of it, if that is said
		r := in.Rune[0]
		for other := unicode.SimpleFold(r); r < beyond && syntax.Flags(in.Arg)&syntax.FoldCase != 0 && other != r; other = unicode.SimpleFold(other) {
			if other >= beyond {
				return false
			}
		}
		return r < beyond
	}
	for i := 0; i+1 < len(in.Rune); i += 2 {
		lo, hi := in.Rune[i], in.Rune[i+1]
		if hi >= beyond && (lo > beyond || hi < unicode.MaxRune) {
			return false
		}
	}
	return true
}

// closure returns the instructions that are reached without a character: those that take one, and what the end of
// the text leads on from.
func (t *table) closure(from []uint32, at syntax.EmptyOp) (all []uint32) {
	seen := map[uint32]bool{}
	for len(from) > 0 {
		pc := from[len(from)-1]
		from = from[:len(from)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &t.prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			from = append(from, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			from = append(from, in.Out)
		case syntax.InstEmptyWidth:
			needs := syntax.EmptyOp(in.Arg)
			if needs&^at == 0 {
				from = append(from, in.Out)
			} else if needs&^(at|syntax.EmptyEndText) == 0 {
				all = append(all, pc) // if the text ends here
			}
		case syntax.InstFail:
		default:
			all = append(all, pc)
		}
	}
	slices.Sort(all)
	return all
}

// state returns the number of the state that stands for some instructions.
func (t *table) state(set []uint32) int {
	if t.done(set) {
		return matches
	}
	if len(set) == 0 && t.anchored() {
		return fails
	}
	key := fmt.Sprint(set)
	s, ok := t.numbers[key]
	if !ok {
		s = len(t.sets)
		done := t.over(set, syntax.EmptyEndText)
		if s == begins {
			done = t.over(set, syntax.EmptyBeginText|syntax.EmptyEndText)
		}
		if done == t.over(set, syntax.EmptyEndText) { // that it is the beginning makes no difference
			t.numbers[key] = s
		}
		t.sets, t.ends = append(t.sets, set), append(t.ends, done)
	}
	return s
}

// over reports whether some instructions lead to a match without another character.
func (t *table) over(set []uint32, at syntax.EmptyOp) bool {
	return t.done(t.closure(slices.Clone(set), at))
}

// done reports whether one of some instructions matches.
func (t *table) done(set []uint32) bool {
	return slices.ContainsFunc(set, func(pc uint32) bool { return t.prog.Inst[pc].Op == syntax.InstMatch })
}

// anchored reports whether a match begins where the text does.
func (t *table) anchored() bool { return t.prog.StartCond()&syntax.EmptyBeginText != 0 }

// step returns the state behind a character. A match may begin behind it.
func (t *table) step(s int, r rune) int {
	var to []uint32
	for _, pc := range t.sets[s] {
		if in := &t.prog.Inst[pc]; reads(in) && in.MatchRune(r) {
			to = append(to, in.Out)
		}
	}
	if !t.anchored() {
		to = append(to, uint32(t.prog.Start))
	}
	return t.state(t.closure(to, 0))
}

// steps returns a function that goes through the states of an automaton.
func (g *generator) steps(t *table) (*Function, error) {
	f, err := g.function(g.stepping(t))
	if err == nil {
		f.States = true
	}
	return f, err
}

// stepping writes the automaton, and returns the name of the function.
func (g *generator) stepping(t *table) string {
	name := g.name("match", "", false)
	g.helpers["match"] = name
	class := g.name("match", "Class", false)
	g.helpers["class"] = class
	step := g.name("match", "Step", false)
	fmt.Fprintf(&g.out, "// %s reports whether s matches the regular expression\n//\n//\t%s\n//\n", name, shown(g.spec.Pattern))
	fmt.Fprintf(&g.out, "// Each character leads from one state to the next. State %d matches whatever follows, and state %d never does.\n", matches, fails)
	fmt.Fprintf(&g.out, "func %s(s string) bool {\nstate := byte(%d)\nfor _, r := range s {\nclass := byte(%d) // outside ASCII\n", name, begins, t.class[beyond])
	fmt.Fprintf(&g.out, "if r < %d {\nclass = %s[r]\n}\nif state = %s[state][class]; state <= %d {\nreturn state == %d\n}\n}\n", beyond, class, step, matches, matches)
	g.out.WriteString(t.last() + "}\n\n")
	fmt.Fprintf(&g.out, "// %s has the class of each character, as %s tells them apart.\nvar %s = [%d]byte{", class, name, class, beyond)
	for r, n := rune(0), 0; r < beyond; r++ {
		if t.class[r] == 0 {
			continue
		}
		if n++; n%8 == 1 {
			g.out.WriteString("\n")
		}
		fmt.Fprintf(&g.out, "%q: %d, ", r, t.class[r])
	}
	fmt.Fprintf(&g.out, "\n}\n\n// %s has the state that a character of each class leads to.\nvar %s = [%d][%d]byte{\n", step, step, len(t.next), len(t.of))
	for s, row := range t.next[begins:] {
		fmt.Fprintf(&g.out, "%d: {%s},\n", s+begins, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(row)), ", "), "[]"))
	}
	g.out.WriteString("}\n")
	return name
}

// last writes what the end of the text says.
func (t *table) last() string {
	var list []string
	for s, ends := range t.ends[begins:] {
		if ends {
			list = append(list, fmt.Sprint("state == ", s+begins))
		}
	}
	if len(list) == 0 {
		return "return false\n"
	}
	return "return " + strings.Join(list, " || ") + "\n"
}
