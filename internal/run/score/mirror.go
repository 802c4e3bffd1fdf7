package score

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/tree"
)

// find opens the mirror of a repository in dir. A mirror is called by the whole
// name, by owner and name in one of the usual spellings, or by the name alone,
// with or without .git, and may be a directory with the repository in it as repo.
func findMirror(ctx context.Context, dir, repo string) (*tree.Mirror, error) {
	repo = strings.TrimSuffix(repo, ".git")
	owner, name := path.Split(repo)
	owner = path.Base(owner)
	for _, n := range []string{repo, owner + "/" + name, owner + "+" + name, owner + "_" + name, owner + "-" + name, name} {
		for _, form := range []string{n, n + ".git", n + "/repo"} {
			at := filepath.Join(dir, filepath.FromSlash(form))
			if !isRepository(at) {
				continue
			}
			return tree.OpenMirror(ctx, at)
		}
	}
	return nil, fmt.Errorf("there is no mirror of %s in %s: git clone --mirror https://%s %s",
		repo, dir, repo, filepath.Join(dir, filepath.FromSlash(repo)+".git"))
}

// isRepository reports whether dir is a bare repository or has a .git directory.
func isRepository(dir string) bool {
	for _, at := range []string{dir, filepath.Join(dir, ".git")} {
		head, err := os.Stat(filepath.Join(at, "HEAD"))
		objects, oerr := os.Stat(filepath.Join(at, "objects"))
		if err == nil && oerr == nil && head.Mode().IsRegular() && objects.IsDir() {
			return true
		}
	}
	return false
}
