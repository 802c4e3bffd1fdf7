package reach

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A comparison is one Code held against its base. Symbols are compared when
// they are first asked about.
type comparison struct {
	c, base    *Code
	verdict    []uint8           // by node of c
	to, from   map[int32]int32   // variables known by content, paired
	merged     map[[2]int32]bool // paired symbols that the linker merges
	everything []string          // what makes all of the binary count as changed
	notes      []string
}

const (
	unknown = iota
	equal
	differs
)

// Changed says what a top-level benchmark function reaches, and how that
// differs from what it reached in base. Of a sub-benchmark's name, the part
// before the first slash counts. Reached counts the functions that it adds to
// the some thousands that every run of the binary reaches; Changed covers both.
// The names are those of functions, variables and types as the compiler has
// them; an entry in round brackets is about the binary as a whole.
func (c *Code) Changed(base *Code, benchmark string) model.CodeDiff {
	top, _, _ := strings.Cut(benchmark, "/")
	return c.against(base).benchmark(top)
}

// differs names what differs from base in all that is linked, whether a
// benchmark reaches it or not: nothing where both are the same program.
func (c *Code) differs(base *Code) []string {
	return c.against(base).names(c.linked(), base.linked())
}

func (c *Code) against(base *Code) *comparison {
	if c.cmp == nil || c.cmp.base != base {
		c.cmp = compare(c, base)
	}
	return c.cmp
}

func (x *comparison) benchmark(name string) model.CodeDiff {
	d := model.CodeDiff{Notes: slices.Clone(x.notes)}
	now, before := x.c.functions(name), x.base.functions(name)
	f, start := x.c.from(now), x.c.base()
	for n := range f.each() {
		if s := x.c.symbol(n); s != nil && s.text() && !start.reached.has(n) {
			d.Reached++
		}
	}
	d.Changed = x.names(f, x.base.from(before))
	if len(now) == 0 || len(before) == 0 {
		d.Changed = append(d.Changed, name)
		d.Notes = append(d.Notes, fmt.Sprintf("%s is not a function of both binaries", name))
	}
	return d
}

// names returns the names of what differs between two floods, in order.
func (x *comparison) names(now, before *flood) []string {
	changed := make(map[string]bool)
	for _, s := range x.everything {
		changed[s] = true
	}
	for n := range now.each() {
		if s := x.c.symbol(n); s != nil && s.flags&isAnon == 0 && x.compare(n) == differs {
			changed[readable(s.name)] = true
		}
	}
	// What was reached before and is not there any more, or is reached no
	// longer from a root that is gone.
	for n := range before.each() {
		s := x.base.symbol(n)
		if s == nil || s.flags&isAnon != 0 {
			continue
		}
		m, ok := x.c.names[key{s.name, s.abi}]
		if !ok || x.compare(m) == differs {
			changed[readable(s.name)] = true
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(changed))...) // never nil: it is part of the JSON
}

// each yields the nodes of the flood, in order.
func (f *flood) each() func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for i, word := range f.reached {
			for bit := int32(0); word != 0; bit, word = bit+1, word>>1 {
				if word&1 != 0 && !yield(int32(i)<<6+bit) {
					return
				}
			}
		}
	}
}

// readable undoes the escapes of an import path.
func readable(name string) string {
	return strings.NewReplacer("%2e", ".", "%22", `"`, "%25", "%").Replace(name)
}

// compare compares what concerns the binaries as a whole.
func compare(c, base *Code) *comparison {
	x := &comparison{c: c, base: base, verdict: make([]uint8, len(c.canon)), to: make(map[int32]int32), from: make(map[int32]int32), merged: make(map[[2]int32]bool)}
	if !slices.Equal(c.settings, base.settings) {
		x.all("(build settings)", fmt.Sprintf("the binaries are built with other settings: %s before, %s now",
			strings.Join(minus(base.settings, c.settings), ", "), strings.Join(minus(c.settings, base.settings), ", ")))
	}
	if now, before := c.initOrder(), base.initOrder(); !sameOrder(now, before) {
		x.all("(order of initialisation)", "packages are initialised in another order")
	}
	was := make(map[string]compiled)
	for _, p := range base.parts {
		was[p.path] = p
	}
	for _, p := range c.parts {
		b, ok := was[p.path]
		delete(was, p.path)
		if !ok && !p.host || ok && p.foreign == b.foreign {
			continue
		}
		x.all("(foreign code of "+p.path+")", fmt.Sprintf("code that is not Go differs in %s: what calls it is not known, so everything counts as changed", p.path))
	}
	for path, p := range was {
		if p.host {
			x.all("(foreign code of "+path+")", fmt.Sprintf("%s, which has code that is not Go, is not linked any more", path))
		}
	}
	return x
}

func (x *comparison) all(what, note string) {
	x.everything, x.notes = append(x.everything, what), append(x.notes, note)
}

func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// sameOrder says whether what both lists have comes in the same order in both.
func sameOrder(a, b []string) bool {
	common := func(list, other []string) []string {
		in := make(map[string]bool, len(other))
		for _, s := range other {
			in[s] = true
		}
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !in[s] })
	}
	return slices.Equal(common(a, b), common(b, a))
}

// compare compares a symbol that has a lasting name with the one of that name
// in the base. What it refers to by name is not looked at: that is reached too,
// and is compared on its own.
func (x *comparison) compare(n int32) uint8 {
	n = x.c.canon[n]
	if x.verdict[n] != unknown {
		return x.verdict[n]
	}
	x.verdict[n] = differs
	s := x.c.symbol(n)
	b, ok := x.base.names[key{s.name, s.abi}]
	if ok && x.c.whole(n) == x.base.whole(b) && x.pair(n, b) {
		x.verdict[n] = equal
	}
	return x.verdict[n]
}

// pair walks two equal symbols, and those known by their content only that they
// refer to, in step. Each of the latter must stand for one of the base's, and
// always for the same: two variables that became one are a difference, whatever
// they hold.
func (x *comparison) pair(n, b int32) bool {
	now, u := x.c.edges(n)
	before, v := x.base.edges(b)
	if len(now) != len(before) {
		return false
	}
	for i := range now {
		p, q := x.c.node(u, now[i].to), x.base.node(v, before[i].to)
		s := x.c.symbol(p)
		if s == nil || s.flags&isAnon == 0 {
			continue
		}
		t := x.base.symbol(q)
		if t == nil {
			return false
		}
		old, seen := x.to[p]
		other, taken := x.from[q]
		switch {
		case s.flags&t.flags&isHashed != 0:
			if x.merged[[2]int32{p, q}] {
				continue
			}
			x.merged[[2]int32{p, q}] = true
		case seen != taken || seen && (old != q || other != p):
			return false
		case seen:
			continue
		}
		if s.flags&t.flags&isHashed == 0 {
			x.to[p], x.from[q] = q, p
		}
		if !x.pair(p, q) {
			return false
		}
	}
	return true
}

// whole returns the digest of all definitions of a name.
func (c *Code) whole(n int32) sum {
	others := c.variants(n)
	if len(others) == 0 {
		return c.sum(n)
	}
	all := []sum{c.sum(n)}
	for _, o := range others {
		all = append(all, c.sum(o))
	}
	sorted.By(all, func(a, b sum) int { return bytes.Compare(a[:], b[:]) })
	var buf []byte
	for _, s := range all {
		buf = append(buf, s[:]...)
	}
	return sumOf(buf)
}

// variants returns the further definitions of a name whose content is
// different. Packages that need the same instance of a generic function or the
// same type each have it; the linker takes one, and they are all alike.
func (c *Code) variants(n int32) []int32 {
	dups := c.dups[n]
	if len(dups) == 0 {
		return nil
	}
	var out []int32
	have := map[sum]bool{c.sum(n): true}
	for _, d := range dups {
		if s := c.sum(d); !have[s] {
			have[s] = true
			out = append(out, d)
		}
	}
	c.dups[n] = out
	return out
}

// sum returns the digest of a symbol: its own content, the names of what it
// refers to, and the digest of what it refers to that has no lasting name.
func (c *Code) sum(n int32) sum {
	d, _ := c.sumAt(n, 0)
	return d
}

// sumAt is sum, for a symbol that is reached over depth others that are being
// summed. A reference back to one of those, as a jump table has to its
// function, counts by how far back it goes. The second result is the depth of
// the outermost of them; a digest that depends on them is not kept.
func (c *Code) sumAt(n int32, depth int) (sum, int) {
	if d, ok := c.digest[n]; ok {
		return d, depth
	}
	c.open[n] = depth
	defer delete(c.open, n)
	outermost := depth
	s := c.symbol(n)
	edges, u := c.edges(n)
	buf := append(make([]byte, 0, 512), s.own[:]...)
	for _, e := range edges {
		to := c.node(u, e.to)
		buf = binary.LittleEndian.AppendUint32(buf, e.info)
		if t := c.symbol(to); t == nil || t.flags&isAnon == 0 {
			k := c.key(to)
			buf = binary.LittleEndian.AppendUint32(append(buf, 0, k.abi), uint32(len(k.name)))
			buf = append(buf, k.name...)
			continue
		}
		if at, ok := c.open[to]; ok {
			buf = binary.LittleEndian.AppendUint32(append(buf, 1), uint32(depth-at))
			outermost = min(outermost, at)
			continue
		}
		d, out := c.sumAt(to, depth+1)
		buf = append(append(buf, 2), d[:]...)
		outermost = min(outermost, out)
	}
	d := sumOf(buf)
	if outermost == depth {
		c.digest[n] = d
	}
	return d, outermost
}
