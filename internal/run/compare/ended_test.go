package compare

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
)

// What ends a comparison early stands in what is saved of it.
func TestEnded(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	over, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	broken := errors.New("no space left on device")
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		err   error
		found int
		want  string
	}{
		{"to its end", t.Context(), nil, 1, ""},
		{"interrupted", done, fmt.Errorf("profiling: %w", context.Canceled), 1, interrupted},
		{"failed", t.Context(), broken, 1, "failed: no space left on device"},
		{"failed when it was interrupted", done, broken, 1, "failed: no space left on device"},
		{"nothing to show", t.Context(), broken, 0, "failed: no space left on device"},
		{"out of time", over, fmt.Errorf("building: %w", context.DeadlineExceeded), 1, outOfTime},
		{"out of time, and a process was killed for it", over, broken, 0, outOfTime},
		{"a mistake that was found when the time was over", over, testbed.Usage("no such ref"), 0, "failed: no such ref"},
		{"interrupted, nothing to show", done, fmt.Errorf("profiling: %w", context.Canceled), 0, interrupted},
	} {
		s := &session{cmp: &model.Comparison{Benchmarks: make([]model.Compared, tt.found)}}
		err := s.ended(tt.ctx, tt.err)
		if s.cmp.Stopped != tt.want || (err == nil) != (tt.err == nil || tt.want == outOfTime || tt.want == interrupted && tt.found > 0) {
			t.Errorf("%s: %q, want %q; and the error %v", tt.name, s.cmp.Stopped, tt.want, err)
		}
	}
}
