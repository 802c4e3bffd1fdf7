package ring

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/sorted"
)

// fileOf is the name of a capture's file.
func fileOf(seq int64) string { return fmt.Sprintf("%012d%s", seq, captureEnd) }

// seqOf is the number in the name of a capture's file; 0 for another.
func seqOf(name string) int64 {
	digits, ok := strings.CutSuffix(name, captureEnd)
	seq, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || fileOf(seq) != name {
		return 0
	}
	return seq
}

// Read returns the captures in dir, the oldest first. What cannot be read as one is
// passed over. The error wraps fs.ErrNotExist where there is no such directory.
func Read(dir string) ([]Capture, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading captures: %w", err)
	}
	var all []Capture
	for _, f := range files {
		seq := seqOf(f.Name())
		if seq == 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		var c Capture
		if err == nil && json.Unmarshal(data, &c) == nil && c.Seq == seq {
			all = append(all, c)
		}
	}
	sorted.By(all, func(a, b Capture) int { return cmp.Compare(a.Seq, b.Seq) })
	return all, nil
}

// ErrDamaged is the error for a profile whose bytes are not those that were kept.
var ErrDamaged = errors.New("the profile is damaged")

// Content returns the bytes of a profile of a capture in dir.
func Content(dir string, p Profile) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.Base(p.Sum)+profileEnd))
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.Sum {
		return nil, ErrDamaged
	}
	return data, nil
}
