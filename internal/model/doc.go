// Package model holds the values that travel between the rooms of pawl. These
// are what was measured (Sample), what costs (Cost), the compiler's words on
// it (Note), where to try something (Target), and what to try (Change). Then
// come the judge's answer (Verdict), what became of it (Attempt), and the
// whole (Run).
//
// The types are plain data. Their JSON form is the one that -json prints and
// that .pawl/runs keeps; docs/json.md documents it, and SchemaVersion changes
// when it does.
//
// Units: times are nanoseconds unless the name says otherwise, sizes are
// bytes, shares and relative changes are fractions (0.02 is two per cent).
// Paths are relative to the root of the tree that was copied, with forward
// slashes, except where a comment says absolute.
package model

// SchemaVersion is the version of the JSON form of Run and of everything
// below it. It is raised when a field changes its meaning or goes; new fields
// do not raise it.
const SchemaVersion = 1
