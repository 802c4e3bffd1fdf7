package tree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Recorder writes the changes that were kept: as commits on one new branch
// for as long as it can, and as a series of patches always. See the package
// comment for when a change becomes no commit. It is not safe for concurrent
// use.
type Recorder struct {
	snap   *Snapshot
	git    git
	runDir string
	want   string // the branch's name if it is free

	branch string   // as it was made; empty before the first commit
	start  string   // the commit that the branch begins on
	tip    string   // the last commit; start before the first
	files  []string // the patches, absolute, one for each kept change
	number int      // of the last patch
	whyNot string   // why changes are patches now; empty while they are commits
}

// NewRecorder returns a Recorder for changes of s. Nothing is written before
// the first Keep. runDir is the run's directory in .pawl; name is what the branch
// is to be called, like "pawl/20260102T150405". It becomes pawl-2026… where a
// branch pawl exists, and has -2 added where the name is taken.
func NewRecorder(ctx context.Context, s *Snapshot, runDir, name string) (*Recorder, error) {
	runDir, err := filepath.Abs(runDir)
	if err != nil {
		return nil, fmt.Errorf("recording changes: %w", err)
	}
	p := s.Place
	r := &Recorder{snap: s, git: newGit(p.Root), runDir: runDir, want: name, start: p.Head, tip: p.Head}
	switch {
	case !p.Git:
		r.whyNot = "the module " + p.NoGit
	case p.Head == "":
		r.whyNot = "the repository has no commit yet"
	case !p.GitWritable:
		r.whyNot = "the git directory cannot be written"
	case !r.git.ok(ctx, "check-ref-format", "refs/heads/"+name):
		return nil, fmt.Errorf("recording changes: %q is no name for a branch", name)
	}
	return r, ctx.Err()
}

// Keep records one change. files holds the whole new content of each file it
// touches, by path relative to the root, as the snapshot now has it; diff is
// what Snapshot.Diff said; message is the commit's, trailers included.
//
// It returns the commit, or, when the change could not become one, the path
// of its patch. Why says what the reason was. A failure of git's is such a
// reason and no error: a kept change is never lost to it.
func (r *Recorder) Keep(ctx context.Context, message string, files map[string][]byte, diff string) (commit, patch string, err error) {
	if len(files) == 0 || diff == "" {
		return "", "", errors.New("recording a change: it changes nothing")
	}
	for rel := range files {
		if secretFile(rel) { // a change to one is refused long before; this is the last line
			return "", "", fmt.Errorf("recording a change: %s is a file of secrets, and never becomes part of a commit", rel)
		}
	}
	patch, err = r.writePatch(ctx, message, diff)
	if err != nil {
		return "", "", fmt.Errorf("recording a change: %w", err)
	}
	if r.whyNot == "" {
		commit, err = r.commit(ctx, message, files)
		if ctx.Err() != nil && commit == "" {
			_ = os.Remove(patch)
			return "", "", ctx.Err()
		}
		if err != nil {
			r.whyNot = err.Error()
		}
	}
	r.number++
	r.files = append(r.files, patch)
	if commit != "" {
		return commit, "", nil
	}
	return "", patch, nil
}

// Branch returns the branch that holds the commits; empty when there is none.
func (r *Recorder) Branch() string { return r.branch }

// Why returns why changes are patches and no commits; empty while they are
// commits.
func (r *Recorder) Why() string { return r.whyNot }

// Patches returns the patches of all kept changes, in order, when some of
// them are no commits; nil while the branch has all. They apply, in order,
// to the user's tree as it was when the snapshot was taken.
func (r *Recorder) Patches() []string {
	if r.whyNot == "" || len(r.files) == 0 {
		return nil
	}
	return slices.Clone(r.files)
}

// Merge returns the command that takes the kept changes into the user's tree;
// empty when there are none.
func (r *Recorder) Merge() string {
	root := shellQuote(r.snap.Place.Root)
	switch {
	case len(r.files) == 0:
		return ""
	case len(r.Patches()) == 0:
		return "git merge " + r.branch
	case r.snap.Place.Git:
		return "git -C " + root + " apply " + shellQuote(r.patchDir()) + "/*.patch"
	}
	return "cat " + shellQuote(r.patchDir()) + "/*.patch | patch -d " + root + " -p1"
}

// Drop returns the command that removes what was recorded; empty when there
// is nothing.
func (r *Recorder) Drop() string {
	switch {
	case len(r.files) == 0:
		return ""
	case r.branch == "":
		return "rm -r " + shellQuote(r.patchDir())
	case len(r.Patches()) == 0:
		return "git branch -D " + r.branch
	}
	return "git branch -D " + r.branch + " && rm -r " + shellQuote(r.patchDir())
}

func (r *Recorder) patchDir() string { return filepath.Join(r.runDir, "patches") }

// commit makes one commit on top of the last one and moves the branch to it.
// The branch moves last and at once, so that a kill leaves loose objects at
// most.
func (r *Recorder) commit(ctx context.Context, message string, files map[string][]byte) (string, error) {
	dir, err := os.MkdirTemp(r.runDir, "index-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	g := r.git.with("GIT_INDEX_FILE=" + filepath.Join(dir, "index"))
	tree, err := r.writeTree(ctx, g, files)
	if err != nil {
		return "", err
	}
	out, err := r.identify(ctx).run(ctx, []byte(message), "commit-tree", "--no-gpg-sign", "-p", r.tip, "-F", "-", tree)
	if err != nil {
		return "", err
	}
	commit := strings.TrimSpace(string(out))
	if err := r.point(ctx, g, commit); err != nil {
		return "", err
	}
	r.tip = commit
	return commit, nil
}

// nameTries is how often a new branch is tried under another name: another
// pawl may take the name at the same moment, or a kill have left its lock.
const nameTries = 3

// point makes the branch end at commit, and makes the branch where there is
// none yet.
func (r *Recorder) point(ctx context.Context, g git, commit string) error {
	update := func(branch, old string) error {
		return g.updateRef(ctx, "-m", "pawl: keep", "refs/heads/"+branch, commit, old)
	}
	if r.branch != "" {
		return update(r.branch, r.tip)
	}
	var failed error
	taken := make(map[string]bool)
	for range nameTries {
		branch, err := r.freeName(ctx, taken)
		if err != nil {
			return errors.Join(failed, err)
		}
		if failed = update(branch, ""); failed == nil { // it must not exist
			r.branch = branch
			return nil
		}
		taken[branch] = true
	}
	return failed
}

// writeTree returns the tree of the last commit with the files in it. g has an
// index of our own.
func (r *Recorder) writeTree(ctx context.Context, g git, files map[string][]byte) (string, error) {
	if _, err := g.run(ctx, nil, "read-tree", r.tip); err != nil {
		return "", err
	}
	var info strings.Builder
	for _, rel := range slices.Sorted(maps.Keys(files)) {
		mode, filters, err := r.clean(ctx, rel)
		if err != nil {
			return "", err
		}
		id, err := r.hash(ctx, rel, files[rel], filters, true)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&info, "%s %s\t%s\x00", mode, id, rel)
	}
	if _, err := g.run(ctx, []byte(info.String()), "update-index", "--add", "-z", "--index-info"); err != nil {
		return "", err
	}
	// The objects of a partial clone may be missing, and need not be fetched.
	tree, err := g.line(ctx, "write-tree", "--missing-ok")
	if err != nil {
		return "", err
	}
	if was, err := g.line(ctx, "rev-parse", "-q", "--verify", r.tip+"^{tree}"); err == nil && was == tree {
		return "", errors.New("git sees no difference: the filters of the touched files remove it")
	}
	return tree, nil
}

// clean returns the mode of a file in HEAD, and whether its path's filters
// apply to it. It is an error, to be shown, when a commit would hold more
// than pawl's edit of it: the copy that was edited is not what HEAD has.
func (r *Recorder) clean(ctx context.Context, rel string) (mode string, filters bool, err error) {
	for p := rel; p != "."; p = path.Dir(p) { // a nested repository is listed as a directory
		if r.snap.Place.DirtyFiles[p] {
			return "", false, fmt.Errorf("%s has uncommitted edits", p)
		}
	}
	base, existed, err := r.snap.Base(rel)
	if err != nil {
		return "", false, err
	}
	mode, id, err := r.inHead(ctx, rel)
	switch {
	case err != nil:
		return "", false, err
	case id == "" && existed:
		return "", false, fmt.Errorf("%s is not in HEAD: it is untracked, ignored or in a submodule", rel)
	case id == "":
		return "100644", true, nil
	case !existed:
		return "", false, fmt.Errorf("%s is in HEAD but was not in the tree", rel)
	case mode != "100644" && mode != "100755":
		return "", false, fmt.Errorf("%s is not a regular file in HEAD", rel)
	}
	for _, filters := range []bool{true, false} {
		// Without filters too: files committed with CRLF are converted by no
		// status or add, but by hash-object, which does not know the index.
		if have, err := r.hash(ctx, rel, base, filters, false); err == nil && have == id {
			return mode, filters, nil
		}
	}
	return "", false, fmt.Errorf("%s differs from HEAD", rel)
}

// inHead returns the mode and blob of a file in the commit that the branch
// begins on; both empty when it is not there.
func (r *Recorder) inHead(ctx context.Context, rel string) (mode, id string, err error) {
	recs, err := r.git.list(ctx, "ls-tree", "-z", "--full-tree", r.start, "--", rel)
	if err != nil {
		return "", "", err
	}
	for _, rec := range recs {
		meta, name, _ := strings.Cut(rec, "\t")
		if f := strings.Fields(meta); name == rel && len(f) == 3 {
			return f[0], f[2], nil
		}
	}
	return "", "", nil
}

// hash returns the blob that git makes of data at that path, and stores it if
// write is set.
func (r *Recorder) hash(ctx context.Context, rel string, data []byte, filters, write bool) (string, error) {
	args := []string{"hash-object", "--stdin"}
	if write {
		args = append(args, "-w")
	}
	if filters {
		args = append(args, "--path="+rel)
	} else {
		args = append(args, "--no-filters")
	}
	if data == nil {
		data = []byte{}
	}
	out, err := r.git.run(ctx, data, args...)
	return strings.TrimSpace(string(out)), err
}

// identify returns a git that can commit: as the user where the configuration
// has a name and an address, else as pawl.
func (r *Recorder) identify(ctx context.Context) git {
	g := r.git
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		if !r.git.ok(ctx, "var", "GIT_"+who+"_IDENT") {
			g = g.with("GIT_"+who+"_NAME=pawl", "GIT_"+who+"_EMAIL=pawl@localhost")
		}
	}
	return g
}

// freeName returns a name that the branch can get, and that is not among taken.
func (r *Recorder) freeName(ctx context.Context, taken map[string]bool) (string, error) {
	has := func(name string) bool {
		return r.git.ok(ctx, "show-ref", "--verify", "--quiet", "refs/heads/"+name)
	}
	name := r.want
	for i := range len(name) {
		// A branch cannot have the name of a directory of branches.
		if name[i] == '/' && has(name[:i]) {
			name = strings.ReplaceAll(name, "/", "-")
			break
		}
	}
	for n := 1; n < 100; n++ {
		try := name
		if n > 1 {
			try += "-" + strconv.Itoa(n)
		}
		if !taken[try] && !has(try) {
			return try, ctx.Err()
		}
	}
	return "", fmt.Errorf("a hundred branches are called %s", name)
}
