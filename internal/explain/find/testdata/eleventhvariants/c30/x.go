package c30

// V3 closure

type symbol struct {
	kind   uint8
	offset uint32
}

type declaration struct {
	name string
	kind uint8
	size uint32
}

func layout(declarations []declaration) func(name string) (uint32, bool) {
	build := func() map[string]*symbol {
		table := make(map[string]*symbol, len(declarations))
		var next uint32
		for _, d := range declarations {
			table[d.name] = &symbol{kind: d.kind, offset: next}
			next += d.size
		}
		return table
	}
	table := build()
	return func(name string) (uint32, bool) {
		s, ok := table[name]
		if !ok {
			return 0, false
		}
		return s.offset, true
	}
}
