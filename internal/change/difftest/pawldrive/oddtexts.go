package pawldrive

import (
	"bytes"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"
)

// This file puts into texts what careless code takes for something else: white
// space beyond the blank, runes that are alike in a byte or but for their case, runs
// of one mark, and numbers that only their last digits tell apart.

// spaces are white space to package unicode, or to one version of it or another;
// the last ones only look like it.
var spaces = []rune{' ', '\t', '\n', '\v', '\f', '\r', 0x85, 0xa0, 0x1680, 0x2003, 0x2028, 0x3000, 0x200b, 0xfeff}

// punctuation is what texts are quoted, cut or escaped by.
const punctuation = "\\\"'`%&=,;:/.-_+*?#@!|~^$(){}[]<>"

// scripts are runes where code forgets that they have a case, that they are
// digits, or that one becomes two.
var scripts = []rune{'ß', 'ẞ', 'İ', 'ı', 'ſ', 'K', 'Å', 'ǅ', 'Σ', 'ς', 'é', 'É', 'ÿ', '٣', '３', 'Ａ', 'ª', '²', 'Ⅷ', 0x301, 0x10400, '中', '😀', utf8.RuneError}

// An oddity is what an input's texts get, all of them something of one rune.
type oddity struct {
	m    *mutator
	sort int
	r    rune
}

const oddities = 5

// odd changes texts of an input, one time in four.
func (m *mutator) odd(list []any) bool {
	if !m.alike.one(4) {
		return false
	}
	defer func(r *rng) { m.r = r }(m.r)
	m.r = m.alike
	o := oddity{m: m, sort: m.r.n(oddities), r: m.anyRune()}
	changed := false
	for i := range list {
		m.reset(list, i)
		texts := slices.DeleteFunc(slices.Clone(m.sites), func(s site) bool { return !isText(s) })
		for k := 0; k < 3 && len(texts) > 0; k++ {
			at := m.r.n(len(texts))
			if s := texts[at]; k == 0 || m.r.one(2) {
				o.put(s)
				s.put()
				changed = true
			}
			texts = slices.Delete(texts, at, at+1)
		}
		if len(m.sites) > 0 && m.r.one(3) { // with other options, flags first
			options := slices.DeleteFunc(slices.Clone(m.sites), func(s site) bool { return s.t.Kind() != reflect.Bool })
			if len(options) == 0 || m.r.one(2) {
				options = m.sites
			}
			if s := options[m.r.n(len(options))]; !isText(s) {
				m.mutate(s)
				s.put()
			}
		}
	}
	return changed
}

// isText reports whether a site holds a text, or a reader of one.
func isText(s site) bool {
	return s.t.Kind() == reflect.String || isBytes(s.t) || s.t.Kind() == reflect.Pointer && readers[s.t.Elem()]
}

func (o oddity) put(s site) { o.m.setText(s, o.edit) }

// setText changes the text of a site.
func (m *mutator) setText(s site, edit func([]byte) []byte) {
	v := at(s.t, s.p)
	switch {
	case s.t.Kind() == reflect.String:
		v.SetString(string(edit([]byte(v.String()))))
	case isBytes(s.t):
		v.SetBytes(edit(bytes.Clone(v.Bytes())))
	default:
		m.rewrite(s, edit)
	}
}

func (o oddity) edit(b []byte) []byte {
	r := o.m.r
	switch o.sort {
	case 0:
		return o.spaced(b)
	case 1:
		return slices.Insert(b, o.place(b), o.like()...)
	case 2:
		for k := 1 + r.n(4); k > 0; k-- {
			b = o.run(b)
		}
		return b
	case 3:
		return o.named(b)
	}
	if r.one(3) {
		return o.replaced(b)
	}
	return o.m.numbers(b)
}

// named changes the byte at a place that a constant of the code names: s[8] is asked
// for a mark, say.
func (o oddity) named(b []byte) []byte {
	places := slices.DeleteFunc(slices.Clone(o.m.f.Numbers), func(n int64) bool { return n < 0 || n >= int64(len(b)) })
	if len(places) == 0 {
		return o.replaced(b)
	}
	i := places[o.m.r.n(len(places))]
	b[i] = []byte{punctuation[o.m.r.n(len(punctuation))], 'a' + byte(o.m.r.n(26)), '0' + byte(o.m.r.n(10)), ' '}[o.m.r.n(4)]
	return b
}

// anyRune chooses one: of the constants, of a text, or of the lists.
func (m *mutator) anyRune() rune {
	switch m.r.n(4) {
	case 0:
		if n := len(m.f.Numbers); n > 0 {
			if c := m.f.Numbers[m.r.n(n)]; c > 0 && c <= unicode.MaxRune {
				return rune(c)
			}
		}
	case 1:
		if n := len(m.texts); n > 0 {
			if list := []rune(m.texts[m.r.n(n)]); len(list) > 0 {
				return list[m.r.n(len(list))]
			}
		}
	case 2:
		return rune(punctuation[m.r.n(len(punctuation))])
	}
	return scripts[m.r.n(len(scripts))]
}

// like returns the rune, or what a byte or a change of case makes of it.
func (o oddity) like() []byte {
	r, b := o.m.r, utf8.AppendRune(nil, o.r)
	switch r.n(6) {
	case 0: // its low byte, as a byte and as a rune
		return []byte{byte(o.r)}
	case 1:
		return utf8.AppendRune(nil, rune(byte(o.r)))
	case 2: // one of its bytes alone, or as a rune
		return b[r.n(len(b)):][:1]
	case 3:
		return utf8.AppendRune(nil, rune(b[r.n(len(b))]))
	case 4: // another one with its low byte
		return utf8.AppendRune(nil, o.r+rune(1+r.n(255))<<8)
	case 5:
		return utf8.AppendRune(nil, unicode.SimpleFold(o.r))
	}
	return b
}

// place returns where to insert something: at an end as often as not.
func (o oddity) place(b []byte) int {
	return []int{0, len(b), o.m.r.n(len(b) + 1), o.m.r.n(len(b) + 1)}[o.m.r.n(4)]
}

func (o oddity) spaced(b []byte) []byte {
	var s []byte
	for k := 1 + o.m.r.n(2); k > 0; k-- {
		s = utf8.AppendRune(s, spaces[o.m.r.n(len(spaces))])
	}
	return slices.Insert(b, o.place(b), s...)
}

// run inserts a mark several times, before a mark that is there as often as not:
// backslashes most often before a quote.
func (o oddity) run(b []byte) []byte {
	r, i := o.m.r, o.place(b)
	mark, before := utf8.AppendRune(nil, o.r), string(punctuation[r.n(len(punctuation))])
	if r.one(2) {
		mark, before = []byte(`\`), []string{`"`, `"`, `'`, before}[r.n(4)]
	}
	if n := bytes.Count(b, []byte(before)); n > 0 && !r.one(4) {
		i = 0
		for k := 1 + min(r.n(min(n, 64)), r.n(min(n, 64))); k > 0; k-- { // the first ones most often: there code begins
			i += bytes.Index(b[i:], []byte(before)) + 1
		}
		i--
	}
	marks := bytes.Repeat(mark, 1+r.n(4))
	if marks[0] == '\\' && r.one(2) { // and what it escapes, so that the one that is there is as it was
		marks = append(marks, before...)
	}
	b = slices.Insert(b, i, marks...)
	if r.one(4) {
		b = append(b, bytes.Repeat(mark, 1+r.n(3))...)
	}
	return b
}

// replaced puts the rune, or one like it, in the place of another one.
func (o oddity) replaced(b []byte) []byte {
	if len(b) == 0 {
		return o.like()
	}
	i := o.m.r.n(len(b))
	for i > 0 && !utf8.RuneStart(b[i]) {
		i--
	}
	if was, size := utf8.DecodeRune(b[i:]); o.m.r.one(2) {
		return slices.Replace(b, i, i+size, utf8.AppendRune(nil, unicode.SimpleFold(was))...)
	} else {
		return slices.Replace(b, i, i+size, o.like()...)
	}
}

// numbers makes a number in a text a long one, and has what it stands in follow
// again, the last digit another one.
func (m *mutator) numbers(b []byte) []byte {
	spans := digitSpans(b)
	if len(spans) == 0 || len(b) > maxText1 {
		return append(b, m.whole()...)
	}
	at := spans[m.r.n(len(spans))]
	number := m.whole()
	near := bytes.Clone(number)
	near[len(near)-1] = '0' + byte(m.r.n(10))
	ends := ",;&\n{[(}])"
	if m.r.one(2) { // or a word alone, and not with its name
		ends += " "
	}
	from := bytes.LastIndexAny(b[:at[0]], ends) + 1
	to := len(b)
	if n := bytes.IndexAny(b[at[1]:], ends); n >= 0 {
		to = at[1] + n
	}
	between := []byte(",")
	if i := bytes.IndexAny(b, ",;&\n"); i >= 0 {
		between = b[i : i+1]
	}
	if len(spans) > 1 && m.r.one(3) { // two numbers that are there
		other := spans[m.r.n(len(spans))]
		if other[0] < at[0] {
			at, other = other, at
		}
		if at != other {
			return slices.Concat(b[:at[0]], number, b[at[1]:other[0]], near, b[other[1]:])
		}
	}
	return slices.Concat(b[:at[0]], number, b[at[1]:to], between, b[from:at[0]], near, b[at[1]:])
}

// digitSpans returns where the numbers of a text begin and end, of up to 64.
func digitSpans(b []byte) (out [][2]int) {
	for i := 0; i < len(b) && len(out) < 64; i++ {
		if classOf(b[i]) != classDigit {
			continue
		}
		from := i
		for i < len(b) && classOf(b[i]) == classDigit {
			i++
		}
		out = append(out, [2]int{from, i})
	}
	return out
}

// whole returns a whole number of 8 to 20 digits, as text.
func (m *mutator) whole() []byte {
	b := []byte{'1' + byte(m.r.n(9))}
	for n := 7 + m.r.n(13); n > 0; n-- {
		b = append(b, '0'+byte(m.r.n(10)))
	}
	return b
}
