package bench

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Binary is a built test binary of one package.
type Binary struct {
	Path string // absolute
	Pkg  string // import path
	Dir  string // the package's directory, which is where its processes run
	// Hash is that of the file: two binaries with the same Hash are the same
	// program. Two with another may be, too: a comment changes the line tables.
	// Package reach tells, and says why no set of sections would.
	Hash string
	Race bool
	// Ordered says that it was linked with an Order, and the other side with the same.
	Ordered bool
	Stock   bool // built without the overlay: its processes write no records
	// GoVersion and Settings are what the binary says about its own build, as
	// go version -m prints it: "-race", "-pgo", "GOAMD64", "vcs.revision", ….
	// Both are empty where it says nothing.
	GoVersion string
	Settings  map[string]string
	// Env are variables that its processes have beside those of the module, such
	// as GOGC=200; they win.
	Env []string
}

// Build builds the test binary of pkg. The name sets it apart from other
// builds of the same package ("base", "c1"); a binary of the same name is
// replaced. With o.Overlay the binary carries the CPU clock, where the Suite
// has one. On amd64 its functions are aligned to cache lines, so that less of
// what is measured is luck of the layout; see Linker.Default.
func (s *Suite) Build(ctx context.Context, pkg gocmd.Package, name string, o gocmd.BuildOpts) (*Binary, error) {
	out, err := s.file(pkg.ImportPath, name)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("replacing a test binary: %w", err)
	}
	if err := s.g.BuildTest(ctx, pkg.ImportPath, out, s.align(o)); err != nil {
		return nil, fmt.Errorf("building the test binary of %s: %w", pkg.ImportPath, err)
	}
	b := &Binary{
		Path:  out,
		Pkg:   pkg.ImportPath,
		Dir:   pkg.Dir,
		Race:  o.Race,
		Stock: !o.Overlay || s.clock != model.ClockProcess,
	}
	b.Hash, err = hashBinary(out)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("package %s has no test files, so there is nothing to benchmark in it", pkg.ImportPath)
	}
	if info, err := buildinfo.ReadFile(out); err == nil {
		b.describe(info)
	}
	return b, err
}

// file returns the absolute name for a build. Names of one length give paths
// of one length.
func (s *Suite) file(pkg, name string) (string, error) {
	if name == "" || filepath.Base(name) != name {
		return "", fmt.Errorf("%q does not do as the name of a build", name)
	}
	sum := sha256.Sum256([]byte(pkg))
	return filepath.Join(s.dir, "bin", hex.EncodeToString(sum[:4])+"-"+name+".test"), nil
}

// Copy returns a copy of b in a fresh file. Where the page cache happens to
// put a file moves a benchmark by about 0.4 %, so a copy, like a link, is a
// unit of variation. The caller may remove the file.
func (s *Suite) Copy(b *Binary, name string) (*Binary, error) {
	to, err := s.file(b.Pkg, name)
	if err != nil {
		return nil, err
	}
	if to == b.Path {
		return nil, fmt.Errorf("a copy of %s cannot have the name %q too", b.Path, name)
	}
	if err := copyFile(to, b.Path); err != nil {
		return nil, fmt.Errorf("copying a test binary: %w", err)
	}
	c := *b
	c.Path = to
	return &c, nil
}

// copyFile writes an executable. While the file is open for writing no process
// may be forked: the child would hold it open for a moment, and until then
// running the file fails with "text file busy".
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func hashBinary(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("reading a test binary: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
