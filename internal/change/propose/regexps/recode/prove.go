package recode

import (
	"fmt"
	"slices"
)

// A rest is what follows a sequence up to the end of the pattern; nil is
// nothing.
type rest struct {
	nodes []*node
	next  *rest
}

// maxSearch limits how many combinations of states the search for a
// counterexample visits, and maxStates how many states there may be.
const (
	maxSearch = 5000
	maxStates = 1000
)

// A prover shows that the first way is right at each decision, see the
// package comment, and notes what has to be looked at ahead.
type prover struct {
	ends   bool
	inLoop bool // what is proven is repeated
}

// prove works through a sequence and returns what to generate code from.
func (p prover) prove(nodes []*node, after *rest) ([]*node, error) {
	nodes = slices.Clone(nodes)
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.op == opRun && i+1 < len(nodes) {
			if whole := p.withLast(n, nodes[i+1], &rest{nodes[i+2:], after}); whole != nil {
				nodes = slices.Replace(nodes, i, i+2, whole)
				n = whole
			}
		}
		var err error
		behind := &rest{nodes[i+1:], after}
		switch n.op {
		case opRun:
			if n.min == n.max && n.max <= maxCopies && p.first(behind).meets(n.set) {
				nodes = slices.Replace(nodes, i, i+1, spelled(n)...)
				i--
				continue
			}
			err = p.run(n, behind)
		case opGroup:
			n.seqs[0], err = p.prove(n.seqs[0], behind)
		case opMaybe:
			err = p.branches(n, behind, behind)
		case opStar:
			again := &node{op: opStar, seqs: n.seqs}
			err = p.branches(n, &rest{[]*node{again}, behind}, behind)
		case opChoice:
			err = p.choice(n, behind)
		}
		if err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// spelled writes a repetition of a fixed number out.
func spelled(n *node) []*node {
	var out []*node
	for range n.max {
		out = append(out, &node{op: opClass, set: n.set, source: n.source})
	}
	return out
}

// withLast joins a run and a class of bytes that are in it, X*Y: all of the run
// is taken, and its last byte must be in Y. That needs a rest that cannot
// begin with anything in X, for then no shorter run is followed by the rest.
func (p prover) withLast(run, last *node, behind *rest) *node {
	if last.op != opClass || run.max >= 0 || run.lazy || run.last != nil || !run.set.covers(last.set) || p.first(behind).meets(run.set) {
		return nil
	}
	return &node{op: opRun, set: run.set, last: last.set, min: run.min + 1, max: -1, source: run.source + last.source}
}

// run shows that as many bytes as there are is the right number.
func (p prover) run(n *node, behind *rest) error {
	follows, _ := firstOf(restNodes(behind))
	if n.set.high() && follows.high() {
		return fmt.Errorf("what follows %s may begin outside ASCII: characters would have to be told apart", n.source)
	}
	if n.max >= 0 || n.lazy || n.last != nil {
		if p.first(behind).meets(n.set) {
			return fmt.Errorf("where %s ends depends on what follows", n.source)
		}
		return nil
	}
	more := &node{op: opRun, set: n.set, max: -1}
	if !p.commits([]*node{{op: opClass, set: n.set}}, nil, &rest{[]*node{more}, behind}, nil, behind) {
		return fmt.Errorf("%s may have to give back what it took", n.source)
	}
	return nil
}

// branches proves an optional or repeated part: inside is what follows it when
// it is taken, behind when it is not.
func (p prover) branches(n *node, inside, behind *rest) error {
	look, ok := p.decide(n.seqs[0], inside, nil, behind)
	if !ok {
		return fmt.Errorf("whether %s is taken depends on what follows", n.source)
	}
	if n.lazy && !p.apart(n.seqs[0], inside, behind) {
		return fmt.Errorf("%s is taken only if the rest does not match without it", n.source)
	}
	if !p.once(n.seqs[0], p.first(behind)) {
		return square(n)
	}
	n.looks = []*set{look}
	var err error
	p.inLoop = p.inLoop || n.op == opStar
	n.seqs[0], err = p.prove(n.seqs[0], inside)
	return err
}

func square(n *node) error {
	return fmt.Errorf("looking for %s in vain again and again could take time that grows with the square of the text's length", n.source)
}

// once reports whether looking for seq in vain happens once in a loop, or is
// short. If other is what the other way can begin with, and seq begins with
// nothing of that, then the loop ends where seq began to match and did not.
func (p prover) once(seq []*node, other *set) bool {
	if !p.inLoop || !unbounded(seq) {
		return true
	}
	first, _ := firstOf(seq)
	return !first.meets(other)
}

// unbounded reports whether a sequence may match any length.
func unbounded(seq []*node) bool {
	return slices.ContainsFunc(seq, func(n *node) bool {
		return n.op == opStar || n.op == opRun && n.max < 0 || slices.ContainsFunc(n.seqs, unbounded)
	})
}

// choice proves alternatives, each against those after it.
func (p prover) choice(n *node, behind *rest) error {
	n.looks = make([]*set, len(n.seqs))
	for i, seq := range n.seqs[:len(n.seqs)-1] {
		others := &node{op: opChoice, seqs: n.seqs[i+1:]}
		look, ok := p.decide(seq, behind, []*node{others}, behind)
		if !ok {
			return fmt.Errorf("which alternative of %s it is depends on what follows", n.source)
		}
		if !p.once(seq, p.first(&rest{[]*node{others}, behind})) {
			return square(n)
		}
		n.looks[i] = look
	}
	for i, seq := range n.seqs {
		var err error
		if n.seqs[i], err = p.prove(seq, behind); err != nil {
			return err
		}
	}
	return nil
}

// decide shows that the first way, seq and then inside, is right when seq is
// there, possibly by a look at the byte behind it, which it returns.
func (p prover) decide(seq []*node, inside *rest, other []*node, behind *rest) (look *set, ok bool) {
	if p.commits(seq, nil, inside, other, behind) {
		return nil, true
	}
	look = p.first(inside)
	return look, p.commits(seq, look, inside, other, behind)
}

// commits reports whether there is no text that begins with seq and a byte of
// look, does not match seq and inside, and matches other and behind.
func (p prover) commits(seq []*node, look *set, inside *rest, other []*node, behind *rest) bool {
	a := newAutomaton()
	found := a.seq(seq, a.ahead(look))
	second := a.seq(other, a.rest(behind, p.ends))
	first := a.seq(seq, a.rest(inside, p.ends))
	return a.search([3]int{found, second, first}, func(found, second, first bool) bool { return found && second && !first })
}

// apart reports whether no text matches both ways.
func (p prover) apart(seq []*node, inside, behind *rest) bool {
	a := newAutomaton()
	first := a.seq(seq, a.rest(inside, p.ends))
	second := a.rest(behind, p.ends)
	return a.search([3]int{first, second, first}, func(first, second, _ bool) bool { return first && second })
}

// search reports whether no text leads to a bad combination of acceptance. It
// reports false when it had to give up. Combinations are bad only if the first
// two accept.
func (a *automaton) search(start [3]int, bad func(a, b, c bool) bool) bool {
	if len(a.states) > maxStates {
		return false
	}
	type combination [3][]int
	var queue []combination
	seen := map[string]bool{}
	push := func(c combination) {
		if len(c[0]) == 0 || len(c[1]) == 0 {
			return
		}
		if key := fmt.Sprint(c); !seen[key] {
			seen[key] = true
			queue = append(queue, c)
		}
	}
	push(combination{a.closure(start[:1]), a.closure(start[1:2]), a.closure(start[2:])})
	symbols := a.symbols()
	for len(queue) > 0 {
		if len(seen) > maxSearch {
			return false
		}
		c := queue[0]
		queue = queue[1:]
		accepts := func(i int) bool { return slices.Contains(a.step(c[i], end), accept) }
		if bad(accepts(0), accepts(1), accepts(2)) {
			return false
		}
		for _, b := range symbols {
			push(combination{a.step(c[0], b), a.step(c[1], b), a.step(c[2], b)})
		}
	}
	return true
}

// first returns what a rest can begin with, the end included.
func (p prover) first(r *rest) *set {
	s, nullable := firstOf(restNodes(r))
	if nullable {
		s.end = true
		if !p.ends {
			s.add(0, 255)
		}
	}
	return s
}

func restNodes(r *rest) []*node {
	var all []*node
	for ; r != nil; r = r.next {
		all = append(all, r.nodes...)
	}
	return all
}

// firstOf returns the bytes that a sequence can begin with, and whether it
// can be empty.
func firstOf(nodes []*node) (*set, bool) {
	s := &set{}
	for _, n := range nodes {
		switch n.op {
		case opText:
			s.in[n.text[0]] = true
		case opClass, opRun:
			s.union(n.set)
		default:
			for _, seq := range n.seqs {
				f, _ := firstOf(seq)
				s.union(f)
			}
		}
		if !nullable([]*node{n}) {
			return s, false
		}
	}
	return s, true
}
