package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkRank(b *testing.B) {
	all := make([]Player, 500)
	for i := range all {
		all[i] = Player{fmt.Sprint("player", i*7919%500), i * 104729 % 97, i}
	}
	work := make([]Player, len(all))
	b.ReportAllocs()
	for b.Loop() {
		copy(work, all)
		Rank(work)
		if work[0].Points != 96 {
			b.Fatal("not ranked")
		}
	}
}
