package c39

import (
	"errors"
	"sync/atomic"
	"time"
)

// V1 generic, method, two channels in a struct
type outcome[T any] struct {
	value T
	err   error
}

type asker[T any] struct{ ask func() (T, error) }

func (a *asker[T]) within(d time.Duration) (T, error) {
	done := make(chan outcome[T])
	go func() {
		v, err := a.ask()
		done <- outcome[T]{v, err}
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
		var zero T
		return zero, errors.New("too late")
	}
}

func Ask(f func() (int, error)) (int, error) {
	return (&asker[int]{f}).within(time.Second)
}

// V2 method, field, ticker
type meter struct {
	n    atomic.Int64
	rate atomic.Int64
}

func NewMeter() *meter {
	m := &meter{}
	go m.loop()
	return m
}

func (m *meter) loop() {
	ticks := time.NewTicker(time.Second)
	for range ticks.C {
		m.rate.Store(m.n.Swap(0))
	}
}

func (m *meter) Add(n int64) { m.n.Add(n) }
