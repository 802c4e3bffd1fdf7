package trace

// HeadLen is how many bytes of a file Is wants to see.
const HeadLen = headerLen

// Is reports whether a file that begins with head is an execution trace, of
// whatever release of Go.
func Is(head []byte) bool { return header.Match(head) }
