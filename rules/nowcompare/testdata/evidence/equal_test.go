package equal

import (
	"testing"
	"time"

	after "evidence/after"
	before "evidence/before"
)

func TestLive(t *testing.T) {
	now := time.Now()
	for _, at := range []time.Time{
		{}, now, now.Add(-time.Hour), now.Add(time.Hour), now.Round(0).Add(time.Hour), now.Round(0).Add(-time.Hour),
		now.AddDate(900, 0, 0), now.AddDate(-900, 0, 0), now.Add(1<<63 - 1), time.Unix(1<<60, 0), time.Unix(-1<<60, 0),
	} {
		if b, a := before.Live([]time.Time{at}), after.Live([]time.Time{at}); a != b {
			t.Errorf("%s: %d, then %d", at, b, a)
		}
	}
}
