package pawldrive

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
)

var lengths = []int{0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097}

// tokens break what a parser, an escaper or a decoder takes for granted.
var tokens = []string{"\x00", "\x80", "\xff", "\xe2\x82", "\xf0\x9f", "\xed\xa0\x80", "\xc0\x80", "é", "€", "😀", "\u2028", "\ufeff",
	`"`, `'`, `\`, `\u00`, "<", ">", "&", "%", "%zz", "\n", "\r\n", "\t", " ", ",", ";", ":", "=", "/", ".", "-", "+", "{", "}", "[", "]", "(", ")",
	"0", "-1", "1e9", "9223372036854775808", "null", "a", "Z", "\x7f", "\x1b"}

// length returns a length near or at a boundary for something of length n.
func (m *mutator) length(n int) int {
	if c, ok := m.constant(); ok && c >= 0 && c <= maxText1 {
		return int(c)
	}
	switch m.r.n(4) {
	case 0:
		return max(0, n-1)
	case 1:
		return n + 1
	case 2:
		return m.r.n(2*n + 2)
	}
	return lengths[m.r.n(len(lengths))]
}

// window returns a mutated []byte, and now and then one with room behind its
// end, which holds what nobody should read.
func (m *mutator) window(b []byte) []byte {
	switch m.r.n(16) {
	case 0:
		return nil
	case 1:
		return []byte{}
	case 2: // the same, without room
		return slices.Clip(bytes.Clone(b))
	}
	b = m.text(bytes.Clone(b))
	if m.r.one(2) {
		return slices.Clip(b)
	}
	room := make([]byte, len(b), len(b)+1+m.r.n(80))
	copy(room, b)
	for i := range room[len(b):cap(room)] {
		room[len(b):cap(room)][i] = 0xCC
	}
	return room
}

// text mutates a text that is its own; half of the time it stays of its kind.
func (m *mutator) text(b []byte) []byte {
	if len(b) > maxText1 {
		b = b[:maxText1]
	}
	for n := 1 + m.r.n(3); n > 0; n-- {
		b = m.edit(b)
	}
	return b
}

func (m *mutator) edit(b []byte) []byte {
	i := m.r.n(len(b))
	if isNumber(b) && m.r.one(3) {
		return m.digits()
	}
	switch m.r.n(12) {
	case 0, 1, 2, 3:
		for k := 1 + m.r.n(4); k > 0 && len(b) > 0; k-- {
			i := m.r.n(len(b))
			b[i] = m.sameClass(b[i])
		}
	case 4:
		if len(b) > 0 {
			b[i] = byte(m.r.next())
		}
	case 5:
		b = b[:m.r.n(len(b)+1)]
	case 6: // leave a piece out
		if len(b) > 0 {
			j := i + m.r.n(len(b)-i+1)
			b = slices.Delete(b, i, j)
		}
	case 7, 8:
		t := tokens[m.r.n(len(tokens))]
		b = slices.Insert(b, m.r.n(len(b)+1), []byte(t)...)
	case 9: // a piece of another text
		if len(m.texts) > 0 {
			t := m.texts[m.r.n(len(m.texts))]
			lo := m.r.n(len(t))
			hi := lo + m.r.n(len(t)-lo+1)
			b = slices.Insert(b, m.r.n(len(b)+1), []byte(t[lo:hi])...)
		}
	case 10: // a whole one
		if len(m.texts) > 0 {
			b = []byte(m.texts[m.r.n(len(m.texts))])
		}
	default:
		b = m.resize(b, m.length(len(b)))
	}
	return b
}

// isNumber reports whether a text is one, as decimals are written.
func isNumber(b []byte) bool {
	return len(b) > 0 && bytes.ContainsAny(b, "0123456789") && len(bytes.TrimLeft(bytes.TrimSpace(b), "0123456789+-.eE_")) == 0
}

// edges are numbers at which types of integers end.
var edges = []string{"127", "128", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
	"9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"}

// digits returns a number as text: one at the end of a type, or one of up to
// twenty digits.
func (m *mutator) digits() []byte {
	var b []byte
	if m.r.one(3) {
		b = append(b, "-+"[m.r.n(2)])
	}
	if m.r.one(3) {
		return append(b, edges[m.r.n(len(edges))]...)
	}
	n := 1 + m.r.n(20)
	if m.r.one(2) {
		n = 16 + m.r.n(5)
	}
	for range n {
		b = append(b, '0'+byte(m.r.n(10)))
	}
	if m.r.one(4) {
		b[len(b)-1-m.r.n(min(n, 9))] = '.'
	}
	return b
}

// resize cuts a text, or repeats it, up to a length.
func (m *mutator) resize(b []byte, n int) []byte {
	n = min(n, maxText1)
	if len(b) == 0 {
		b = []byte("a")
	}
	for len(b) < n {
		b = append(b, b[:min(len(b), n-len(b))]...)
	}
	return b[:n]
}

// swollen returns an input with a text that is longer than a usual buffer: what is written through
// one shows errors before the end then. Without a text, it is the input itself.
func (m *mutator) swollen(in *input) *input {
	list, err := duplicate(in.args)
	if err != nil {
		return in
	}
	for tries := 0; tries < 2*len(list); tries++ {
		m.reset(list, m.r.n(len(list)))
		texts := slices.DeleteFunc(slices.Clone(m.sites), func(s site) bool { return !isText(s) })
		if len(texts) == 0 {
			continue
		}
		s := texts[m.r.n(len(texts))]
		m.setText(s, func(b []byte) []byte { return m.resize(b, 4097+m.r.n(1<<13)) })
		s.put()
		return &input{args: list, cand: in.cand, base: in.base, generated: true}
	}
	return in
}

// sameClass returns a byte of the same class: a digit for a digit.
func (m *mutator) sameClass(c byte) byte {
	switch classOf(c) {
	case classDigit:
		return '0' + byte(m.r.n(10))
	case classLower:
		return 'a' + byte(m.r.n(26))
	case classUpper:
		return 'A' + byte(m.r.n(26))
	case classSpace:
		return " \n\t\r"[m.r.n(4)]
	case classHigh:
		return c
	}
	return c
}

// sortKeys brings a map's keys into an order that does not depend on the map.
func sortKeys(keys []reflect.Value) {
	texts := make(map[int]string, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		order[i], texts[i] = i, describe(k.Interface())
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(texts[a], texts[b]) })
	old := slices.Clone(keys)
	for i, j := range order {
		keys[i] = old[j]
	}
}
