package reach

import (
	"fmt"
	"slices"
	"strings"
)

// A Code is what a test binary is linked from: every symbol of every package,
// as hashes and references. It must not be used by several goroutines at once.
type Code struct {
	pkg      string
	settings []string
	parts    []compiled
	units    []placed
	unitOf   []int32 // by node
	canon    []int32 // by node: the node that stands for all of its name
	names    map[key]int32
	dups     map[int32][]int32 // further definitions of a name, by the node that stands for it
	undef    []key             // nodes from len(canon) on: names that the linker defines, or nobody

	digest map[int32]sum
	open   map[int32]int // symbols whose digest is being computed
	start  *flood        // what every run reaches, whatever the benchmark
	cmp    *comparison   // with the base asked about last
}

// A key is what the linker finds a symbol by.
type key struct {
	name string
	abi  uint8
}

// A placed unit has a range of nodes: its symbols, in their order.
type placed struct {
	*unit
	part int
	base int32
	ext  []int32 // nodes of its externals
}

func link(pkg string, set []string, parts []compiled, builtins []key) (*Code, error) {
	c := &Code{pkg: pkg, settings: set, parts: parts, names: make(map[key]int32), dups: make(map[int32][]int32), digest: make(map[int32]sum), open: make(map[int32]int)}
	byPkg := make(map[string]int)
	for i, p := range parts {
		if _, ok := byPkg[p.path]; ok {
			return nil, fmt.Errorf("the go command lists %s twice for one binary", p.path)
		}
		byPkg[p.path], byPkg[escape(p.path)] = -1, -1
		for _, u := range p.units {
			if !u.asm {
				byPkg[p.path], byPkg[escape(p.path)] = len(c.units), len(c.units)
			}
			c.units = append(c.units, placed{unit: u, part: i, base: int32(len(c.canon))})
			c.define(int32(len(c.units)-1), u)
		}
	}
	return c, c.resolve(byPkg, builtins)
}

// define gives nodes to the symbols of a unit.
func (c *Code) define(at int32, u *unit) {
	for i := range len(u.syms) - 1 {
		n := int32(len(c.canon))
		c.unitOf = append(c.unitOf, at)
		s := &u.syms[i]
		stands := n
		if s.flags&isStatic == 0 {
			k := key{s.name, s.abi}
			if first, ok := c.names[k]; ok {
				stands = first
				c.dups[first] = append(c.dups[first], n)
			} else {
				c.names[k] = n
			}
		}
		c.canon = append(c.canon, stands)
	}
}

// resolve finds the nodes of what units refer to in others.
func (c *Code) resolve(byPkg map[string]int, builtins []key) error {
	undef := make(map[key]int32)
	for i := range c.units {
		u := &c.units[i]
		u.ext = make([]int32, len(u.unit.ext))
		for j, x := range u.unit.ext {
			switch {
			case x.pkg == "":
				u.ext[j] = c.named(key{x.name, x.abi}, undef)
				continue
			case x.pkg == builtin && int(x.idx) < len(builtins):
				u.ext[j] = c.named(builtins[x.idx], undef)
				continue
			}
			at, ok := byPkg[x.pkg]
			if !ok || at < 0 || uint64(x.idx) >= uint64(len(c.units[at].index)) || c.units[at].index[x.idx] < 0 {
				return fmt.Errorf("%s refers to a symbol of %s that is not there", c.parts[u.part].path, x.pkg)
			}
			u.ext[j] = c.canon[c.units[at].base+c.units[at].index[x.idx]]
		}
	}
	return nil
}

// named finds a symbol by its name. Where the calling convention asked for is
// not defined, the other one is taken: data has none.
func (c *Code) named(k key, undef map[key]int32) int32 {
	if n, ok := c.names[k]; ok {
		return n
	}
	if n, ok := c.names[key{k.name, 1 - min(k.abi, 1)}]; ok {
		return n
	}
	n, ok := undef[k]
	if !ok {
		n = int32(len(c.canon) + len(c.undef))
		undef[k] = n
		c.undef = append(c.undef, k)
	}
	return n
}

// symbol returns what a node stands for; nil for one that is not defined.
func (c *Code) symbol(n int32) *symbol {
	if int(n) >= len(c.canon) {
		return nil
	}
	u := &c.units[c.unitOf[n]]
	return &u.syms[n-u.base]
}

// edges returns the references of a node, and the unit that they are local to.
func (c *Code) edges(n int32) ([]edge, *placed) {
	u := &c.units[c.unitOf[n]]
	i := n - u.base
	return u.unit.edges[u.syms[i].edges:u.syms[i+1].edges], u
}

// node returns the node of a local index.
func (c *Code) node(u *placed, local int32) int32 {
	if defs := int32(len(u.syms) - 1); local >= defs {
		return u.ext[local-defs]
	}
	return c.canon[u.base+local]
}

// ident returns the identifier that a symbol holds.
func (c *Code) ident(n int32) string {
	if int(n) >= len(c.canon) {
		return ""
	}
	u := &c.units[c.unitOf[n]]
	return u.names[n-u.base]
}

// functions returns the nodes of a function by its package and name, in the
// package or its external test package.
func (c *Code) functions(name string) []int32 {
	var found []int32
	for _, pkg := range []string{c.pkg, c.pkg + "_test"} {
		for abi := range uint8(2) {
			if n, ok := c.names[key{escape(pkg) + "." + name, abi}]; ok {
				found = append(found, n)
			}
		}
	}
	return found
}

// initOrder returns the initialisers that have something to do, in the order
// in which they run: after those of the packages that they import, and by name
// where that leaves a choice.
func (c *Code) initOrder() []string {
	waits, after := make(map[string]int), make(map[string][]string)
	works := make(map[string]bool)
	for i := range c.units {
		u := &c.units[i]
		for j := range len(u.syms) - 1 {
			if s := &u.syms[j]; s.flags&isOrder != 0 {
				edges, _ := c.edges(u.base + int32(j))
				works[s.name] = len(edges) > 0
				waits[s.name] += len(u.order)
				for _, to := range u.order {
					before := c.key(c.node(u, to)).name
					after[before] = append(after[before], s.name)
				}
			}
		}
	}
	var ready, order []string
	for name, n := range waits {
		if n == 0 {
			ready = append(ready, name)
		}
	}
	for len(ready) > 0 {
		slices.Sort(ready)
		first := ready[0]
		ready = ready[1:]
		if works[first] {
			order = append(order, first)
		}
		for _, next := range after[first] {
			if waits[next]--; waits[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	return order
}

// key returns what the linker finds a node by.
func (c *Code) key(n int32) key {
	if s := c.symbol(n); s != nil {
		return key{s.name, s.abi}
	}
	return c.undef[int(n)-len(c.canon)]
}

// escape writes an import path the way that symbols have it: what could be
// mistaken for the dot in front of the name stands as %xx.
func escape(path string) string {
	last := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		ch := path[i]
		if ch <= ' ' || ch == '.' && i > last || ch == '%' || ch == '"' || ch >= 0x7f {
			fmt.Fprintf(&b, "%%%02x", ch)
		} else {
			b.WriteByte(ch)
		}
	}
	return b.String()
}
