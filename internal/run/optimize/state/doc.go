// Package state is what a run knows of one version of the module. That is its
// binaries by package and link, the compiler's notes, profiles and what they
// cost, the figures of its benchmarks, and what the rules report.
//
// A Module is what the versions share: the copy of the tree and what builds
// it. There is one copy, so that a State is built, tested and asked for notes
// while the tree holds it. What has been built of it stays usable when the tree
// has moved on.
//
// A State never decides and never edits. A change that is kept makes a new
// State, which takes over from the one before what the change cannot have
// moved: see Follow. The State of a change that is rolled back is dropped.
package state
