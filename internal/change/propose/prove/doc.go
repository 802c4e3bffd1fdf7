// Package prove is the engine of proof: it answers what is true of a place in a
// program, so that the families beside it need to know their shapes only. From
// a Program, the type-checked packages of a module, it makes obligations,
// proven or assumed, or a Reason why one fails. It knows no transformation.
//
// The arguments are made on typed syntax, not on SSA, and err on the side of
// refusing. internal/rulekit answers what rules ask as well. These are the
// questions, and where they are answered:
//
//   - Who keeps a value? A flow.Flow of Flows, which asks here what calls do (summary.go,
//     appends.go): a call of the main module is followed into its body; a call that
//     leaves it must be in flow's table of contracts. A Dispatch follows calls of the
//     module's interfaces too, into all implementations that were read, tests included
//     (dispatch.go, callback.go). A Local is a buffer with what it flows into (local.go).
//   - Does evaluating it do anything, or panic? Purity, a code.Eval that argues that
//     pointers are not nil (purity.go).
//   - Does a call only say how many elements something has? Program.Counts (counts.go).
//   - Is it the same throughout a loop? Invariant (invariant.go).
//   - Can two goroutines be in the method with one receiver? Confinement (confine.go,
//     always.go, fresh.go). If every path through it writes a field of the receiver without any
//     synchronisation, then such calls were a data race before the change. Else the
//     receiver's mutex must be held over the whole body, or the receiver must be
//     fresh at every call. Where only the calls that return no error write, the
//     argument is marked as assumed.
//   - Can a function be entered again while it runs? Calls, the static call graph of the
//     main module, is searched for a way back (calls.go).
//   - Can anything notice one more field of a struct? Is it the same in other builds? Which
//     name is free? Surroundings (structs.go, platforms.go, names.go, tests.go).
//
// A Program is all of these types, each on a Module, which is what was loaded. Its Editor makes
// edits, which are texts for places; Settle formats and type-checks what they make of the
// files (edit.go, imports.go, stdlib.go). Offers collects what a
// transformation proposes or refuses for one target.
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
package prove
