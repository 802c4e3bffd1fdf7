package recode

import (
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind says what a function is to return.
type Kind int

const (
	Match   Kind = iota // whether the pattern matches, as MatchString
	Find                // the text of the match and of its groups, as FindStringSubmatch
	Replace             // the text with something else for each match, as ReplaceAllString
)

// A Spec says what to generate.
type Spec struct {
	Pattern string
	Kind    Kind
	// Base is what the matched text is called, for names: "duration" gives
	// matchDuration, findDuration or replaceDuration.
	Base string
	// Taken reports whether a name must not be declared. Nil allows all.
	Taken func(name string) bool
}

// A Function is what was generated.
type Function struct {
	Name   string // of the function that takes the place of the method
	Groups int    // capturing groups
	Source string // declarations, formatted, without imports: they need none
	States bool   // it goes through the states of an automaton
}

// Generate returns Go source for a pattern, or an error that says in a
// sentence's second half why there is none: "it has a word boundary".
func Generate(spec Spec) (*Function, error) {
	g := &generator{spec: spec, helpers: map[string]string{}}
	if spec.Kind == Replace {
		r, err := parseReplaced(spec.Pattern)
		if err != nil {
			return nil, err
		}
		return g.function(g.replacing(r))
	}
	t, err := parse(spec.Pattern, spec.Kind == Find)
	if err != nil {
		return nil, err
	}
	f, err := g.walking(t)
	if err == nil || spec.Kind != Match || errors.Is(err, errPlain) {
		return f, err
	}
	states, other := tableOf(spec.Pattern)
	if other != nil {
		return nil, err
	}
	if f, other = (&generator{spec: spec, helpers: map[string]string{}}).steps(states); other != nil {
		return nil, err
	}
	return f, nil
}

var errPlain = errors.New("it is plain text, for which package strings has functions")

// walking writes a function that goes from one part of the pattern to the next.
func (g *generator) walking(t *tree) (_ *Function, err error) {
	spec := g.spec
	if spec.Kind == Match && !t.ends {
		t.nodes = shortest(t.nodes)
	}
	if t.nodes, err = (prover{ends: t.ends}).prove(t.nodes, nil); err != nil {
		return nil, err
	}
	if spec.Kind == Match && plain(t.nodes) {
		return nil, errPlain
	}
	if !t.begins {
		if err := anywhere(t); err != nil {
			return nil, err
		}
	}
	g.tree = t
	return g.function(g.declare())
}

// function returns what was written, in which name is the function that takes the
// method's place.
func (g *generator) function(name string) (*Function, error) {
	if g.err != nil {
		return nil, g.err
	}
	src, err := format.Source([]byte(strings.TrimRight(g.out.String(), "\n")))
	if err != nil {
		return nil, fmt.Errorf("formatting the code for %s: %w", g.spec.Pattern, err)
	}
	if lines := strings.Count(string(src), "\n"); lines > maxLines {
		return nil, fmt.Errorf("it needs %d lines of code: a regular expression is easier to read", lines)
	}
	f := &Function{Name: name, Source: string(src) + "\n"}
	if g.tree != nil {
		f.Groups = g.tree.groups
	}
	return f, nil
}

// shortest returns the nodes without what need not be there: whether a pattern
// without $ matches does not depend on how much of it does.
func shortest(nodes []*node) []*node {
	for len(nodes) > 0 && nullable(nodes[len(nodes)-1:]) {
		nodes = nodes[:len(nodes)-1]
	}
	if k := len(nodes) - 1; k >= 0 && nodes[k].op == opRun && nodes[k].min == 1 && !nodes[k].set.high() {
		nodes = append(nodes[:k:k], &node{op: opClass, set: nodes[k].set, source: nodes[k].source})
	}
	return nodes
}

// plain reports whether there is nothing but text.
func plain(nodes []*node) bool {
	return !slices.ContainsFunc(nodes, func(n *node) bool { return n.op != opText })
}

// maxLines is how long generated code may be.
const maxLines = 200

// A generator writes the declarations for one pattern.
type generator struct {
	spec    Spec
	tree    *tree
	out     strings.Builder // finished declarations
	later   strings.Builder // helpers, which come after the functions that use them
	helpers map[string]string
	err     error
}

// name returns a name that is free: a verb and what it is about, with the base
// in between where what says nothing by itself.
func (g *generator) name(verb, what string, speaks bool) string {
	tries := []string{verb + upper(g.spec.Base) + what, verb + upper(g.spec.Base) + "Text" + what}
	if speaks {
		tries = append([]string{verb + what}, tries...)
	}
	for n := range 10 {
		for _, name := range tries {
			if n > 0 {
				name += fmt.Sprint(n + 1)
			}
			if g.free(name) {
				return name
			}
		}
	}
	g.fail("no name is free for it: %s and the like are taken", tries[0])
	return tries[0]
}

func (g *generator) free(name string) bool {
	for _, used := range g.helpers {
		if used == name {
			return false
		}
	}
	return g.spec.Taken == nil || !g.spec.Taken(name)
}

func (g *generator) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

func upper(s string) string {
	switch s {
	case "":
		return ""
	case "id", "ip", "url", "uri", "uuid", "dns", "api", "http", "json":
		return strings.ToUpper(s)
	}
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// declare writes all declarations and returns the name of the function.
func (g *generator) declare() string {
	pattern := "\n//\n//\t" + shown(g.spec.Pattern) + "\n//\n"
	var name string
	if g.spec.Kind == Match {
		name = g.name("match", "", false)
		g.helpers["match"] = name
		fmt.Fprintf(&g.out, "// %s reports whether s matches the regular expression%s// in a fraction of the time that package regexp takes.\nfunc %s(s string) bool {\n", name, pattern, name)
	} else {
		name = g.name("find", "", false)
		g.helpers["find"] = name
		fill := g.name("fill", "", false)
		g.helpers["fill"] = fill
		size := g.tree.groups + 1
		fmt.Fprintf(&g.out, "// %s returns what FindStringSubmatch returns for the regular expression%s// It is small enough to be inlined, so that the result need not be allocated.\nfunc %s(s string) []string {\nreturn %s(s, new([%d]string))\n}\n\n",
			name, pattern, name, fill, size)
		fmt.Fprintf(&g.out, "// %s puts the match and its groups into groups, which must be zero, and\n// returns them as a slice; nil if s does not match. See %s.\nfunc %s(s string, groups *[%d]string) []string {\n", fill, name, fill, size)
	}
	w := &writer{g: g, guard: g.none(), live: map[string]bool{"s": true, "groups": true}}
	w.whole(g.tree)
	g.out.WriteString(w.text.String() + "}\n" + g.later.String())
	return name
}

// shown returns a pattern for a comment: as it is, or quoted where that would
// not be seen.
func shown(pattern string) string {
	if strings.ContainsFunc(pattern, func(r rune) bool { return !unicode.IsPrint(r) }) || strings.TrimSpace(pattern) != pattern {
		return strconv.Quote(pattern)
	}
	return pattern
}

// none is the statement that says that there is no match.
func (g *generator) none() string {
	if g.spec.Kind == Match {
		return "return false"
	}
	return "return nil"
}

// is returns the condition that the byte x is in a set: a comparison, or a
// call of a helper where that would be long.
func (g *generator) is(s *set, x string) cond {
	if c := s.test(x); len(c.pos) <= 2*len(x)+16 {
		return c
	}
	key := "is " + bracketed(s)
	name := g.helpers[key]
	if name == "" {
		name = g.name("is", nameOf(s), nameOf(s) != anyByte)
		g.helpers[key] = name
		fmt.Fprintf(&g.later, "\n// %s reports whether c is in %s.\nfunc %s(c byte) bool {\nreturn %s\n}\n", name, bracketed(s), name, broken(s.test("c").pos))
	}
	return cond{pos: name + "(" + x + ")", neg: "!" + name + "(" + x + ")"}
}

// broken puts a long condition on several lines.
func broken(c string) string {
	if len(c) < 70 {
		return c
	}
	if strings.Contains(c, " && ") && strings.HasPrefix(c, "(") { // what is not in several ranges
		return strings.ReplaceAll(c, " && ", " &&\n")
	}
	return strings.ReplaceAll(c, " || ", " ||\n")
}

// skip returns the name of the helper that skips bytes of a set.
func (g *generator) skip(s *set) string {
	key := "skip " + bracketed(s)
	name := g.helpers[key]
	if name == "" {
		test := g.is(s, "s[i]").operand(true)
		what := nameOf(s)
		name = g.name("skip", what+"s", what != anyByte)
		g.helpers[key] = name
		fmt.Fprintf(&g.later, "\n// %s returns the end of the bytes in %s that s has from i on.\nfunc %s(s string, i int) int {\nfor i < len(s) && %s {\ni++\n}\nreturn i\n}\n",
			name, bracketed(s), name, test)
	}
	return name
}

// choice writes a helper for alternatives and returns its name.
func (g *generator) choice(n *node) string {
	name := g.name("skip", "Choice", false)
	g.helpers[fmt.Sprintf("choice %p", n)] = name
	var text strings.Builder
	fmt.Fprintf(&text, "\n// %s returns where in s a match that begins at i ends, -1 if there is none:\n//\n//\t%s\nfunc %s(s string, i int) int {\n", name, n.source, name)
	for k, seq := range n.seqs {
		w := &writer{g: g, live: map[string]bool{"s": true, "i": true}}
		w.seq(seq, at{v: "i"}, func(p at) {
			w.behind(n.looks[k], p)
			w.flush()
			w.line("return %s", p)
		})
		w.close()
		text.WriteString(w.text.String())
	}
	text.WriteString("return -1\n}\n")
	g.later.WriteString(text.String())
	return name
}
