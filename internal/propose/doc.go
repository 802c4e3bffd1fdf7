// Package propose turns a target, a line that allocates, into changes: edit
// sets that should make the allocation go and keep what the program does.
// Nothing is applied here and nothing is measured; a change is an idea with
// its reasons written down, and guard and judge decide what it is worth.
//
// # Transformations
//
// Each transformation knows one shape of allocation or of hot code:
//
//   - scratch-to-field: a local array, or a make of constant size, that the
//     compiler moves to the heap because a slice of it goes into a call it
//     cannot see through. The storage moves into the struct of the method's
//     receiver.
//   - reuse-buffer: x.f = append-style call with a nil destination. The
//     result's storage is kept in a field beside f and used again.
//   - scratch-for-result: an append-style call with a nil destination whose
//     result is only looked at within the method. It appends to an array in
//     the struct of the receiver.
//   - box-on-cold-path: values put into an interface, or a slice moved to the
//     heap, only for the sake of an error message. That happens on the path
//     that needs it.
//   - capacity-hint: a map or slice that is made empty and then filled from
//     sources of known length. It is made for the sum of those lengths.
//   - constant-make: a local buffer that goes to the heap only for its size. It
//     is made for a constant bound of that size, or starts in an array on the
//     stack.
//   - backing-array: a struct is made on the heap in each iteration of a loop
//     of known length, and the pointers are stored together. They point into
//     one array that is made before the loop.
//   - grow-once: a strings.Builder or bytes.Buffer is grown once for all that
//     is then written to it.
//   - lazy-error: an error made by fmt.Errorf of basic operands becomes a small
//     value that formats itself when its text is asked for.
//   - error-value: a pointer to a small struct that is made for each error
//     becomes the struct itself.
//   - pool: a slice literal that a call cannot keep, a bytes.Buffer, a
//     bufio.Writer, a gzip.Writer or a hash that is dead when the function
//     returns. It comes from a package-level sync.Pool and goes back there.
//   - append-format: a text that is formatted only to be appended to a []byte
//     or written to a buffer. It is appended there piece by piece.
//   - conversion: a []byte made of a string, or the reverse, for a function
//     that has a twin for the other type. The twin is called.
//   - reflect-cache: a field or method that reflection finds by its name is
//     looked up once per type and name; a bounded cache keeps its index.
//   - regexp-to-code: a call of a regular expression that never changes becomes
//     a call of a function that is generated from it (package matcher), where
//     the pattern is one that code without backtracking matches. Before it is
//     proposed, the function is compiled and compared with the expression on
//     texts made from the pattern.
//   - bulk-append: a loop that appends the ordinary bytes of a string one by
//     one. It appends each run of them at once.
//   - split-fast-path: a function that begins with quick answers and goes on
//     at length. All but the beginning moves to a function of its own.
//   - hoist-invariant: a call in a loop of a function that only computes, with
//     arguments that the loop does not change. It is made before the loop.
//
// # Obligations
//
// A transformation proposes only what it can argue for. Every argument is an
// obligation of the change: proven, with the fact in the code that proves it,
// or assumed, with the documented contract it follows from (an io.Writer does
// not keep the slice it is given). When an obligation fails, the result is a
// Refusal that says which and why, so that the reader of the plan sees that the
// line was looked at. All changes are of class B: the arguments lean on
// contracts of packages that were not read, so tests and measurement have the
// last word.
//
// The arguments are made on typed syntax, not on SSA, and err on the side of
// refusing. Three of them carry most of the weight:
//
// Where does a buffer go? (flow.go, summary.go, appends.go, contracts.go.) Every use of a
// variable is followed through slicing, local copies and calls. A call of the
// main module is followed into its body; a call that leaves it must be in the
// table of contracts. For a pool, calls of the module's interfaces are followed
// into all implementations that were read, tests included (dispatch.go,
// callback.go), and what the interface's comment says about keeping a parameter
// counts (promise.go).
//
// Can two goroutines be in the method with one receiver? (confine.go, always.go, fresh.go.) If every
// path through it writes a field of the receiver without any synchronisation,
// then such calls were a data race before the change. Else the receiver's mutex
// must be held over the whole body, or the receiver must be fresh at every call.
// Where only the calls that return no error write, the argument is marked as
// assumed.
//
// Can the method be entered again while it runs? (calls.go.) The static call
// graph of the main module is searched for a way back.
//
// # What is loaded
//
// The packages of the target and what they import of the main module are
// checked from source, everything else comes from export data. Test files
// within a package are checked on demand, leniently, because a change must not
// break them and because a target may stand in one; they are never edited.
// Packages of the main module that import the target's package are not read:
// where they could matter (exported struct types), the change is refused or the
// obligation says so.
package propose
