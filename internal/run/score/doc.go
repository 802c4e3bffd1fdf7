// Package score runs pawl over real commits: parents for which it is known
// what upstream did to make them faster, and which verdict a good tool gives
// on that.
//
// # A row
//
// For each row of a corpus the parent is taken from a bare mirror, or from a
// module version, and made to work with today's Go. A go.mod is made where
// there is none. The fix's benchmark is put in place where the parent lacks it.
// Test code that does not compile, or already fails on the parent, is left out.
// The row says all of that. The checkout is a repository of its own, in which
//
//   - upstream's fix is tried as a patch, as pawl try does;
//   - pawl finds and optimizes unattended, as pawl optimize does;
//   - what was kept is checked once more, by the tests that upstream's fix came
//     with and by those of the packages that import what changed. The loop has
//     not run these.
//
// # What is counted
//
// The rank is that of the first target that leads to the fix. It does so where
// the fix changes or removes its line (the lines above and below, where it only
// adds). It also does where a value flows there through such a line by the
// compiler's notes, or the plan would change such a line for its sake. The plan
// counts statements, with all that one costs. The function's rank is beside it,
// since a fix is often made some lines from where the cost is seen. Shares are
// pawl's gain over upstream's, allocations and CPU time each, as both were
// measured here. The verdict on upstream's fix is held against the set that the
// row accepts.
//
// A fix that is refused for something that a person may consent to is tried once
// more with that consent, to say what it would be worth: "kept if allowed".
package score
