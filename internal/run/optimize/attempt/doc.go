// Package attempt puts one change into the tree and finds out whether it may
// stay there.
//
// What a change has to pass is a list of checks, and the list is the policy:
// pawl's own changes and those of a stranger have one each, in policy.go. The
// checks run from top to bottom, cheap before costly: counts of allocations
// need one duet and come before all others. The first that refuses ends the
// attempt, and the policy says whether its reason refutes the change or leaves
// it open.
//
// Checks of pawl's own changes that take long, and need neither the tree nor
// the machine alone, come last, in Prove. They run beside the next change.
// Until Wait has returned, a change that is kept is not proven. Several that stand on
// one another can be proven as one, see Together. For a change
// that is to save allocations, what Prove runs is built during its own counts and duets,
// on the cores that these leave alone. What is not built by then is built while the change is
// read.
//
// The checks are of three kinds: for compiling the change is built, measuring asks
// benchmarks, and showing runs tests and compares behaviour. Each kind has a subject, which
// is the change with what is written down of it, and sees no field of another kind. The
// attempt alone knows all three, and leads from one to the next.
//
// While the duets of any other change run, these cores build what comes next, see ahead: the
// notes of the compiler and the link. When it is its turn it goes through all checks as
// if that had not been done, and finds it done.
//
// An attempt takes a change, the state of the tree that it stands on and its
// number in the run, which decides its part of the error rate. It returns the
// attempt as it is recorded. The tree holds the change afterwards if it is
// kept, and is as it was otherwise. Nothing here knows the journal or the order
// of changes.
package attempt
