package sizes

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// TestTextSize: a builder is grown for what the profile shows of builders alone.
func TestTextSize(t *testing.T) {
	for _, c := range []struct {
		leaf  string
		bytes float64
		block int64
		want  int64
	}{
		{"strings.(*Builder).WriteByte", 300, 256, 256},
		{"bytes.growSlice", 300, 1 << 20, mostText},
		{"bytes.(*Buffer).grow", 60, 32, 0},
		{"bytes.ToLower", 300, 256, 0},
		{"fmt.Sprintf", 300, 256, 0},
		{"", 0, 0, usualText},
	} {
		target := model.Target{Leaf: model.Frame{Func: c.leaf}, Bytes: c.bytes, Block: c.block}
		if got := textSize(target); got != c.want {
			t.Errorf("%s with blocks of %d bytes: %d, want %d", c.leaf, c.block, got, c.want)
		}
	}
}
