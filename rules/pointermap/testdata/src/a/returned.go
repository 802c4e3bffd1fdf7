package a

func layout(names []string) map[string]*symbol {
	at := make(map[string]*symbol, len(names))
	for i, name := range names {
		at[name] = &symbol{offset: uint32(i)} // want `at holds pointers`
	}
	return at
}

func offset(names []string, name string) (uint32, bool) {
	at := layout(names)
	s, ok := at[name]
	if !ok {
		return 0, false
	}
	return s.offset, true
}

// What follows is left alone.

func open(names []string) map[string]*symbol {
	at := make(map[string]*symbol, len(names))
	for _, name := range names {
		at[name] = &symbol{name: name}
	}
	return at
}

func grows(names []string) {
	at := open(names)
	for _, s := range at {
		s.grow()
	}
}

func Offered(names []string) map[string]*symbol {
	at := make(map[string]*symbol, len(names))
	for _, name := range names {
		at[name] = &symbol{name: name}
	}
	return at
}
