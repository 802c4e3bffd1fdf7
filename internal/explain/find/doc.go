// Package find runs pawl's rules over packages.
//
// # How
//
// The go command lists the packages. A package whose source, settings and
// dependencies are as they were is not looked at again: its findings come from
// the cache. The others are type-checked from source, with their other imports
// from export data, and each rule's analyzer runs on them. Facts tell what a
// function does (package effects). They travel from package to package, through
// the cache where need be.
//
// A rule reports whatever it is sure of. What to show is decided afterwards, so
// that the cache does not depend on it: by tiers, heat, the directives in the
// source, baseline and configuration. Conditions on callers decide too; they
// are settled over all the packages that were named.
//
// Nothing is written but the cache; fixes are applied only where asked for,
// and only when the packages still type-check with them.
package find
