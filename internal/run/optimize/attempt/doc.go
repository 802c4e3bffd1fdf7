// Package attempt puts one change into the tree and finds out whether it may
// stay there.
//
// What a change has to pass is a list of checks, and the list is the policy:
// pawl's own changes and those of a stranger have one each, in policy.go. The
// checks run from top to bottom, cheap before costly: counts of allocations need
// one duet and come before the tests. The first that refuses ends the attempt,
// by a reason of which the policy says whether it refutes the change or leaves
// it open.
//
// What takes long of pawl's own changes, and needs neither the tree nor the machine
// alone, comes last, in Prove: it is under way beside the next change. Until Wait
// has returned, a change that is kept is not proven. Of a change that saves allocations
// what Prove runs is built while its own duets go on, on the cores that these leave alone.
//
// In goes a change, the state of the tree that it stands on and its number in
// the run, which decides its part of the error rate. Out comes the attempt as it
// is recorded. The tree holds the change afterwards if it is kept, and is as it
// was otherwise. Nothing here knows the journal or the order of changes.
package attempt
