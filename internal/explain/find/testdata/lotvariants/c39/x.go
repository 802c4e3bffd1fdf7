package x

import (
	"errors"
	"time"
)

// V1 other names
type beacon struct{ hits int }

func newBeacon(report func(int)) *beacon {
	bc := &beacon{}
	go func() {
		tk := time.NewTicker(30 * time.Second)
		for range tk.C {
			report(bc.hits)
		}
	}()
	return bc
}

// V5 across two functions
func ask(q func() string) (string, error) {
	reply := start(q)
	select {
	case s := <-reply:
		return s, nil
	case <-time.After(time.Second):
		return "", errors.New("too slow")
	}
}
func start(q func() string) chan string {
	reply := make(chan string)
	go func() { reply <- q() }()
	return reply
}
