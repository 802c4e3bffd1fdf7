package a

import "sync"

type symbol struct {
	kind   uint8
	offset uint32
	name   string
}

func (s symbol) end() uint32 { return s.offset + 1 }

func (s *symbol) grow() { s.offset++ }

var table = map[string]*symbol{}

func sum() (sum uint64) {
	for _, s := range table { // want `table holds pointers that are only read through: a map of symbol keeps the values, of 24 bytes, in itself`
		sum += uint64(s.offset) + uint64(s.end())
	}
	return sum
}

func insert(name string, at uint32) {
	if table[name] != nil {
		return
	}
	table[name] = &symbol{name: name, offset: at} // want `table holds pointers`
}

func find(name string) (uint32, bool) {
	s, ok := table[name]
	if !ok {
		return 0, false
	}
	return s.offset, len(table) > 0
}

type index struct{ byName map[string]*symbol }

func newIndex() *index { return &index{byName: make(map[string]*symbol)} }

func (x *index) add(name string) {
	s := &symbol{} // want `byName holds pointers`
	s.name = name
	x.byName[name] = s
}

func (x *index) kind(name string) uint8 { return x.byName[name].kind }

func local(names []string) (n uint32) {
	seen := make(map[string]*symbol)
	for i, name := range names {
		seen[name] = &symbol{offset: uint32(i)} // want `seen holds pointers`
	}
	count := func() {
		for _, s := range seen { // want `seen holds pointers`
			n += s.offset
		}
	}
	count()
	return n
}

func generic[K comparable](keys []K) (n uint32) {
	seen := map[K]*symbol{}
	for _, k := range keys {
		seen[k] = &symbol{offset: 1} // want `seen holds pointers`
	}
	for _, s := range seen { // want `seen holds pointers`
		n += s.offset
	}
	return n
}

// What follows is left alone.

var (
	written  = map[string]*symbol{}
	grown    = map[string]*symbol{}
	kept     = map[string]*symbol{}
	handed   = map[string]*symbol{}
	taken    = map[string]*symbol{}
	compared = map[string]*symbol{}
	loaded   = load()
	shared   = map[string]*symbol{}
	values   = map[string]symbol{}
	large    = map[string]*[200]byte{}
	locks    = map[string]*struct{ sync.Mutex }{}
	Exported = map[string]*symbol{}
)

func load() map[string]*symbol { return map[string]*symbol{} }

func all(s *symbol) (n int) {
	for _, s := range written {
		n += int(s.offset)
	}
	written["a"].offset = 1
	for _, s := range grown {
		s.grow()
	}
	for _, s := range kept {
		last = s
	}
	for _, s := range handed {
		use(s)
	}
	for _, s := range taken {
		p := &s.offset
		n += int(*p)
	}
	for _, s := range compared {
		if s == last {
			n++
		}
	}
	for _, s := range loaded {
		n += int(s.offset)
	}
	for _, s := range shared {
		n += int(s.offset)
	}
	shared["b"] = s
	for _, s := range values {
		n += int(s.offset)
	}
	for _, s := range Exported {
		n += int(s.offset)
	}
	return n + len(large) + len(locks)
}

var last *symbol

func use(*symbol) {}

func parameter(m map[string]*symbol) (n int) {
	for _, s := range m {
		n += int(s.offset)
	}
	return n
}

func returned() map[string]*symbol {
	m := map[string]*symbol{}
	m["a"] = &symbol{}
	return m
}

func keys(names []string) (n int) {
	m := map[string]*symbol{}
	for range m {
		n++
	}
	return n
}
