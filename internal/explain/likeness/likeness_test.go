package likeness

import (
	"math"
	"testing"
)

func TestCompare(t *testing.T) {
	p := map[string]int64{"a": 500, "b": 300, "c": 200}
	l := compare(p, map[string]int64{"a": 50, "b": 30, "c": 20}, 1)
	if l.Alike < 0.999 || l.Covered < 0.999 || l.Lo > 0.95 || l.Lo < 0.6 || l.Hi < l.Alike {
		t.Errorf("the same shares: %+v", l)
	}
	l = compare(p, map[string]int64{"a": 100, "d": 100}, 1)
	if math.Abs(l.Alike-0.5) > 1e-9 || math.Abs(l.Covered-0.5) > 1e-9 || l.Lo >= 0.5 || l.Hi <= 0.5 {
		t.Errorf("half of it: %+v", l)
	}
	if w := l.Weights[0]; w.Func != "d" || w.Bench != 0.5 || w.Production != 0 {
		t.Errorf("the most over-weighed: %+v", w)
	}
	if l = compare(p, map[string]int64{"x": 10}, 1); l.Alike != 0 || l.Covered != 0 {
		t.Errorf("nothing in common: %+v", l)
	}
	if l = compare(p, nil, 1); l.Alike != 0 || l.Hi != 0 {
		t.Errorf("no samples: %+v", l)
	}
}

// The interval of a figure covers it as often as it says: two samples of known
// shares are compared with what these shares overlap.
func TestInterval(t *testing.T) {
	held := 0
	for seed := range uint64(40) {
		l := compare(map[string]int64{"a": 600, "b": 400}, map[string]int64{"a": 300, "b": 700}, seed)
		if l.Lo <= 0.7 && 0.7 <= l.Hi && l.Hi-l.Lo < 0.12 {
			held++
		}
	}
	if held < 40 {
		t.Errorf("%d of 40", held)
	}
}
