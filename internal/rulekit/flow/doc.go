// Package flow follows a value through a function: who keeps it after the call?
// For a function and one of its variables it finds the places where the memory
// may escape, the results that may alias it, and the calls that are given it.
//
// A Flow asks a [Source] what a call does with the memory. A rule knows facts
// of functions; a transformation knows the bodies of a whole program. For
// functions that neither has read, a table has what their documentation
// promises (contracts.go, object.go). The argument is made on typed syntax and
// errs on the side of a leak.
package flow
