package equal

import (
	"sync"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestEmit(t *testing.T) {
	x, y := &before.Sum{}, &after.Sum{}
	p, q := &before.Processor{Sink: x}, &after.Processor{Sink: y}
	for i := range 100 {
		r := before.Record{Name: string(rune('a' + i)), Values: [8]int{i, 2 * i}}
		s := after.Record(r)
		if err := p.Emit(&r); err != nil {
			t.Fatal(err)
		}
		if err := q.Emit(&s); err != nil {
			t.Fatal(err)
		}
		if x.N != y.N {
			t.Fatalf("record %d: %d, then %d", i, x.N, y.N)
		}
	}
}

// Processors share the pool: one must not see the records of another.
func TestTogether(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			sum := &after.Sum{}
			p := &after.Processor{Sink: sum}
			for range 1000 {
				if err := p.Emit(&after.Record{Values: [8]int{i}}); err != nil {
					t.Error(err)
				}
			}
			if sum.N != 1000*i {
				t.Errorf("sum %d, want %d", sum.N, 1000*i)
			}
		}()
	}
	wait.Wait()
}
