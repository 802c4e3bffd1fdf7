package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Resolve returns the full id of the commit that ref names: a branch, local
// or remote, a tag, a hash, or anything else that git takes for one commit,
// like HEAD~2. The error names ref, and the next step where the commit may
// merely not have been fetched.
func Resolve(ctx context.Context, p *Place, ref string) (commit string, err error) {
	if !p.Git {
		return "", fmt.Errorf("%s cannot be looked up: %s %s", ref, p.Module, p.NoGit)
	}
	if ref == "" || strings.HasPrefix(ref, "-") || strings.ContainsRune(ref, 0) {
		return "", fmt.Errorf("%q is no name of a commit", ref)
	}
	g := newGit(p.Root)
	// In two steps, since ":/text^{commit}" would look for that whole text.
	id, err := g.line(ctx, "rev-parse", "--verify", ref)
	if err == nil {
		if commit, err = g.line(ctx, "rev-parse", "--verify", id+"^{commit}"); err == nil {
			return commit, nil
		}
		if g.ok(ctx, "cat-file", "-e", id) {
			return "", fmt.Errorf("%s is no commit: %s", ref, message(err))
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return "", unknown(ctx, g, ref, err)
}

// unknown is the error for a ref that git, which said why, does not know.
func unknown(ctx context.Context, g git, ref string, why error) error {
	if strings.Contains(message(why), "ambiguous") {
		return fmt.Errorf("there is more than one commit %s: give more of its digits", ref)
	}
	cut := shallow(ctx, g)
	for _, remote := range remotes(ctx, g) {
		if branch, ok := strings.CutPrefix(ref, remote+"/"); ok { // a clone of one branch does not fetch others
			fetch := "git fetch"
			if cut {
				fetch += " --unshallow"
			}
			return fmt.Errorf("there is no commit %s in this clone; with actions/checkout say fetch-depth: 0, elsewhere\n  %s %s %s:refs/remotes/%[1]s", ref, fetch, remote, branch)
		}
	}
	if cut {
		return fmt.Errorf("there is no commit %s in this shallow clone: %s", ref, unshallow)
	}
	for _, remote := range remotes(ctx, g) {
		if g.ok(ctx, "show-ref", "--verify", "--quiet", "refs/remotes/"+remote+"/"+ref) {
			return fmt.Errorf("there is no commit %s: there is %s/%s", ref, remote, ref)
		}
	}
	return fmt.Errorf("there is no commit %s: see git branch -a, or get it with git fetch", ref)
}

// unshallow is what to do where history is cut off.
const unshallow = "get the history with git fetch --unshallow (with actions/checkout: fetch-depth: 0)"

// shallow reports whether the clone holds only the end of the history, as CI
// systems make it.
func shallow(ctx context.Context, g git) bool {
	out, err := g.line(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// MergeBase returns the newest commit that the histories of both refs have.
// Where there is none the error says whether that is so, or only looks so in
// a shallow clone.
func MergeBase(ctx context.Context, p *Place, a, b string) (commit string, err error) {
	from, err := Resolve(ctx, p, a)
	if err != nil {
		return "", err
	}
	to, err := Resolve(ctx, p, b)
	if err != nil {
		return "", err
	}
	g := newGit(p.Root)
	commit, err = g.line(ctx, "merge-base", from, to)
	switch {
	case err == nil:
		return commit, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case message(err) != err.Error(): // it failed, and does not just find none
		return "", fmt.Errorf("looking for what %s and %s have in common: %w", a, b, err)
	case shallow(ctx, g):
		return "", fmt.Errorf("this shallow clone holds no commit that %s and %s have in common: %s", a, b, unshallow)
	}
	return "", fmt.Errorf("%s and %s have no commit in common: their histories are unrelated, so name the commit to compare with", a, b)
}

// DefaultBase returns the ref that the work on the current branch will be
// merged into. In a pull request on GitHub, Gitea or Forgejo that is
// $GITHUB_BASE_REF; else the default branch, which is what the remote's HEAD
// says, or else main or master, on the remote before here. On the default
// branch itself it is its upstream. The remote is origin, or the only one.
func DefaultBase(ctx context.Context, p *Place, getenv func(string) string) (ref string, err error) {
	if !p.Git {
		return "", fmt.Errorf("%s %s", p.Module, p.NoGit)
	}
	g := newGit(p.Root)
	remote := ""
	if all := remotes(ctx, g); slices.Contains(all, "origin") {
		remote = "origin"
	} else if len(all) == 1 {
		remote = all[0]
	}
	if name := getenv("GITHUB_BASE_REF"); name != "" {
		return pullBase(ctx, g, remote, name)
	}
	full := defaultBranch(ctx, g, remote)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if full == "" {
		return "", errors.New("the default branch is not known: there is no remote HEAD, and no branch main or master: give -base")
	}
	mine := "refs/heads/" + p.Branch
	if p.Branch == "" || full != mine && full != "refs/remotes/"+remote+"/"+p.Branch {
		return short(ctx, g, full), nil
	}
	up, err := g.line(ctx, "rev-parse", "-q", "--verify", "--symbolic-full-name", "@{upstream}")
	if err != nil || up == mine || up == "" {
		return "", fmt.Errorf("%s is the default branch and has no upstream: give -base, such as HEAD~1", p.Branch)
	}
	return short(ctx, g, up), nil
}

// pullBase returns the branch that a pull request names as its base.
func pullBase(ctx context.Context, g git, remote, name string) (string, error) {
	for _, full := range []string{"refs/remotes/" + remote + "/" + name, "refs/heads/" + name} {
		if g.ok(ctx, "show-ref", "--verify", "--quiet", full) {
			return short(ctx, g, full), nil
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	remote = cmp.Or(remote, "origin")
	return "", fmt.Errorf("the pull request merges into %s ($GITHUB_BASE_REF), which is not in this clone: git fetch %[2]s %[1]s:refs/remotes/%[2]s/%[1]s (with actions/checkout: fetch-depth: 0)", name, remote)
}

// defaultBranch returns the full name of the default branch's ref; empty when
// it is not known.
func defaultBranch(ctx context.Context, g git, remote string) string {
	names := []string{"refs/heads/main", "refs/heads/master"}
	if remote != "" {
		at := "refs/remotes/" + remote + "/"
		// A remote HEAD may name a branch that is gone.
		if full, err := g.line(ctx, "symbolic-ref", "-q", at+"HEAD"); err == nil {
			names = slices.Insert(names, 0, full)
		}
		names = slices.Insert(names, len(names)-2, at+"main", at+"master")
	}
	for _, full := range names {
		if g.ok(ctx, "show-ref", "--verify", "--quiet", full) {
			return full
		}
	}
	return ""
}

// remotes returns the names of the remotes, if any.
func remotes(ctx context.Context, g git) []string {
	out, err := g.line(ctx, "remote")
	if err != nil {
		return nil
	}
	return strings.Fields(out)
}

// short returns the name that people use for a ref, unless a tag or another
// branch has it too.
func short(ctx context.Context, g git, full string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/"} {
		name, ok := strings.CutPrefix(full, prefix)
		if !ok {
			continue
		}
		// For a name that is taken twice git prints nothing.
		if now, err := g.line(ctx, "rev-parse", "-q", "--verify", "--symbolic-full-name", name); err == nil && now == full {
			return name
		}
	}
	return full
}

// reserved reports whether rel is in a directory of git's or pawl's, which is
// never copied.
func reserved(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if part == ".git" || part == stateName {
			return true
		}
	}
	return !filepath.IsLocal(filepath.FromSlash(rel))
}

// Since returns what the files below dir that a pattern of git's matches have
// become since the histories of ref and HEAD parted: a diff without context, with
// names relative to dir and no prefixes, and the new files that git does not
// know.
func Since(ctx context.Context, dir, ref, pattern string) (diff []byte, untracked []string, err error) {
	if ref == "" || strings.HasPrefix(ref, "-") {
		return nil, nil, fmt.Errorf("%q is no name of a commit", ref)
	}
	g := newGit(dir).with("GIT_LITERAL_PATHSPECS=0")
	base, err := g.line(ctx, "merge-base", ref, "HEAD")
	if err != nil {
		return nil, nil, err
	}
	diff, err = g.run(ctx, nil, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--inter-hunk-context=0", "--relative", "--no-prefix", "-U0", base, "--", pattern)
	if err != nil {
		return nil, nil, err
	}
	untracked, err = g.list(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--", pattern)
	return diff, untracked, err
}
