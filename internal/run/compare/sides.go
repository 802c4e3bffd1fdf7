package compare

import (
	"bytes"
	"fmt"
	"os"

	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// worktree is the operand that stands for the tree as it is.
const worktree = "."

// classify says what the two operands are, without running anything.
func classify(opt Options) (base, cand model.Side, err error) {
	if opt.gate() {
		return model.Side{Name: opt.Base, Kind: model.SideRef}, model.Side{Name: "work tree", Kind: model.SideWorktree}, nil
	}
	base, cand = side(opt.Dir, opt.Base), side(opt.Dir, opt.Candidate)
	source := func(k model.SideKind) bool { return k == model.SideRef || k == model.SideWorktree }
	switch {
	case base.Kind == model.SidePatch:
		return base, cand, testbed.Usage(fmt.Sprintf("%s is a patch: it can be the candidate only; the base is what it applies to, such as HEAD", base.Name))
	case source(base.Kind) && (source(cand.Kind) || cand.Kind == model.SidePatch), base.Kind == cand.Kind:
		return base, cand, nil
	default:
		return base, cand, testbed.Usage(fmt.Sprintf("%s is taken for %s and %s for %s: both must be git refs (or . and, as the candidate, a patch), both test binaries, or both files of results", opt.Base, described(base.Kind), opt.Candidate, described(cand.Kind)))
	}
}

// described is a kind of operand in words.
func described(k model.SideKind) string {
	switch k {
	case model.SideWorktree:
		return "the work tree"
	case model.SideBinary:
		return "a test binary"
	case model.SideSamples:
		return "a file of results"
	case model.SidePatch:
		return "a patch"
	}
	return "a git ref"
}

// side finds out what one operand is: a file by its content, else a ref.
func side(dir, name string) model.Side {
	s := model.Side{Name: name, Kind: model.SideRef}
	if name == worktree {
		s.Name, s.Kind = "work tree", model.SideWorktree
		return s
	}
	path := foreign.Path(dir, name)
	fi, err := os.Stat(path)
	if err != nil || fi.IsDir() {
		return s // a ref, or nothing: git says which
	}
	s.Kind = kindOf(foreign.Head(path, 4096)) // a pipe can only be results
	return s
}

// kindOf tells an executable, a patch and benchmark results apart by how a
// file begins.
func kindOf(head []byte) model.SideKind {
	for _, magic := range []string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "#!"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return model.SideBinary
		}
	}
	for line := range bytes.Lines(head) {
		if bytes.HasPrefix(line, []byte("diff --git ")) || bytes.HasPrefix(line, []byte("--- a/")) || bytes.HasPrefix(line, []byte("--- /dev/null")) {
			return model.SidePatch
		}
		if bytes.HasPrefix(line, []byte("@@ -")) {
			return model.SidePatch
		}
	}
	return model.SideSamples
}
