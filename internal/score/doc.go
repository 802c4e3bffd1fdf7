// Package score runs pawl over real commits: parents of which it is known what
// upstream did to make them faster, and what a good tool says of that.
//
// # A row
//
// For each row of a corpus the parent is taken from a bare mirror, or from a
// module version, and made to work with today's Go: a go.mod is made where there
// is none, the fix's benchmark is put in place where the parent lacks it, and
// test code that does not compile or fails on the parent already is left out.
// All of that is said. The checkout is a repository of its own, in which
//
//   - upstream's fix is tried as a patch, as pawl try does;
//   - pawl finds and optimizes unattended, as pawl optimize does;
//   - what was kept is checked once more, by the tests that upstream's fix came
//     with and by those of the packages that import what changed. The loop has
//     not run these.
//
// # What is counted
//
// The rank is that of the first target whose line the fix changes or takes away
// (the lines above and below, where it only adds), or through which a value flows
// by the compiler's notes, or for whose sake the plan would change such a line; the plan counts statements, with all that one costs. The function's
// rank is beside it, since a fix is often made some lines from where the cost is
// seen. Shares are pawl's gain over upstream's, allocations and CPU time each,
// as both were measured here. The verdict on upstream's fix is held against the
// set that the row accepts.
//
// A fix that is refused for something that a person may consent to is tried once
// more with that consent, to say what it would be worth: "kept if allowed".
package score
