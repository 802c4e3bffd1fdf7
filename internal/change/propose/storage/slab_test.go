package storage

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// Arrays have a length for which the allocator rounds little up.
func TestSlabCount(t *testing.T) {
	fields := []*types.Var{types.NewField(token.NoPos, nil, "p", types.NewPointer(types.Typ[types.Int]), false)}
	named := types.NewNamed(types.NewTypeName(token.NoPos, nil, "T", nil), types.NewStruct(fields, nil), nil)
	for _, tt := range []struct {
		size  int64
		perOp float64
		want  int
	}{
		{176, 723, 23}, // 4056 bytes of 4096
		{64, 1000, 31}, // 1992 of 2048, where 32 have 2056 of 2304
		{48, 100, 8},   // 384 of 384
		{16, 60, 4},    // more would leave too many
	} {
		s := &single{typ: named, size: tt.size}
		if got := s.count(model.Target{Bytes: 1, PerOp: tt.perOp}); got != tt.want {
			t.Errorf("%d bytes, %g per op: arrays of %d, want %d", tt.size, tt.perOp, got, tt.want)
		}
	}
}
