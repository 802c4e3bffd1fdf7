package c60

import (
	"strconv"
	"time"
)

// V1 renamed
func nums(fields []string) (out []int64, err error) {
	for _, f := range fields {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return
}

// V2 method
type rd struct{ rows []string }

func (r *rd) times() (ts []time.Time) {
	for _, s := range r.rows {
		t, _ := time.Parse(time.RFC3339Nano, s)
		ts = append(ts, t)
	}
	return
}

// V3 closure
func floats(ss []string) func() float64 {
	return func() (t float64) {
		for _, s := range ss {
			f, _ := strconv.ParseFloat(s, 64)
			t += f
		}
		return
	}
}

// V4 generic
func conv[T int | int64](ss []string) (xs []T) {
	for _, s := range ss {
		n, _ := strconv.Atoi(s)
		xs = append(xs, T(n))
	}
	return
}

// V5 two functions
func ts(s string) int64 { t, _ := time.Parse("2006-01-02", s); return t.Unix() }
func allTS(ss []string) (o []int64) {
	for _, s := range ss {
		o = append(o, ts(s))
	}
	return
}
