// Package cold moves what only an error path needs to that path.
//
//   - box-on-cold-path (Call): an assertion helper check(cond, format, args…) that
//     does something only if cond is false is called only then, so that args are
//     boxed only then.
//   - box-on-cold-path (Copy): a slice that a caller makes goes to the heap because a
//     callee formats it into an error. The callee formats a copy, made in the error
//     branch.
//   - dead-format (Format): a text that is formatted of basic operands and that one
//     branch below alone looks at is formatted in that branch.
//   - make-later (Later): a value that is made before a return that comes without it,
//     or that one branch alone uses, is made behind the return, or in the branch.
//   - copy-in-branch (BranchCopy): a variable whose address only branches take, after
//     which it is not used, is copied in these branches and stays on the stack.
//   - lazy-map (LazyMap): a struct that is made with an empty map in a field gets it
//     when something is stored there.
//   - ready-first (ReadyFirst): a select with a timer first takes what is ready, and makes
//     the timer only then.
//
// The obligations of a Call: the helper does nothing when its condition holds, in
// any build, and evaluating the arguments has no effect and cannot panic
// (prove.Purity). Those of a Copy: it is made only on failure, and the message
// stays the same. Those of a Format: nothing else looks at the text, its operands keep
// their values until the branch, and formatting them has no effect. Those of a Later
// are the same for what makes the value (movable).
package cold

import "embed"

//go:embed all:proofs
var proofs embed.FS
