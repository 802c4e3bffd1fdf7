package reach

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// symbols reads what is defined. The four blocks of definitions stand one
// after the other, with nothing between.
func (o *object) symbols() error {
	o.u.syms = make([]symbol, o.defs+1)
	for i := range o.defs {
		blk, at := o.block(i)
		rec := o.rec(blk, at, symSize)
		name, err := o.str(rec)
		if err != nil {
			return err
		}
		hashed := blk == blkHashed64 || blk == blkHashed
		o.u.syms[i] = symbol{
			name: name, abi: uint8(binary.LittleEndian.Uint16(rec[8:])), kind: rec[10],
			flags: symFlags(name, binary.LittleEndian.Uint16(rec[8:]), rec[11], rec[12], hashed, rec[12]&o.export != 0),
		}
	}
	return nil
}

func (o *object) block(i int) (blk, at int) {
	switch {
	case i < o.nPkg:
		return blkSym, i
	case i < o.nPkg+o.n64:
		return blkHashed64, i - o.nPkg
	case i < o.nPkg+o.n64+o.n:
		return blkHashed, i - o.nPkg - o.n64
	default:
		return blkNonpkg, i - o.nPkg - o.n64 - o.n
	}
}

func (o *object) externals() error {
	for i := range o.refs {
		rec := o.rec(blkNonpkgRef, i, symSize)
		name, err := o.str(rec)
		if err != nil {
			return err
		}
		o.u.ext = append(o.u.ext, external{name: name, abi: rec[8]})
	}
	return nil
}

// local returns the local index of a reference; -1 where it is to nothing.
func (o *object) local(ref []byte) (int32, error) {
	i, err := o.number(ref)
	switch {
	case err != nil || i < 0:
		return -1, err
	case int(i) < o.defs:
		return o.index[i], nil
	}
	return i - int32(o.defs-o.kept), nil
}

// number returns the number of what is referred to: of definitions in their
// order in the file, and then of externals.
func (o *object) number(ref []byte) (int32, error) {
	pkg, idx := u32(ref), u32(ref[4:])
	within := func(base, n int) (int32, error) {
		if uint64(idx) >= uint64(n) {
			return 0, errCorrupt
		}
		return int32(base + int(idx)), nil
	}
	switch pkg {
	case 0:
		return -1, nil
	case pkgSelf:
		return within(0, o.nPkg)
	case pkgHashed64:
		return within(o.nPkg, o.n64)
	case pkgHashed:
		return within(o.nPkg+o.n64, o.n)
	case pkgNone:
		return within(o.nPkg+o.n64+o.n, o.nNon+o.refs)
	}
	key := [2]uint32{pkg, idx}
	if i, ok := o.byRef[key]; ok {
		return i, nil
	}
	x := external{idx: idx}
	switch {
	case pkg == pkgBuiltin:
		x.pkg = builtin
	case uint64(pkg) < uint64(len(o.pkgs)):
		x.pkg = o.pkgs[pkg]
	default:
		return 0, errCorrupt
	}
	i := int32(o.defs + len(o.u.ext))
	o.u.ext = append(o.u.ext, x)
	o.byRef[key] = i
	return i, nil
}

// skip says whether a symbol cannot be part of what is executed: debug
// information and tables about the code.
func (o *object) skip(i int) bool {
	s := &o.u.syms[i]
	return s.kind >= kindDebug && s.kind <= kindDebugEnd
}

// keep finds the symbols whose content matters: those with a name, and those
// that something refers to. It gives every target a number.
func (o *object) keep() error {
	want := make([]bool, o.defs)
	for i := range o.defs {
		want[i] = want[i] || o.u.syms[i].name != "" && (i < o.nPkg || o.u.syms[i].flags&isStatic == 0)
		if o.skip(i) {
			continue
		}
		from, to := o.span(blkRelocIdx, i)
		for j := from; j < to; j++ {
			at, err := o.number(o.rec(blkReloc, j, relocSize)[15:])
			if err != nil {
				return err
			}
			if at >= 0 && int(at) < o.defs {
				want[at] = true
			}
		}
	}
	o.index = make([]int32, o.defs)
	for i := range want {
		o.index[i] = -1
		if want[i] && !o.skip(i) {
			o.index[i] = int32(o.kept)
			o.kept++
		}
	}
	return nil
}

// content hashes the symbols that are kept and lists their references.
func (o *object) content() error {
	o.pos = make([]int32, o.kept+len(o.u.ext))
	o.last = make([]int32, o.kept+len(o.u.ext))
	all := o.u.syms
	o.u.syms = make([]symbol, 0, o.kept+1)
	for i := range o.defs {
		if o.index[i] < 0 {
			continue
		}
		all[i].edges = int32(len(o.u.edges))
		o.u.syms = append(o.u.syms, all[i])
		if err := o.one(i); err != nil {
			return err
		}
	}
	o.u.syms = append(o.u.syms, symbol{edges: int32(len(o.u.edges))})
	o.u.edges = slices.Clip(o.u.edges)
	return nil
}

// one hashes symbol number i, which is the last of those kept so far.
func (o *object) one(i int) error {
	at := o.index[i]
	s, data := &o.u.syms[at], o.data(i)
	blk, place := o.block(i)
	rec := o.rec(blk, place, symSize)
	if rec[12]&1 != 0 {
		o.u.used = append(o.u.used, at)
	}
	o.hash.Reset()
	var buf [24]byte
	buf[0] = s.kind
	copy(buf[1:], rec[13:21]) // size and alignment
	binary.LittleEndian.PutUint64(buf[9:], uint64(len(data)))
	o.hash.Write(buf[:17])
	o.hash.Write(data)
	from, to := o.span(blkRelocIdx, i)
	for j := from; j < to; j++ {
		if err := o.reloc(at, o.rec(blkReloc, j, relocSize), buf[:]); err != nil {
			return err
		}
	}
	if err := o.aux(i, s); err != nil {
		return err
	}
	s.own = sum(o.hash.Sum(nil)[:16])
	if strings.HasPrefix(s.name, "type:.namedata.") {
		o.u.names[at] = identifier(data)
	}
	return nil
}

// reloc hashes a relocation and adds its edge. The target is hashed by its
// place among the edges of the symbol.
func (o *object) reloc(i int32, rec, buf []byte) error {
	s := &o.u.syms[i]
	off, typ, add := u32(rec), binary.LittleEndian.Uint16(rec[5:]), binary.LittleEndian.Uint64(rec[7:])
	to, err := o.local(rec[15:])
	if err != nil {
		return err
	}
	e := edge{to: to}
	switch typ &^ rWeak {
	case rUseField, rUseType:
		return nil
	case rUseIface:
		e.info = toInterface << 28
	case rUseIfaceMethod:
		e.info = ifaceMethod<<28 | uint32(add)&(1<<28-1)
	case rUseNamedMethod:
		e.info = namedMethod << 28
		if at, _ := o.number(rec[15:]); to >= 0 && int(at) < o.defs && o.u.names[to] == "" {
			o.u.names[to] = string(o.data(int(at)))
		}
	case rMethodOff:
		e.info = method << 28
	default:
		if typ&rWeak != 0 {
			e.info = weak << 28
		}
	}
	if s.flags&isOrder != 0 && rec[4] == 0 && to >= 0 {
		o.u.order = append(o.u.order, to)
		return nil
	}
	copy(buf, rec[:15])
	binary.LittleEndian.PutUint32(buf[15:], uint32(o.add(i, e, off)))
	o.hash.Write(buf[:19])
	return nil
}

// add adds an edge of symbol i, unless it is there already, and returns its
// place among the symbol's edges. The edges of types are all kept, with their
// offsets: the methods are found by them.
func (o *object) add(i int32, e edge, off uint32) int32 {
	if e.to < 0 {
		return -1
	}
	s := &o.u.syms[i]
	place := int32(len(o.u.edges)) - s.edges
	switch {
	case s.flags&isType != 0 && e.kind() != ifaceMethod:
		e.info |= off & (1<<28 - 1)
	case e.kind() == plain:
		if o.last[e.to] == i+1 {
			return o.pos[e.to]
		}
		o.last[e.to], o.pos[e.to] = i+1, place
	}
	o.u.edges = append(o.u.edges, e)
	return place
}

// aux adds the type of a variable, which says where the collector finds
// pointers, and hashes the tables of a function.
func (o *object) aux(i int, s *symbol) error {
	from, to := o.span(blkAuxIdx, i)
	first := true
	for j := from; j < to; j++ {
		rec := o.rec(blkAux, j, auxSize)
		switch kind := rec[0]; {
		case kind == auxType && !s.text():
			at, err := o.local(rec[1:])
			if err != nil {
				return err
			}
			if at >= 0 {
				o.u.edges = append(o.u.edges, edge{to: at, info: typeOf << 28})
			}
		case kind == auxTables && first:
			first = false
		case kind == auxFuncdata || kind == auxStack || kind == auxTables:
			if err := o.table(kind, rec[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// table hashes a table about a function, with the names of what it refers to:
// they are no references of the code.
func (o *object) table(kind uint8, ref []byte) error {
	at, err := o.number(ref)
	if err != nil {
		return err
	}
	o.hash.Write([]byte{kind})
	if at < 0 || int(at) >= o.defs {
		return nil
	}
	var size [8]byte
	data := o.data(int(at))
	binary.LittleEndian.PutUint64(size[:], uint64(len(data)))
	o.hash.Write(size[:])
	o.hash.Write(data)
	from, to := o.span(blkRelocIdx, int(at))
	for j := from; j < to; j++ {
		rec := o.rec(blkReloc, j, relocSize)
		name, err := o.target(rec[15:])
		if err != nil {
			return err
		}
		o.hash.Write(rec[:15])
		o.hash.Write(append([]byte(name), 0))
	}
	return nil
}

// target returns the name of what is referred to, or of the package that has
// it.
func (o *object) target(ref []byte) (string, error) {
	at, err := o.number(ref)
	switch {
	case err != nil || at < 0:
		return "", err
	case int(at) < o.defs:
		return o.str(o.rec(blkSym, int(at), symSize)) // the blocks follow each other
	}
	x := o.u.ext[int(at)-o.defs]
	return x.pkg + " " + x.name, nil
}

// usedFlags reads which types of others are converted to interfaces here.
func (o *object) usedFlags() error {
	for i := range o.count(blkRefFlags, flagsSize) {
		rec := o.rec(blkRefFlags, i, flagsSize)
		if rec[9]&1 == 0 {
			continue
		}
		at, err := o.local(rec)
		if err != nil {
			return err
		}
		if at >= 0 {
			o.u.used = append(o.u.used, at)
		}
	}
	return nil
}

// identifier reads the name in a name record of reflection: a byte of flags, a
// length of variable size and the bytes.
func identifier(data []byte) string {
	if len(data) < 2 {
		return ""
	}
	n, size := binary.Uvarint(data[1:])
	if size <= 0 || n > uint64(len(data)-1-size) {
		return ""
	}
	return string(bytes.Clone(data[1+size : 1+size+int(n)]))
}
