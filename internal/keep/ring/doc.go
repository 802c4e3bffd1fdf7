// Package ring keeps what was captured of one service in a directory of bounded size:
// profiles as they came, and what belongs to them. The oldest captures make room for new
// ones.
//
// A capture is a file of JSON. It names its profiles, which are files of their own, by
// the hash of their content, so that a damaged one is known and an equal one is kept
// once. Each file is written beside its place, synced and renamed; profiles come before
// the capture that names them, and go after it. A kill at any moment so leaves whole
// captures, and perhaps files that none of them names, which the next Open removes.
//
// One process writes at a time, which a lock holds; reading needs none. A capture whose
// profile has gone meanwhile has one profile less.
package ring
