// Package gocmd runs the go command and the binaries that it builds.
//
// It is the one place that starts processes on behalf of the user's module:
// each one gets a process group of its own, so that a cancelled context ends
// it with all that it started; a pinned environment, the same for both arms of
// a comparison; bounded output; and, where asked, one core. It says how a
// process ended and never what its output means.
//
// # Toolchain
//
// New asks the go command found on PATH, in the module's folder, which
// toolchain the module selects, and from then on runs that toolchain's own
// binary with GOTOOLCHAIN=local. A toolchain that was switched to lives in the
// module cache, where the go command refuses overlays ("must not be
// replaced"); it is then reached through a symbolic link outside the cache,
// which costs no rebuild of the standard library.
//
// # Environment
//
// GOWORK is always set, because a copy of a module would otherwise pick up a
// go.work of a parent folder by accident. GIT_* variables are dropped: pawl may
// run from a hook. The user's GOFLAGS stay, but an -overlay in them is taken
// out and merged with pawl's own, since the go command honours one only and
// drops the other silently.
//
// # Without a module
//
// Bare makes a Go for binaries that were built elsewhere. It has the caller's
// environment without GIT_* and PAWL_*, and no go command: none has to be
// installed.
package gocmd
