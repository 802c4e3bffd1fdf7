package recode

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

type op int

const (
	opText   op = iota // text
	opClass            // one byte of set
	opRun              // min to max bytes of set, as many as there are
	opGroup            // seqs[0], captured as index
	opMaybe            // seqs[0], or nothing
	opStar             // seqs[0], at least min (0 or 1) times
	opChoice           // the first of seqs that lets the rest match
)

// A node is a part of a pattern. Sequences are slices of nodes.
type node struct {
	op       op
	text     string
	set      *set
	last     *set // of a run: what its last byte must be, nil for any of set
	min, max int  // max is -1 for no bound
	lazy     bool // as few as possible are preferred
	index    int
	seqs     [][]*node
	looks    []*set // what must follow each of seqs, nil for anything; set by prove
	source   string
}

// A tree is a parsed pattern.
type tree struct {
	nodes  []*node
	begins bool // it begins with ^: a match begins where the text does
	ends   bool // it ends in $: the rest of the text is none
	groups int  // capturing groups
	re     *syntax.Regexp
}

// maxCopies is how often a part is written out for a repetition {n,m}.
const maxCopies = 8

// parse reads a pattern. Without captures, groups are only brackets.
func parse(pattern string, captures bool) (*tree, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	t := &tree{groups: re.MaxCap(), re: re}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	for len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		parts, t.begins = parts[1:], true
	}
	for len(parts) > 0 && parts[len(parts)-1].Op == syntax.OpEndText {
		parts, t.ends = parts[:len(parts)-1], true
	}
	c := converter{captures: captures}
	if t.nodes, err = c.concat(parts); err != nil {
		return nil, err
	}
	return t, nil
}

type converter struct{ captures bool }

func (c converter) concat(parts []*syntax.Regexp) ([]*node, error) {
	var all []*node
	for _, re := range parts {
		nodes, err := c.convert(re)
		if err != nil {
			return nil, err
		}
		all = append(all, nodes...)
	}
	return joinTexts(all), nil
}

// joinTexts joins literals that stand side by side.
func joinTexts(nodes []*node) []*node {
	var out []*node
	for _, n := range nodes {
		if k := len(out) - 1; k >= 0 && n.op == opText && out[k].op == opText {
			out[k] = &node{op: opText, text: out[k].text + n.text, source: out[k].source + n.source}
			continue
		}
		out = append(out, n)
	}
	return out
}

func (c converter) convert(re *syntax.Regexp) ([]*node, error) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return nil, nil
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s, err := class(re)
		if err != nil {
			return nil, err
		}
		if s.high() {
			return nil, fmt.Errorf("%s stands for one character of any length in bytes", re)
		}
		return []*node{{op: opClass, set: s, source: re.String()}}, nil
	case syntax.OpCapture:
		body, err := c.convert(re.Sub[0])
		if err != nil || !c.captures {
			return body, err
		}
		return []*node{{op: opGroup, index: re.Cap, seqs: [][]*node{body}, source: re.String()}}, nil
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return c.repeat(re)
	case syntax.OpConcat:
		return c.concat(re.Sub)
	case syntax.OpAlternate:
		return c.alternate(re)
	case syntax.OpBeginText, syntax.OpEndText:
		return nil, errors.New("it has ^ or $ within")
	case syntax.OpBeginLine, syntax.OpEndLine:
		return nil, errors.New("its ^ or $ stand for lines, by the flag (?m)")
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nil, errors.New(`it has a word boundary, \b or \B`)
	}
	return nil, fmt.Errorf("%s is not supported", re)
}

// literal converts text. Letters of either case become classes.
func literal(re *syntax.Regexp) ([]*node, error) {
	var nodes []*node
	for _, r := range re.Rune {
		if r == utf8.RuneError {
			return nil, errors.New("U+FFFD in a pattern matches invalid UTF-8 as well")
		}
		if re.Flags&syntax.FoldCase == 0 || unicode.SimpleFold(r) == r {
			nodes = append(nodes, &node{op: opText, text: string(r), source: regexp.QuoteMeta(string(r))})
			continue
		}
		s := &set{}
		for f := r; ; {
			if f >= utf8.RuneSelf {
				return nil, fmt.Errorf("%q has another case outside ASCII, which (?i) matches too", r)
			}
			s.in[f] = true
			if f = unicode.SimpleFold(f); f == r {
				break
			}
		}
		nodes = append(nodes, &node{op: opClass, set: s, source: fmt.Sprintf("(?i:%c)", r)})
	}
	return joinTexts(nodes), nil
}

// class returns the bytes of a class: ASCII, or ASCII and all bytes of other
// characters.
func class(re *syntax.Regexp) (*set, error) {
	s := &set{}
	switch re.Op {
	case syntax.OpAnyChar:
		s.add(0, 255)
		return s, nil
	case syntax.OpAnyCharNotNL:
		s.add(0, 255)
		s.in['\n'] = false
		return s, nil
	}
	for i := 0; i < len(re.Rune); i += 2 {
		lo, hi := re.Rune[i], re.Rune[i+1]
		if hi >= utf8.RuneSelf {
			if lo > utf8.RuneSelf || hi != unicode.MaxRune {
				return nil, fmt.Errorf("%s has some characters outside ASCII, and not all", re)
			}
			hi = 255
		}
		s.add(int(lo), int(hi))
	}
	return s, nil
}

// one returns the class that a repetition repeats, nil for anything else.
func (c converter) one(re *syntax.Regexp) *set {
	for re.Op == syntax.OpCapture && !c.captures {
		re = re.Sub[0]
	}
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s, err := class(re)
		if err != nil || s.size() == 0 {
			return nil
		}
		return s
	case syntax.OpLiteral:
		nodes, err := literal(re)
		if err != nil || len(nodes) != 1 {
			return nil
		}
		if n := nodes[0]; n.op == opClass {
			return n.set
		} else if len(n.text) == 1 {
			s := &set{}
			s.in[n.text[0]] = true
			return s
		}
	}
	return nil
}

// repeat converts *, +, ? and {n,m}.
func (c converter) repeat(re *syntax.Regexp) ([]*node, error) {
	lo, hi := re.Min, re.Max
	switch re.Op {
	case syntax.OpStar:
		lo, hi = 0, -1
	case syntax.OpPlus:
		lo, hi = 1, -1
	case syntax.OpQuest:
		lo, hi = 0, 1
	}
	lazy := re.Flags&syntax.NonGreedy != 0
	if s := c.one(re.Sub[0]); s != nil && !(lo == 0 && hi == 1 && !s.high()) {
		if s.high() && (hi >= 0 || lo > 1) {
			return nil, fmt.Errorf("%s counts characters of any length in bytes", re)
		}
		return []*node{{op: opRun, set: s, min: lo, max: hi, lazy: lazy, source: re.String()}}, nil
	}
	body, err := c.convert(re.Sub[0])
	if err != nil {
		return nil, err
	}
	if nullable(body) {
		return nil, fmt.Errorf("%s repeats what may be empty", re)
	}
	return unroll(body, lo, hi, lazy, re)
}

// unroll writes lo to hi times body as copies, one loop and nested optional
// parts.
func unroll(body []*node, lo, hi int, lazy bool, re *syntax.Regexp) ([]*node, error) {
	if lo > maxCopies || hi > maxCopies {
		return nil, fmt.Errorf("%s repeats more than a character, and more than %d times", re, maxCopies)
	}
	var nodes []*node
	if hi < 0 {
		for range lo - 1 {
			nodes = append(nodes, clone(body)...)
		}
		star := &node{op: opStar, min: min(lo, 1), lazy: lazy, seqs: [][]*node{body}, source: re.String()}
		return joinTexts(append(nodes, star)), nil
	}
	var maybe []*node
	for range hi - lo {
		maybe = []*node{{op: opMaybe, lazy: lazy, seqs: [][]*node{joinTexts(append(clone(body), maybe...))}, source: re.String()}}
	}
	for range lo {
		nodes = append(nodes, clone(body)...)
	}
	return joinTexts(append(nodes, maybe...)), nil
}

// alternate converts alternatives. An empty one makes the others optional.
func (c converter) alternate(re *syntax.Regexp) ([]*node, error) {
	choice := &node{op: opChoice, source: re.String()}
	empty := -1
	for i, sub := range re.Sub {
		seq, err := c.convert(sub)
		if err != nil {
			return nil, err
		}
		if len(seq) == 0 && (i == 0 || i == len(re.Sub)-1) && empty < 0 {
			empty = i
			continue
		}
		if nullable(seq) {
			return nil, fmt.Errorf("an alternative of %s may be empty", re)
		}
		choice.seqs = append(choice.seqs, seq)
	}
	body := []*node{choice}
	if len(choice.seqs) == 1 {
		body = choice.seqs[0]
	}
	if empty >= 0 {
		return []*node{{op: opMaybe, lazy: empty == 0, seqs: [][]*node{body}, source: re.String()}}, nil
	}
	return body, nil
}

func clone(nodes []*node) []*node {
	out := slices.Clone(nodes)
	for i, n := range out {
		c := *n
		c.seqs = nil
		for _, seq := range n.seqs {
			c.seqs = append(c.seqs, clone(seq))
		}
		out[i] = &c
	}
	return out
}

// nullable reports whether a sequence matches nothing at all.
func nullable(nodes []*node) bool {
	for _, n := range nodes {
		switch n.op {
		case opText, opClass:
			return false
		case opRun, opStar:
			if n.min > 0 || n.last != nil {
				return false
			}
		case opGroup:
			if !nullable(n.seqs[0]) {
				return false
			}
		case opChoice:
			if !slices.ContainsFunc(n.seqs, nullable) {
				return false
			}
		}
	}
	return true
}
