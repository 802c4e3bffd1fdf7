package reach

import (
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A flood is the set of nodes that some roots reach. It follows the rules by
// which the linker drops dead code: a method counts as reached when its type is
// converted to an interface somewhere that is reached, and a method of that
// name and type is called through an interface somewhere that is reached, or
// methods are looked up by a name that is computed.
//
// It goes further than the linker where values may come from code that is not
// followed: the pointer to a type that is in an interface is taken to be in one
// too.
type flood struct {
	c       *Code
	reached bits
	iface   bits // types that are converted to interfaces
	called  map[signature]bool
	byName  map[string]bool
	all     bool // any exported method may be called
	every   bool // any method may
	entries bool // also go into the functions where a run starts
	pending []candidate
	work    []int32
}

// A signature is the name and the type of a method.
type signature struct {
	name string
	typ  int32
}

// A candidate is a method that is reached once its signature is called.
type candidate struct {
	signature
	nodes [3]int32
}

type bits []uint64

func (b bits) has(n int32) bool { return b[n>>6]&(1<<(n&63)) != 0 }
func (b bits) set(n int32)      { b[n>>6] |= 1 << (n & 63) }

func newFlood(c *Code) *flood {
	size := (len(c.canon)+len(c.undef))/64 + 1
	f := &flood{c: c, reached: make(bits, size), iface: make(bits, size), called: make(map[signature]bool), byName: make(map[string]bool)}
	for i := range c.units {
		u := &c.units[i]
		for _, local := range u.used {
			f.iface.set(c.node(u, local))
		}
	}
	return f
}

func (f *flood) clone() *flood {
	g := *f
	g.reached, g.iface = slices.Clone(f.reached), slices.Clone(f.iface)
	g.called, g.byName = maps.Clone(f.called), maps.Clone(f.byName)
	g.pending, g.work = slices.Clone(f.pending), nil
	return &g
}

// base returns what every run of the binary reaches: the runtime, which calls
// what nothing refers to; the initialisers; TestMain; what package testing does
// around it; and what C code may call. It is computed once.
func (c *Code) base() *flood {
	if c.start != nil {
		return c.start
	}
	f := newFlood(c)
	for i := range c.units {
		u := &c.units[i]
		inRuntime := c.parts[u.part].path == "runtime"
		for j := range len(u.syms) - 1 {
			if s := &u.syms[j]; s.flags&(isOrder|isRoot) != 0 || inRuntime && s.text() {
				f.mark(c.canon[u.base+int32(j)])
			}
		}
	}
	for _, n := range c.functions("TestMain") {
		f.mark(n)
	}
	for _, name := range []string{"testing.MainStart", "testing.(*M).Run"} {
		if n, ok := c.names[key{name, 1}]; ok {
			f.mark(n)
		}
	}
	f.run()
	c.start = f
	return f
}

// linked returns what is linked, whatever benchmark or test reaches it.
func (c *Code) linked() *flood {
	f := c.base().clone()
	f.entries = true
	for k, n := range c.names {
		if entry(k.name) {
			f.mark(n)
			f.work = append(f.work, n) // base stopped there
		}
	}
	f.run()
	return f
}

// from returns what a function reaches, with what every run reaches.
func (c *Code) from(roots []int32) *flood {
	f := c.base().clone()
	for _, n := range roots {
		f.mark(n)
	}
	f.run()
	return f
}

func (f *flood) mark(n int32) {
	if f.reached.has(n) {
		return
	}
	f.reached.set(n)
	if int(n) < len(f.c.canon) {
		f.work = append(f.work, n)
	}
}

// convert marks a type as converted to an interface. If it was visited
// already, it is visited again: what it refers to is converted with it.
func (f *flood) convert(n int32) {
	s := f.c.symbol(n)
	if s == nil || s.flags&isType == 0 || f.iface.has(n) {
		return
	}
	f.iface.set(n)
	if f.reached.has(n) {
		f.work = append(f.work, n)
	}
}

func (f *flood) run() {
	for {
		for len(f.work) > 0 {
			n := f.work[len(f.work)-1]
			f.work = f.work[:len(f.work)-1]
			f.visit(n)
			for _, other := range f.c.variants(n) {
				f.visit(other)
			}
		}
		rest := f.pending[:0]
		for _, m := range f.pending {
			if f.every || m.name == "" || f.all && exported(m.name) || f.called[m.signature] || f.byName[m.name] {
				for _, n := range m.nodes {
					f.mark(n)
				}
			} else {
				rest = append(rest, m)
			}
		}
		f.pending = rest
		if len(f.work) == 0 {
			return
		}
	}
}

// entry says whether a function is where a run starts: it reaches everything.
func entry(name string) bool {
	switch name {
	case "main.main", "main.tests", "main.benchmarks", "main.fuzzTargets", "main.examples", "runtime.main":
		return true
	}
	return false
}

func (f *flood) visit(n int32) {
	s := f.c.symbol(n)
	if entry(s.name) && !f.entries {
		return
	}

	f.all = f.all || s.flags&isReflect != 0
	edges, u := f.c.edges(n)
	inIface := s.flags&isType != 0 && f.iface.has(f.c.canon[n])
	for i := 0; i < len(edges); i++ {
		e := edges[i]
		to := f.c.node(u, e.to)
		switch e.kind() {
		case method:
			if i+2 < len(edges) && inIface {
				f.offer(u, edges, i)
			}
			i += 2
		case toInterface:
			f.convertAll(to)
		case ifaceMethod:
			f.call(to, e.offset())
		case namedMethod:
			f.byName[f.c.ident(to)] = true
		case weak:
			if s.flags&isItab != 0 || s.flags&isType != 0 && !inIface {
				continue
			}
			f.follow(to, inIface)
		case typeOf:
			f.mark(to)
		default:
			f.follow(to, inIface)
		}
	}
}

func (f *flood) follow(to int32, inIface bool) {
	if inIface {
		f.convert(to)
	}
	f.mark(to)
}

// convertAll converts a type, or the type that a table of methods is for.
func (f *flood) convertAll(n int32) {
	s := f.c.symbol(n)
	if s == nil || s.flags&isItab == 0 {
		f.convert(n)
		return
	}
	edges, u := f.c.edges(n)
	for _, e := range edges {
		f.convert(f.c.node(u, e.to))
	}
}

// offer adds the method whose three references start at edge i of a type.
func (f *flood) offer(u *placed, edges []edge, i int) {
	m := candidate{}
	for j := range m.nodes {
		m.nodes[j] = f.c.node(u, edges[i+j].to)
	}
	f.convert(m.nodes[0])
	m.signature = f.c.signature(u, edges, edges[i].offset()-4)
	f.pending = append(f.pending, m)
}

// call notes that the method at an offset of an interface type is called.
func (f *flood) call(iface int32, offset uint32) {
	if int(iface) >= len(f.c.canon) {

		f.every = true
		return
	}
	edges, u := f.c.edges(iface)
	sig := f.c.signature(u, edges, offset)
	f.called[sig] = true

	f.every = f.every || sig.name == ""
}

// signature reads the name at an offset of a type and the type that follows
// it.
func (c *Code) signature(u *placed, edges []edge, offset uint32) signature {
	sig := signature{typ: -1}
	for _, e := range edges {
		switch {
		case e.kind() == ifaceMethod || e.kind() == typeOf:
		case e.offset() == offset:
			sig.name = c.ident(c.node(u, e.to))
		case e.offset() == offset+4:
			sig.typ = c.node(u, e.to)
		}
	}
	return sig
}

// exported says whether reflection finds a method of that name.
func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}
