// Package evidence resolves names in nested scopes.
package evidence

// A Scope holds the names that a block defines.
type Scope struct {
	names  map[string]int
	parent *Scope
}

// New returns a scope within another, if that is not nil.
func New(parent *Scope) *Scope {
	return &Scope{
		parent: parent,
		names:  make(map[string]int), // target
	}
}

// Define gives a name a value.
func (s *Scope) Define(name string, value int) {
	s.names[name] = value
}

// Lookup returns the innermost value of a name, 0 for none.
func (s *Scope) Lookup(name string) int {
	for ; s != nil; s = s.parent {
		if value, ok := s.names[name]; ok {
			return value
		}
	}
	return 0
}
