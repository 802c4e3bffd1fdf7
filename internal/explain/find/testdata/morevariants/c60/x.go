package c60

import (
	"strconv"
	"time"
)

// V1 renamed
func readNums(cells []string) (out []int64, err error) {
	for _, c := range cells {
		v, err := strconv.ParseInt(c, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// V2 method
type rows struct{ raw [][]byte }

func (r *rows) times() (ts []time.Time) {
	for _, b := range r.raw {
		t, err := time.Parse(time.RFC3339Nano, string(b))
		if err == nil {
			ts = append(ts, t)
		}
	}
	return ts
}

// V3 closure
func adder() func([]string) float64 {
	return func(ss []string) (t float64) {
		for _, s := range ss {
			f, _ := strconv.ParseFloat(s, 64)
			t += f
		}
		return t
	}
}

// V4 generic
func ParseAll[S ~string](in []S) (out []int) {
	for _, s := range in {
		n, err := strconv.Atoi(string(s))
		if err == nil {
			out = append(out, n)
		}
	}
	return out
}

// V5 two functions
func parse32(b []byte) (int32, error) {
	n, err := strconv.ParseInt(string(b), 10, 32)
	return int32(n), err
}
func column(bs [][]byte) (out []int32) {
	for _, b := range bs {
		n, _ := parse32(b)
		out = append(out, n)
	}
	return out
}
