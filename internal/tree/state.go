package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// stateName is the directory of pawl's in the module.
const stateName = ".pawl"

// StateDir makes and returns the directory where pawl keeps its runs and its
// journal: .pawl in the module, with a .gitignore in it that hides it from
// git. Where that cannot be, it is <cacheDir>/pawl/state/<hash of the
// module's directory>, and why says why: the module is read-only, or a
// //go:embed pattern would take .pawl into the user's program.
func StateDir(p *Place, cacheDir string) (dir, why string, err error) {
	why = whyNotInModule(p)
	if why == "" {
		dir = filepath.Join(p.Module, stateName)
		err := makeState(dir)
		if err == nil {
			return dir, "", nil
		}
		why = "it cannot be written: " + err.Error()
	}
	dir = filepath.Join(cacheDir, "pawl", "state", hash(p.Module))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", why, fmt.Errorf("making a directory for results (%s is no place for it: %s): %w", p.Module, why, err)
	}
	return dir, why, nil
}

// FindState returns the directory that StateDir would return, and whether it is
// there. It makes nothing.
func FindState(p *Place, cacheDir string) (dir string, ok bool) {
	inModule := filepath.Join(p.Module, stateName)
	for _, dir := range []string{inModule, filepath.Join(cacheDir, "pawl", "state", hash(p.Module))} {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			return dir, true
		}
	}
	return inModule, false
}

func makeState(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(dir, 0o700) // somebody else's directory may be what the user wants
	}
	ignore := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(ignore); err == nil {
		if !canWrite(dir) {
			return fmt.Errorf("%s: %w", dir, fs.ErrPermission)
		}
		return nil
	}
	return writeFile(ignore, []byte("*\n"), 0o600)
}

// whyNotInModule returns why .pawl must not be in the module; empty when it
// may.
func whyNotInModule(p *Place) string {
	if info, err := os.Lstat(filepath.Join(p.Module, stateName)); err == nil && !info.IsDir() {
		return ".pawl is there and is not a directory"
	}
	if !p.Writable {
		return "the module's directory is read-only"
	}
	entries, err := os.ReadDir(p.Module)
	if err != nil {
		return "the module's directory cannot be read"
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || e.IsDir() {
			continue
		}
		src, err := os.ReadFile(filepath.Join(p.Module, e.Name()))
		if err != nil {
			continue
		}
		if pattern := embedsState(src); pattern != "" {
			return fmt.Sprintf("%s has //go:embed %s, which would embed .pawl", e.Name(), pattern)
		}
	}
	return ""
}

// embedsState returns the first //go:embed pattern of a file beside .pawl that
// takes in .pawl; empty when there is none. A plain "*" is one: the rule that
// names with a dot are left out holds below a matched directory, not for it.
func embedsState(src []byte) string {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, scanner.ScanComments)
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			return ""
		}
		args, ok := strings.CutPrefix(lit, "//go:embed")
		if tok != token.COMMENT || !ok {
			continue
		}
		for _, pattern := range embedPatterns(args) {
			first, _, _ := strings.Cut(strings.TrimPrefix(pattern, "all:"), "/")
			if hit, err := path.Match(first, stateName); err == nil && hit {
				return pattern
			}
		}
	}
}

// embedPatterns splits the arguments of a //go:embed line: words, or Go
// strings.
func embedPatterns(args string) []string {
	var out []string
	for {
		args = strings.TrimLeft(args, " \t\r")
		if args == "" {
			return out
		}
		word, err := strconv.QuotedPrefix(args)
		text := word
		if err == nil {
			text, _ = strconv.Unquote(word)
		} else if i := strings.IndexAny(args, " \t\r"); i >= 0 {
			word, text = args[:i], args[:i]
		} else {
			word, text = args, args
		}
		out = append(out, text)
		args = args[len(word):]
	}
}

// stateWritable reports whether .pawl can be made in module, or written.
func stateWritable(module string) bool {
	dir := filepath.Join(module, stateName)
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		return canWrite(dir)
	}
	return canWrite(module)
}

// workDirsMax is how many runs on one module at a time get a directory each.
const workDirsMax = 64

// WorkDir makes, locks and returns a directory for Take:
// <cacheDir>/pawl/work/<hash of the module's directory>, the same in every run,
// since the go command's build cache knows compiled packages by their path.
// While another run holds it, the name has -2, -3 … added. release gives it
// back; so does the end of the process, however it ends.
func WorkDir(p *Place, cacheDir string) (dir string, release func(), err error) {
	parent := filepath.Join(cacheDir, "pawl", "work")
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", nil, fmt.Errorf("making a work directory: %w", err)
	}
	for i := 1; i <= workDirsMax; i++ {
		name := hash(p.Module)
		if i > 1 {
			name += "-" + strconv.Itoa(i)
		}
		release, ok, err := tryLock(filepath.Join(parent, name+".lock"))
		if err != nil {
			return "", nil, fmt.Errorf("locking a work directory: %w", err)
		}
		if !ok {
			continue
		}
		dir := filepath.Join(parent, name)
		err = os.MkdirAll(dir, 0o700)
		if err == nil {
			var in *below
			if in, err = openWork(dir); err == nil {
				err = in.root.Close()
			}
		}
		if err != nil {
			release()
			return "", nil, fmt.Errorf("making a work directory: %w", err)
		}
		return dir, release, nil
	}
	return "", nil, errors.New("64 runs are at work on this module: wait for one of them, or stop some")
}

// hash names a directory by its path.
func hash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
