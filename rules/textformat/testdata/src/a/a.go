package a

import (
	"bufio"
	"strconv"
	"time"
)

func numbers(in []string) (sum int64, err error) {
	for _, s := range in {
		n, err := strconv.ParseInt(s, 10, 32) // want `strconv.ParseInt reads text for each value: where the format is one's own, a binary form is read much faster`
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

type reader struct{ sc *bufio.Scanner }

func (r *reader) times() (out []time.Time) {
	for r.sc.Scan() {
		t, err := time.Parse("2006-01-02 15:04:05.999999-07", r.sc.Text()) // want `time.Parse reads text`
		if err != nil {
			continue
		}
		out = append(out, t)
	}
	return out
}

func closure(in []string) func() float64 {
	return func() (sum float64) {
		for _, s := range in {
			f, _ := strconv.ParseFloat(s, 64) // want `strconv.ParseFloat`
			sum += f
		}
		return sum
	}
}

func generic[T ~int](in []string) (out []T) {
	for _, s := range in {
		n, _ := strconv.Atoi(s) // want `strconv.Atoi`
		out = append(out, T(n))
	}
	return out
}

// What follows is left alone.

func once(s string) (int, error) { return strconv.Atoi(s) }

func clause(s string) (sum int) {
	for n, _ := strconv.Atoi(s); n > 0; n-- {
		sum += n
	}
	return sum
}

func durations(in []string) (sum time.Duration) {
	for _, s := range in {
		d, _ := time.ParseDuration(s)
		sum += d
	}
	return sum
}

func later(in []string) (all []func() int) {
	for _, s := range in {
		all = append(all, func() int { n, _ := strconv.Atoi(s); return n })
	}
	return all
}
