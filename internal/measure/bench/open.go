package bench

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/model"
)

// Bare returns a Suite for binaries that were built elsewhere, see Open. It
// needs neither a module nor a go command; g comes from gocmd.Bare. dir is an
// absolute scratch directory for copies. Nothing can be built with it, and its
// clock is rusage: a binary that is there has the stock testing package.
func Bare(g *gocmd.Go, dir string) (*Suite, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the scratch directory %q is not absolute", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o700); err != nil {
		return nil, fmt.Errorf("making a scratch directory for benchmarks: %w", err)
	}
	s := newSuite(g, dir, model.ClockRusage)
	s.warnings = []model.Warning{{
		Seen:  "CPU time is that of whole processes less their start and set-up, and allocations are whole numbers per op",
		Cause: "binaries that were built elsewhere have no clock in their testing package",
		Try:   "compare sources (git refs) where a verdict takes too long, or a fraction of an allocation matters",
	}}
	return s, nil
}

// Open takes a test binary that was built elsewhere with go test -c, to be run
// in the directory dir: that of its package, as a rule, where its test data is.
// "" is the current directory. The binary is not run.
//
// Pkg is what the binary says about itself. One without build information, as
// other build systems make them, is known by its file name, without .test; for
// a comparison of two of those give both the same Pkg.
//
// The error says what is wrong with the file: that it is not there, no
// executable, no Go program, no test binary, for another system, older than
// Go 1.20, or not allowed to be run.
func Open(path, dir string) (*Binary, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return nil, fmt.Errorf("the directory %s to run %s in is not there", dir, path)
	}
	if err := checkFile(abs, path); err != nil {
		return nil, err
	}
	info, err := inspect(abs, path)
	if err != nil {
		return nil, err
	}
	b := &Binary{Path: abs, Dir: dir, Stock: true}
	b.describe(info)
	b.Pkg = packageOf(info, path)
	b.Hash, err = hashBinary(abs)
	return b, err
}

// describe notes what a binary says about its build.
func (b *Binary) describe(info *buildinfo.BuildInfo) {
	b.GoVersion, b.Settings = info.GoVersion, make(map[string]string)
	for _, s := range info.Settings {
		b.Settings[s.Key] = s.Value
	}
	b.Race = b.Race || b.Settings["-race"] == "true"
}

// packageOf returns the import path of the package that a binary tests.
func packageOf(info *buildinfo.BuildInfo, path string) string {
	if pkg, ok := strings.CutSuffix(info.Path, ".test"); ok && pkg != "" {
		return pkg
	}
	return cmp.Or(info.Path, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".exe"), ".test"))
}

// checkFile says what keeps a file from being run at all.
func checkFile(abs, path string) error {
	fi, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no test binary %s; build one with go test -c -o %s", path, path)
	case err != nil:
		return fmt.Errorf("opening a test binary: %w", err)
	case fi.IsDir():
		return fmt.Errorf("%s is a directory, not a test binary; build one with go test -c", path)
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", path)
	}
	head := make([]byte, 64)
	f, err := os.Open(abs)
	if err != nil {
		return fmt.Errorf("opening a test binary: %w", err)
	}
	defer f.Close()
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	kind, system := fileFormat(head[:n])
	if system == "" {
		return fmt.Errorf("%s is not an executable but %s; build a test binary with go test -c", path, kind)
	}
	if own := nativeFormat(runtime.GOOS); system != own {
		return fmt.Errorf("%s is an executable for another system (%s), and this is %s/%s; build it here, or with GOOS=%s", path, kind, runtime.GOOS, runtime.GOARCH, runtime.GOOS)
	}
	if runtime.GOOS != "windows" && fi.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s may not be run: it has no execute permission; chmod +x %s", path, path)
	}
	return nil
}

// fileFormat says what a file is by its first bytes. system is "" for what is no
// executable.
func fileFormat(head []byte) (kind, system string) {
	has := func(prefix string) bool { return bytes.HasPrefix(head, []byte(prefix)) }
	switch {
	case has("\x7fELF"):
		return "an ELF file", "elf"
	case has("MZ"):
		return "a Windows program", "pe"
	case has("\xfe\xed\xfa"), has("\xcf\xfa\xed\xfe"), has("\xce\xfa\xed\xfe"), has("\xca\xfe\xba\xbe"):
		return "a Mach-O file", "macho"
	case has("\x00asm"):
		return "a WebAssembly module", "wasm"
	case has("#!"):
		return "a script", ""
	case has("!<arch>\n"):
		return "an archive", ""
	case len(head) == 0:
		return "an empty file", ""
	}
	return "some other file", ""
}

// nativeFormat returns the format of a system's executables.
func nativeFormat(goos string) string {
	switch goos {
	case "windows":
		return "pe"
	case "darwin", "ios":
		return "macho"
	case "wasip1", "js":
		return "wasm"
	}
	return "elf"
}

// inspect reads a binary's build information and sees that it is a test binary
// for this machine.
func inspect(abs, path string) (*buildinfo.BuildInfo, error) {
	f, err := os.Open(abs)
	if err != nil {
		return nil, fmt.Errorf("opening a test binary: %w", err)
	}
	defer f.Close()
	info, err := buildinfo.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s is an executable, but no Go program that says how it was built (%w); build a test binary with go test -c", path, err)
	}
	goos, goarch := setting(info, "GOOS"), setting(info, "GOARCH")
	if goos != "" && !runsHere(goos, goarch) {
		return nil, fmt.Errorf("%s is built for %s/%s, and this is %s/%s; build it here", path, goos, goarch, runtime.GOOS, runtime.GOARCH)
	}
	v := plainVersion(info.GoVersion)
	if version.IsValid(v) && version.Compare(v, gorelease.OldestBinary) < 0 {
		return nil, fmt.Errorf("%s was built by %s, and pawl runs test binaries of %s or newer; build it again", path, info.GoVersion, gorelease.OldestBinary)
	}
	ok, err := isTest(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if !ok {
		what := "a Go program"
		if info.Path != "" {
			what += " (" + info.Path + ")"
		}
		return nil, fmt.Errorf("%s is %s, but not a test binary; build one with go test -c", path, what)
	}
	return info, nil
}

// runsHere reports whether this machine runs programs for a system by itself:
// what an emulator runs is not worth timing.
func runsHere(goos, goarch string) bool {
	return goos == runtime.GOOS && (goarch == runtime.GOARCH || goarch == "386" && runtime.GOARCH == "amd64")
}

// plainVersion returns the part of a toolchain's version that go/version reads:
// "go1.26.8" of "go1.26.8 X:nodwarf5".
func plainVersion(v string) string {
	v, _, _ = strings.Cut(v, " ")
	return v
}

// setting returns a setting of a build.
func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// runsTests is a function that only programs that run tests contain. Its name
// stands in the table of function names, between two zeros, and stripping
// leaves that table.
const runsTests = "testing.(*M).Run"

// isTest reports whether a program runs tests. Build information does not say:
// a command may be called x.test, and other build systems leave it out.
func isTest(f io.ReadSeeker) (bool, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	name := slices.Concat([]byte{0}, []byte(runsTests), []byte{0})
	const chunk = 1 << 20
	buf := make([]byte, chunk+len(name))
	kept := 0
	for {
		n, err := io.ReadFull(f, buf[kept:])
		if bytes.Contains(buf[:kept+n], name) {
			return true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		kept = copy(buf, buf[len(buf)-len(name)+1:])
	}
}
