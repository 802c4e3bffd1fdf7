package reach

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"slices"
)

// The numbers of relocations, in all the known releases.
const (
	rUseField       = 21
	rUseType        = 22
	rUseIface       = 23
	rUseIfaceMethod = 24
	rUseNamedMethod = 25
	rMethodOff      = 26
	rWeak           = 1 << 15
)

// The blocks of an object, in their order in the file.
const (
	blkAutolib = iota
	blkPkg
	blkFile
	blkSym
	blkHashed64
	blkHashed
	blkNonpkg
	blkNonpkgRef
	blkRefFlags
	blkHash64
	blkHash
	blkRelocIdx
	blkAuxIdx
	blkDataIdx
	blkReloc
	blkAux
	blkData
	blkRefName
	blkEnd
	blocks
)

// The sizes of records and the special package indices.
const (
	headerSize = 8 + 8 + 4 + 4*blocks
	symSize    = 21
	relocSize  = 23
	auxSize    = 9
	flagsSize  = 10

	pkgNone     = 1<<31 - 1
	pkgHashed64 = pkgNone - 1
	pkgHashed   = pkgNone - 2
	pkgBuiltin  = pkgNone - 3
	pkgSelf     = pkgNone - 4

	abiStatic = 1<<16 - 1
)

// What else a symbol has. Of a function, the tables that the collector, stack
// growth and panics read are part of what runs. Those of lines, files and
// inlined calls are not; nor is the first of its pcdata, which says where the
// scheduler may stop it: in package runtime that is nowhere, so that a function
// that other packages need too has two.
const (
	auxType     = 0
	auxFuncdata = 2
	auxStack    = 7
	auxTables   = 11
)

// builtin stands for the package of an external that is in the list of those
// that the compiler knows by number.
const builtin = "(builtin)"

const magic = "\x00go120ld"

var (
	errMagic   = errors.New("an object format that is not known here")
	errCorrupt = errors.New("the object is damaged")
)

// An object is the file being read.
type object struct {
	b       []byte
	off     [blocks]uint32
	strings string
	pkgs    []string
	nPkg    int // symbols that the package defines
	n64, n  int // symbols known by their content, short and long
	nNon    int // symbols known by their name only
	defs    int // all that are defined
	refs    int // names of others
	u       *unit
	byRef   map[[2]uint32]int32 // locals of externals that have an index
	index   []int32             // local index, by number in the file; -1 for what is left out
	kept    int
	last    []int32 // by local index: the symbol that referred to it last
	pos     []int32 // ... and its place among that symbol's edges
	hash    hash.Hash
	export  uint8 // the bit of a symbol that is called from outside
}

// parseObject reads an object file: the layout that the comment in
// cmd/internal/goobj describes, with the bit that the host may call a symbol, of the release.
func parseObject(b []byte, export uint8) (*unit, error) {
	o := &object{b: b, export: export, u: &unit{names: make(map[int32]string)}, byRef: make(map[[2]uint32]int32), hash: sha256.New()}
	for _, step := range []func() error{o.header, o.symbols, o.externals, o.keep, o.content, o.usedFlags} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	o.u.index = slices.Clone(o.index[:o.nPkg])
	return o.u, nil
}

func u32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

func (o *object) header() error {
	if len(o.b) < len(magic) || string(o.b[:len(magic)]) != magic {
		return errMagic
	}
	if len(o.b) < headerSize {
		return errCorrupt
	}
	o.u.asm = u32(o.b[16:])&4 != 0
	last := uint32(headerSize)
	for i := range o.off {
		o.off[i] = u32(o.b[20+4*i:])
		if o.off[i] < last || uint64(o.off[i]) > uint64(len(o.b)) {
			return errCorrupt
		}
		last = o.off[i]
	}
	o.strings = string(o.b[:o.off[0]])
	o.nPkg, o.n64 = o.count(blkSym, symSize), o.count(blkHashed64, symSize)
	o.n, o.nNon = o.count(blkHashed, symSize), o.count(blkNonpkg, symSize)
	o.refs = o.count(blkNonpkgRef, symSize)
	o.defs = o.nPkg + o.n64 + o.n + o.nNon
	for _, idx := range []struct{ blk, into, size int }{{blkRelocIdx, blkReloc, relocSize}, {blkAuxIdx, blkAux, auxSize}, {blkDataIdx, blkData, 1}} {
		if err := o.checkIndex(idx.blk, o.count(idx.into, idx.size)); err != nil {
			return err
		}
	}
	for i := range o.count(blkPkg, 8) {
		name, err := o.str(o.rec(blkPkg, i, 8))
		if err != nil {
			return err
		}
		o.pkgs = append(o.pkgs, name)
	}
	return nil
}

func (o *object) count(blk, size int) int { return int(o.off[blk+1]-o.off[blk]) / size }

func (o *object) rec(blk, i, size int) []byte {
	return o.b[int(o.off[blk])+i*size:][:size]
}

// checkIndex makes sure that an index has an entry for each symbol and one at
// the end, that never points back or beyond its block.
func (o *object) checkIndex(blk, limit int) error {
	if o.count(blk, 4) < o.defs+1 {
		return errCorrupt
	}
	last := uint32(0)
	for i := range o.defs + 1 {
		at := u32(o.rec(blk, i, 4))
		if at < last || uint64(at) > uint64(limit) {
			return errCorrupt
		}
		last = at
	}
	return nil
}

func (o *object) span(blk, i int) (from, to int) {
	return int(u32(o.rec(blk, i, 4))), int(u32(o.rec(blk, i+1, 4)))
}

func (o *object) data(i int) []byte {
	from, to := o.span(blkDataIdx, i)
	return o.b[int(o.off[blkData])+from : int(o.off[blkData])+to]
}

func (o *object) str(ref []byte) (string, error) {
	n, at := uint64(u32(ref)), uint64(u32(ref[4:]))
	if at+n > uint64(len(o.strings)) {
		return "", errCorrupt
	}
	return o.strings[at : at+n], nil
}
