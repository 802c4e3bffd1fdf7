// Package evidence keeps a table of symbols.
package evidence

type symbol struct {
	kind   uint8
	offset uint32
	typ    uint16
	name   string
}

// A Table holds symbols by name.
type Table struct{ symbols map[string]*symbol }

// New returns a table with symbols of some names.
func New(names []string) *Table {
	t := &Table{symbols: make(map[string]*symbol, len(names))}
	for i, name := range names {
		t.symbols[name] = &symbol{offset: uint32(i), name: name}
	}
	return t
}

// Sum returns the sum of all offsets.
func (t *Table) Sum() (sum uint64) {
	for _, s := range t.symbols {
		sum += uint64(s.offset)
	}
	return sum
}
