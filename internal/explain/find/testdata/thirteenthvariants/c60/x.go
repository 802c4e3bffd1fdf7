package c60

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// V1 method

type tick struct {
	at    time.Time
	price int64
	size  int64
}

type tickStore struct {
	rw io.ReadWriter
}

func (s *tickStore) save(ticks []tick) error {
	w := bufio.NewWriter(s.rw)
	for _, t := range ticks {
		fmt.Fprintf(w, "%s|%d|%d\n", t.at.Format(time.RFC3339Nano), t.price, t.size)
	}
	return w.Flush()
}

func (s *tickStore) load() ([]tick, error) {
	var ticks []tick
	in := bufio.NewScanner(s.rw)
	for in.Scan() {
		parts := strings.SplitN(in.Text(), "|", 3)
		if len(parts) != 3 {
			return nil, io.ErrUnexpectedEOF
		}
		at, err := time.Parse(time.RFC3339Nano, parts[0])
		if err != nil {
			return nil, err
		}
		price, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseInt(parts[2], 10, 64)
		if err != nil {
			return nil, err
		}
		ticks = append(ticks, tick{at, price, size})
	}
	return ticks, in.Err()
}
