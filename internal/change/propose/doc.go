// Package propose turns a target, a line that allocates, into changes: edit
// sets that should remove the allocation and keep what the program does.
// Nothing is applied here and nothing is measured; a change is an idea with its
// reasons written down, and guard and judge decide what it is worth.
//
// # Transformations
//
// Each transformation knows one shape of allocation or of hot code. Families of
// them have packages of their own, which do not know each other. Package
// storage keeps memory in the receiver, pools in a sync.Pool, and sizes makes
// it as large as it will be. Package errs makes errors lazily, cold moves work
// to the error path, text formats in place, buffers takes out memory that
// a text is only built in, and detours takes out layers. Packages loops, inline, classes and lookups aim at time; reflects and
// regexps replace what is interpreted. All lists them in the order in which they
// are tried. The proofs are in package prove, which they share.
//
// A defer is not moved out of a hot function. Defers are open-coded, so that an
// Unlock that is deferred costs less than a nanosecond more, and moving it wants
// a proof that nothing panics.
//
// # Obligations
//
// A transformation proposes only what it can argue for. Every argument is an
// obligation of the change. It is proven, with the fact in the code that proves
// it, or assumed, with the documented contract it follows from (an io.Writer
// does not keep the slice it is given). When an obligation fails, the result is
// a Refusal that says which and why, so that the reader of the plan sees that
// the line was looked at. All changes are of class B: the arguments lean on
// contracts of packages that were not read, so tests and measurement have the
// last word.
package propose
