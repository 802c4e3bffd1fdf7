// Package tree is the room between the user's working tree and everything
// that changes files: it finds the tree, copies it, edits the copy, and turns
// the edits that were kept into commits or patches. It is the only writer of
// refs and of pawl's own directories. It runs git where there is one, and never
// the go command.
//
// # The one promise
//
// The user's files, index, HEAD, stash and branches are the same after a run
// as before it, and after a kill at any moment in between. Three things are
// written in all:
//
//   - the module's .pawl directory (StateDir), or a directory of the user's cache
//     where .pawl would be in the way;
//   - a copy of the tree in the user's cache (WorkDir, Take);
//   - with the first kept change, loose objects and one new branch (Recorder).
//
// # Place and snapshot
//
// Locate says where things are: the module (the directory of go.mod), and the
// root, which is the directory that is copied. The root is the top of the git
// repository, since tests and replace lines may look anywhere in it. Without
// git it is the directory of a go.work that uses the module, else the module.
// A repository that ignores the module, or tracks nothing in it, does not
// count: a home directory under git must not be copied for a scratch module in
// it.
//
// Take copies the root as it is: bytes from the working tree, never objects
// from git. Filters, submodules, nested repositories, intent-to-add and
// assume-unchanged entries then need no care, and secrets do not become
// objects. Git is asked for the list of files only. Ignored files are copied
// where a build may need them (see needed); Snapshot.Left lists the rest, which
// stays where it is. Nothing named .git or .pawl is ever copied.
//
// The copy of /home/u/proj is at <work>/fs/home/u/proj: the real path below a
// directory of pawl's own. This gives three things at once. The path is the
// same in each run, and a compile's cache key holds the path of a main module's
// package. A replace line, a use line of a go.work or a symlink may leave the
// root by any number of "..". It lands lexically at a place that belongs to
// pawl, where a symlink to the real directory makes it work (Snapshot.Outside
// lists them). And a go.work above the root can be copied, as it is, to where
// it belongs. Snapshot.GOWORK is what the go command must get, always: without
// it, a go.work above the user's cache would be found by walking up.
//
// A second Take into the same work directory copies what changed and deletes
// what is gone or was added by a test. A file is trusted to be unchanged only
// where size, times and mode say so and its inode was not changed since the
// last Take began (Linux). Elsewhere the bytes are compared, which costs a read
// of both.
//
// # Versions
//
// To compare two versions of a module, both must be built at the same path.
// TakeRef makes the copy hold the files of a commit, as Take makes it hold
// those of the working tree, in any order and any number of times. Git itself
// writes the files, so filters, line ends, encodings and symlinks are as in a
// checkout. An index of our own is read from the commit, and checkout-index
// writes into an empty directory of ours, which it takes for the working tree.
// That matters for more than safety, since git reads attributes from the
// working tree first, and the user's are not the commit's. git archive would
// apply export-ignore and export-subst, and git worktree would write into the
// repository and run hooks.
//
// Only files that the copy does not hold yet are written. The work directory
// notes for each copy the blob that it was made from, and one digest of all
// that shapes files beside the blobs: attributes, filters, line ends. Where
// that differs, all is written anew, for git does not say which files an
// attribute concerns. A note holds only while the inode of the copy was not
// changed since. A copy that is right already keeps its time, so that going
// from the working tree to a commit and back rewrites only what differs. What
// was rewritten has a new time, by which the go command sees it.
//
// The go.mod, go.work and symlinks that decide what is made beside the copy
// are those in the copy. What no commit has is not there: ignored sources, an
// ignored vendor directory, Options.Extra. The one exception is a go.work that
// git does not track, for it says how the user builds any version.
//
// ApplyPatch puts a patch on top of either, with all that a patch can say.
//
// Resolve, MergeBase and DefaultBase find the commits, and say what to fetch
// where a clone is shallow; ChangedFiles lists what differs.
//
// # Programs that write into the copy
//
// A test may change or delete what it stands on. A Snapshot knows the size,
// time and type of each file as pawl has written it, and Restore puts back what
// differs. Edits and what they are made in come from memory. The rest comes
// from the working tree, if the original still is what was copied, or from the
// commit. What is new stays, unless the go command would compile it.
//
// # Edits
//
// Snapshot.Apply writes a set of edits, one temporary file and one rename for
// each file, and returns what restores the bytes. Diff prints a set as the
// unified diff that git apply and patch -p1 take. ReadPatch goes the other
// way, from anybody's diff to edits of the snapshot. It finds moved hunks but
// never applies with fuzz. It refuses deletions, renames, mode changes and
// binary patches, which no edit can express. ApplyPatch does them, for a
// version that is measured and not kept.
//
// # Record
//
// A kept change becomes a commit on a new branch on top of the HEAD that Locate
// saw. There is no worktree and the user's index is not used. An index of our
// own is read from the parent, and the new blobs are hashed with the filters of
// their path (so autocrlf and LFS hold). Then commit-tree and update-ref do the
// rest, without hooks or signatures.
//
// That works only for a file whose copy is what HEAD has. Where a touched file
// has uncommitted edits, or there is no git, no commit yet, or no right to
// write, the change becomes a patch. The order of changes matters, so once one
// change is a patch all later ones are. Every kept change is written as a
// patch from the start, so that nobody has to merge a branch half-way through
// a series. The series in <run>/patches is complete at any time and applies to
// the user's tree as it was; the branch, if there is one, holds its beginning.
// Recorder.Patches is empty as long as the branch holds all.
//
// # Undo
//
// Branches finds pawl's own branches again by their names and by the trailers
// of their commits; the journal is not needed for it. Undo works out a branch
// without one of its commits. The diffs of the later ones go on top of what was
// before, into an index of our own and without fuzz. Each commit is written
// anew with all else as it was. The branch moves last, and only if it still is
// what was read. A branch that a worktree has checked out or is rebasing, or
// that holds commits of somebody else, is left alone.
//
// # Private
//
// Whatever is written here is for the owner alone: files 0600, or 0700 where the
// original can be run, and directories 0700, the copy of the tree included.
//
// # Limits
//
// The copy has no .git, so a test that asks git about its own repository
// fails in it. Empty directories that git does not know are not copied. A
// relative symlink that leaves the root leads to the user's own files, and
// so does a replaced directory outside: targets must not be picked there.
// A replace line with an absolute path into the root leads to the user's
// tree and not to the copy; Take warns.
package tree
