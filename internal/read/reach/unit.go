package reach

import (
	"slices"
	"strings"
)

// A unit is one object: the symbols that the compiler or the assembler made of
// a package. Symbols have a local index: first those defined here, then those
// that others define. Debug information and tables about the code, the greater
// part of an object, are left out.
type unit struct {
	asm   bool
	syms  []symbol // and one at the end
	index []int32  // local index of what other packages refer to by number; -1 if left out
	ext   []external
	edges []edge           // of syms[i]: edges[syms[i].edges:syms[i+1].edges]
	names map[int32]string // the identifier that a symbol holds, where it holds one
	used  []int32          // types that are converted to interfaces, as static data says
	order []int32          // initialisers that must run before those of the package
}

// A symbol is a function, a variable, a constant or a description of a type.
type symbol struct {
	name  string
	own   sum   // bytes and relocations, without the targets' names
	edges int32 // index of the first edge
	kind  uint8
	abi   uint8
	flags uint8
}

// The flags of a symbol.
const (
	isType    = 1 << iota // describes a type
	isItab                // a table of an interface's methods
	isAnon                // has no name that lasts: known by its content
	isStatic              // cannot be referred to by name
	isReflect             // looks methods up by a name that the compiler does not know
	isRoot                // called from outside
	isOrder               // lists a package's initialisers
	isHashed              // the linker merges it with any of equal content
)

// The kinds of symbol that matter; those of debug information come after.
const (
	kindText     = 1
	kindTextFIPS = 2
	kindDebug    = 12 // up to
	kindDebugEnd = 20
)

func (s *symbol) text() bool { return s.kind == kindText || s.kind == kindTextFIPS }

// An external is a symbol that is not defined in the unit that refers to it.
type external struct {
	pkg  string // defined in that package's object, at index
	idx  uint32
	name string // otherwise, the name
	abi  uint8
}

// An edge is a reference from one symbol to another.
type edge struct {
	to   int32  // local index
	info uint32 // what kind of reference, and where it stands
}

func (e edge) kind() uint32   { return e.info >> 28 }
func (e edge) offset() uint32 { return e.info & (1<<28 - 1) }

// The kinds of reference.
const (
	plain       = iota
	weak        // counts only if the target is needed anyway
	toInterface // a value of the type is converted to an interface
	ifaceMethod // the method at that offset of an interface is called
	namedMethod // a method of that name is called
	method      // one of three for each method of a type
	typeOf      // the type of a variable
)

// symFlags makes the flags of a symbol out of those in the file.
func symFlags(name string, abi uint16, f1, f2 uint8, hashed, export bool) (flags uint8) {
	set := func(bit uint8, on bool) {
		if on {
			flags |= bit
		}
	}
	set(isType, f1&(1<<6) != 0)
	set(isReflect, f1&(1<<5) != 0)
	set(isItab, f2&(1<<1) != 0)
	set(isRoot, export || strings.HasPrefix(name, "_cgo"))
	set(isHashed, hashed)
	set(isStatic, hashed || abi == abiStatic || name == "")
	set(isAnon, flags&isStatic != 0 || numbered(name))
	set(isOrder, strings.HasSuffix(name, "..inittask"))
	return flags
}

// numbered says whether the compiler made the name by counting through the
// package: one more such symbol before it gives it another name.
func numbered(name string) bool {
	return slices.ContainsFunc([]string{"..stmp_", "..typeAssert.", "..interfaceSwitch.", ".glob..func", ".init.func", ".map.init."}, func(part string) bool {
		return strings.Contains(name, part)
	})
}
