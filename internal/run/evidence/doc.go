// Package evidence proves the rules of the catalogue, here and now. It runs the
// benchmark that a rule brings with it, on the code that the rule finds and on
// the code that its fix makes of it. It reports whether the claimed gain is
// there on this machine and with this Go version.
//
// # What is run
//
// The sources are embedded in the rules, so that a pawl that was installed needs
// no checkout and no network. They are laid out as a module in a temporary
// directory, which is removed. Each rule goes through three steps:
//
//   - The tests of the package equal compare before and after. Evidence that
//     does not pass them is no evidence: the rule has failed.
//   - Before and after are built into two test binaries of one package at one
//     path, with the same benchmark, one after the other.
//   - Both are judged as two versions of any program are: exact counts first,
//     then duets, then fresh links where the difference is one that the layout
//     of the code could make. See the packages bench, trial and judge.
//
// The error rate is split evenly over the rules of a run.
//
// # The verdict
//
// The gain is there when what the rule says should fall (CPU time, wall time or
// allocations) did fall. It is weaker than claimed when the claim has a number
// and the gain is less than half of it. Claims of 3x and more compare the
// ratios, smaller ones the gains, which are the ratios less one. A claim
// without a number is one of direction. That a rule saves allocations does not
// help it where its code is proven to be slower.
//
// # What is remembered
//
// Verdicts are kept in the user's cache directory, by Go version, processor and the
// text of the evidence. A rule whose gain is not there is demoted: see Demoted.
// Whatever is undecided changes nothing that was known.
package evidence
