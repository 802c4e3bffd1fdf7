package c60

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
)

// V1 closure
func Average(r io.Reader) (float64, error) {
	sum, n := 0.0, 0
	each := func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return err
		}
		sum += v
		n++
		return nil
	}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		if err := each(sc.Text()); err != nil {
			return 0, err
		}
	}
	return sum / float64(n), sc.Err()
}

// V2 two functions, missed
type tick struct {
	at  time.Time
	bid int64
}

func parseTick(line string) (t tick, err error) {
	at, bid, _ := strings.Cut(line, ";")
	if t.at, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return t, err
	}
	t.bid, err = strconv.ParseInt(bid, 10, 64)
	return t, err
}

func Ticks(lines []string) ([]tick, error) {
	out := make([]tick, 0, len(lines))
	for _, l := range lines {
		t, err := parseTick(l)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
