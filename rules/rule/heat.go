package rule

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
)

// Heat is what a profile says, as plain values: which lines cost how much.
type Heat struct {
	Version int `json:"version"` // 1
	// Lines maps "import/path/file.go" to line to the largest share (0 to 1)
	// of any resource that is spent on the line or below it.
	Lines map[string]map[int]Cost `json:"lines"`
}

// A Cost is what one line costs.
type Cost struct {
	Share    float64 `json:"share"`    // of the profile's total, 0 to 1
	Resource string  `json:"resource"` // "cpu", "allocs", "bytes", "mutex", "block"
}

// ReadHeat reads what pawl heat wrote.
func ReadHeat(file string) (*Heat, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading heat: %w", err)
	}
	h := new(Heat)
	if err := json.Unmarshal(data, h); err != nil {
		return nil, fmt.Errorf("reading heat from %s: %w; pawl heat PROFILE writes such a file", file, err)
	}
	if h.Version != 1 {
		return nil, fmt.Errorf("reading heat from %s: version %d is not known; write it anew with pawl heat PROFILE", file, h.Version)
	}
	return h, nil
}

// Of returns the largest share of a line between from and to, which are in one
// file of package pkg, and its resource.
func (h *Heat) Of(pkg string, fset *token.FileSet, from, to token.Pos) (share float64, resource string) {
	a, b := fset.Position(from), fset.Position(to)
	return h.Between(pkg, a.Filename, a.Line, b.Line)
}

// Between is Of for lines first to last of a file, which may have any directory.
func (h *Heat) Between(pkg, file string, first, last int) (share float64, resource string) {
	lines := h.Lines[path.Join(pkg, filepath.Base(file))]
	for line := first; line <= last && len(lines) > 0; line++ {
		if c := lines[line]; c.Share > share {
			share, resource = c.Share, c.Resource
		}
	}
	return share, resource
}
