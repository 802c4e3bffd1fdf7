package recode

import (
	"errors"
)

// anywhere says why a pattern without ^ cannot be looked for by trying one
// byte after the other; nil if it can.
//
// A match must be known to begin at a certain byte: package regexp goes from
// character to character. And the time must stay linear. What a failed try
// has read is read again by a later one only if that begins within it, and the
// parts of unbounded length must hold no byte that a match can begin with.
func anywhere(t *tree) error {
	first, none := firstOf(t.nodes)
	if none {
		return errors.New("it does not begin with ^ and may match nothing at all, anywhere in the text")
	}
	if first.in[0x80] {
		return errors.New("it does not begin with ^ and may match from any character on")
	}
	if scanned(t.nodes, !t.ends).meets(first) {
		return errors.New("it does not begin with ^: to try it at each byte could take time that grows with the square of the text's length")
	}
	return nil
}

// scanned returns the bytes of the parts of unbounded length. The last part of
// a pattern without $ is left out where it cannot fail: the search ends there.
func scanned(nodes []*node, last bool) *set {
	s := &set{}
	for i, n := range nodes {
		final := last && i+1 == len(nodes)
		switch {
		case final && (nullable([]*node{n}) || n.op == opRun && n.min <= 1 && n.max < 0 && n.last == nil):
		case final && n.op == opGroup:
			s.union(scanned(n.seqs[0], true))
		case n.op == opStar:
			s.union(bytesOf(n.seqs))
		case n.op == opRun && n.max < 0:
			s.union(n.set)
		default:
			for _, seq := range n.seqs {
				s.union(scanned(seq, false))
			}
		}
	}
	return s
}

// bytesOf returns all bytes that sequences can match.
func bytesOf(seqs [][]*node) *set {
	s := &set{}
	for _, seq := range seqs {
		for _, n := range seq {
			for i := range len(n.text) {
				s.in[n.text[i]] = true
			}
			if n.set != nil {
				s.union(n.set)
			}
			s.union(bytesOf(n.seqs))
		}
	}
	return s
}

// anywhere writes the body of a function that tries each byte.
func (w *writer) anywhere(t *tree) {
	v := w.fresh()
	w.line("for %s := 0; %s < len(s); %s++ {", v, v, v)
	sub := &writer{g: w.g, live: w.live}
	sub.seq(t.nodes, at{v: v}, func(p at) {
		if t.ends {
			sub.bound()
			sub.conds = append(sub.conds, endsAt(p))
		}
		sub.flush()
		if w.g.spec.Kind == Match {
			sub.line("return true")
			return
		}
		sub.capture(0, at{v: v}, p)
		sub.assign()
		sub.line("return groups[:]")
	})
	sub.close()
	w.text.WriteString(sub.text.String())
	w.line("}")
	w.line("%s", w.g.none())
}
