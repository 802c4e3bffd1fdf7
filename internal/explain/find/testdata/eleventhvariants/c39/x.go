package c39

import (
	"errors"
	"time"
)

// V1 renamed

var errSlow = errors.New("directory did not answer")

type directory interface{ Resolve(name string) string }

func resolveWithin(d directory, name string, limit time.Duration) (string, error) {
	answer := make(chan string)
	go func() {
		answer <- d.Resolve(name)
	}()
	select {
	case a := <-answer:
		return a, nil
	case <-time.After(limit):
		return "", errSlow
	}
}
