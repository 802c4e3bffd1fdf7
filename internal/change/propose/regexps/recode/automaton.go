package recode

// end is the symbol after the last byte of a text.
const end = 256

// An automaton is a nondeterministic automaton over bytes and the end. A state
// has either ways that need no symbol or one that needs one of on.
type automaton struct {
	states []state
}

type state struct {
	free []int
	on   *set
	to   int
}

// accept is the state behind the end of a text that matches.
const accept = 0

func newAutomaton() *automaton { return &automaton{states: make([]state, 1)} }

func (a *automaton) add(s state) int {
	a.states = append(a.states, s)
	return len(a.states) - 1
}

// terminal returns the state for what may stand behind a whole match: the
// end, or anything.
func (a *automaton) terminal(ends bool) int {
	last := a.add(state{on: &set{end: true}, to: accept})
	if ends {
		return last
	}
	all := &set{}
	all.add(0, 255)
	loop := a.add(state{on: all})
	split := a.add(state{free: []int{loop, last}})
	a.states[loop].to = split
	return split
}

// ahead returns a state for one of look and then anything.
func (a *automaton) ahead(look *set) int {
	any := a.terminal(false)
	if look == nil {
		return any
	}
	bytes := *look
	bytes.end = false
	ways := []int{a.add(state{on: &bytes, to: any})}
	if look.end {
		ways = append(ways, a.terminal(true))
	}
	return a.add(state{free: ways})
}

// rest returns the start of what follows: a list of sequences and the
// terminal.
func (a *automaton) rest(r *rest, ends bool) int {
	if r == nil {
		return a.terminal(ends)
	}
	return a.seq(r.nodes, a.rest(r.next, ends))
}

// seq returns the start of a sequence that leads to the state next.
func (a *automaton) seq(nodes []*node, next int) int {
	for i := len(nodes) - 1; i >= 0; i-- {
		next = a.node(nodes[i], next)
	}
	return next
}

func (a *automaton) node(n *node, next int) int {
	switch n.op {
	case opText:
		for i := len(n.text) - 1; i >= 0; i-- {
			one := &set{}
			one.in[n.text[i]] = true
			next = a.add(state{on: one, to: next})
		}
	case opClass:
		next = a.add(state{on: n.set, to: next})
	case opRun:
		next = a.run(n, next)
	case opGroup:
		next = a.seq(n.seqs[0], next)
	case opMaybe:
		next = a.add(state{free: []int{a.seq(n.seqs[0], next), next}})
	case opStar:
		split := a.add(state{})
		body := a.seq(n.seqs[0], split)
		a.states[split].free = []int{body, next}
		next = split
		if n.min > 0 {
			next = body
		}
	case opChoice:
		var free []int
		for _, s := range n.seqs {
			free = append(free, a.seq(s, next))
		}
		next = a.add(state{free: free})
	}
	return next
}

func (a *automaton) run(n *node, next int) int {
	least := n.min
	if n.last != nil {
		next, least = a.add(state{on: n.last, to: next}), n.min-1
	}
	if n.max < 0 {
		loop := a.add(state{on: n.set})
		split := a.add(state{free: []int{loop, next}})
		a.states[loop].to = split
		next = split
	}
	for range n.max - least {
		next = a.add(state{free: []int{a.add(state{on: n.set, to: next}), next}})
	}
	for range least {
		next = a.add(state{on: n.set, to: next})
	}
	return next
}

// closure returns the states that are reached from some without a symbol, in
// order, those that need one only, and accept.
func (a *automaton) closure(from []int) []int {
	seen := make([]bool, len(a.states))
	var walk func(int)
	walk = func(s int) {
		if seen[s] {
			return
		}
		seen[s] = true
		for _, t := range a.states[s].free {
			walk(t)
		}
	}
	for _, s := range from {
		walk(s)
	}
	var out []int
	for s, ok := range seen {
		if ok && (s == accept || a.states[s].on != nil) {
			out = append(out, s)
		}
	}
	return out
}

// step returns the states after a symbol.
func (a *automaton) step(from []int, symbol int) []int {
	var to []int
	for _, s := range from {
		on := a.states[s].on
		if on != nil && (symbol == end && on.end || symbol != end && on.in[symbol]) {
			to = append(to, a.states[s].to)
		}
	}
	return a.closure(to)
}

// symbols returns a byte for each kind of byte that the automaton tells
// apart.
func (a *automaton) symbols() []int {
	kinds := map[string]bool{}
	var out []int
	key := make([]byte, len(a.states))
	for b := range 256 {
		for i, s := range a.states {
			key[i] = '0'
			if s.on != nil && s.on.in[b] {
				key[i] = '1'
			}
		}
		if !kinds[string(key)] {
			kinds[string(key)] = true
			out = append(out, b)
		}
	}
	return out
}
