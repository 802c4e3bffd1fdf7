package rule

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/token"
	"io"
	"os"
	"slices"
	"strings"
)

// A Key names a finding so that it is found again when lines have moved: by
// rule, file and the text of its line.
type Key struct {
	Rule string
	File string // import/path/file.go
	Hash string // of the line, blanks aside: [LineHash]
}

// A Baseline is a set of findings that are known and not shown: one per line,
// rule, file and hash with blanks between; # starts a comment.
type Baseline struct{ keys map[Key]bool }

// ReadBaseline reads a baseline.
func ReadBaseline(file string) (*Baseline, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading baseline: %w", err)
	}
	defer f.Close()
	b, err := ParseBaseline(f)
	if err != nil {
		return nil, fmt.Errorf("reading baseline %s: %w", file, err)
	}
	return b, nil
}

// ParseBaseline parses a baseline.
func ParseBaseline(r io.Reader) (*Baseline, error) {
	b := &Baseline{keys: map[Key]bool{}}
	sc := bufio.NewScanner(r)
	for line := 1; sc.Scan(); line++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: %d fields, want rule, file and hash", line, len(fields))
		}
		b.keys[Key{fields[0], fields[1], fields[2]}] = true
	}
	return b, sc.Err()
}

// Has reports whether the finding is known.
func (b *Baseline) Has(k Key) bool { return b.keys[k] }

// WriteBaseline writes keys as a baseline, sorted.
func WriteBaseline(w io.Writer, keys []Key) error {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Hash, b.Hash))
	})
	keys = slices.Compact(keys)
	if _, err := fmt.Fprintln(w, "# findings that pawl find does not show: rule file hash-of-line  # why"); err != nil {
		return err
	}
	for _, k := range keys {
		if _, err := fmt.Fprintln(w, k.Rule, k.File, k.Hash); err != nil {
			return err
		}
	}
	return nil
}

// LineHash returns the hash of the source line at pos, which read gives; it is
// "?" where the file cannot be read.
func LineHash(read func(string) ([]byte, error), pos token.Position) string {
	data, err := read(pos.Filename)
	if err != nil || pos.Offset > len(data) {
		return "?"
	}
	start := strings.LastIndexByte(string(data[:pos.Offset]), '\n') + 1
	line, _, _ := strings.Cut(string(data[start:]), "\n")
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(line), " ")))
	return hex.EncodeToString(sum[:6])
}
