package a

import (
	"context"
	"errors"
	"log"
	"time"
)

func fetch(ctx context.Context, get func() string) (string, error) {
	result := make(chan string)
	go func() {
		result <- get() // want `this send waits for ever once the function has returned without receiving`
	}()
	select {
	case s := <-result:
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

type client struct{ timeout time.Duration }

func (c *client) call(do func() error) error {
	done := make(chan error)
	go func() {
		err := do()
		done <- err // want `this send waits for ever`
	}()
	timer := time.NewTimer(c.timeout)
	defer timer.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-timer.C:
			return errors.New("timeout")
		}
	}
}

// It returns early, before it has received.
func first[T any](get func() (T, error), check func() error) (T, error) {
	ch := make(chan T)
	go func() {
		x, _ := get()
		ch <- x // want `this send waits for ever`
	}()
	if err := check(); err != nil {
		var zero T
		return zero, err
	}
	return <-ch, nil
}

// Two sends on different ways: no fix.
func either(ctx context.Context, ok func() bool) bool {
	ch := make(chan bool)
	go func() {
		if !ok() {
			ch <- false // want `this send waits for ever`
			return
		}
		ch <- true
	}()
	select {
	case b := <-ch:
		return b
	case <-ctx.Done():
		return false
	}
}

func inLoop(ctx context.Context, all []func() int) (sum int) {
	for _, f := range all {
		func() {
			ch := make(chan int)
			go func() { ch <- f() }() // want `this send waits for ever`
			select {
			case n := <-ch:
				sum += n
			case <-ctx.Done():
			}
		}()
	}
	return sum
}

func anyOf(links []string, get func(string) string) string {
	answers := make(chan string)
	for _, link := range links {
		go func() {
			answers <- get(link) // want `the goroutines of this loop send more than the function receives`
		}()
	}
	return <-answers
}

func begin(f func() int) chan int {
	ch := make(chan int)
	go func() { ch <- f() }() // want `this send waits for ever`
	return ch
}

func bounded(ctx context.Context, f func() int) int {
	ch := begin(f)
	select {
	case n := <-ch:
		return n
	case <-ctx.Done():
		return 0
	}
}

// What follows is left alone.

func future(f func() int) chan int {
	ch := make(chan int)
	go func() { ch <- f() }()
	return ch
}

func both(f, g func() int) int {
	a := future(f)
	b := g()
	return b + <-a
}

func buffered(ctx context.Context, get func() string) string {
	result := make(chan string, 1)
	go func() { result <- get() }()
	select {
	case s := <-result:
		return s
	case <-ctx.Done():
		return ""
	}
}

func always(get func() string, stop <-chan bool) string {
	result := make(chan string)
	go func() { result <- get() }()
	select {
	case <-stop:
	case <-time.After(time.Second):
	}
	return <-result // every way receives
}

func fatal(ctx context.Context, get func() string) string {
	result := make(chan string)
	go func() { result <- get() }()
	select {
	case s := <-result:
		return s
	case <-ctx.Done():
		log.Fatal("timeout") // ends all
	}
	panic("unreachable")
}

func polls(get func() string, wait func()) string {
	result := make(chan string)
	go func() { result <- get() }()
	for {
		select {
		case s := <-result:
			return s
		default:
			wait()
		}
	}
}

func selects(ctx context.Context, get func() string) string {
	result := make(chan string)
	go func() {
		select {
		case result <- get():
		case <-ctx.Done():
		}
	}()
	select {
	case s := <-result:
		return s
	case <-ctx.Done():
		return ""
	}
}

func drains(ctx context.Context, get func() string) string {
	result := make(chan string)
	go func() { result <- get() }()
	select {
	case s := <-result:
		return s
	case <-ctx.Done():
		go func() { <-result }() // somebody else receives
		return ""
	}
}

func given(ctx context.Context, get func() string, watch func(chan string)) string {
	result := make(chan string)
	go func() { result <- get() }()
	watch(result)
	select {
	case s := <-result:
		return s
	case <-ctx.Done():
		return ""
	}
}

func deferred(ctx context.Context, run func()) {
	done := make(chan int)
	go func() {
		run()
		done <- 1
	}()
	defer func() { <-done }()
	<-ctx.Done()
}

func main() {
	result := make(chan string)
	go func() { result <- "x" }()
	select {
	case <-result:
	case <-time.After(time.Second):
	}
}

func allOf(links []string, get func(string) string) (all []string) {
	answers := make(chan string)
	for _, link := range links {
		go func() { answers <- get(link) }()
	}
	for range links {
		all = append(all, <-answers)
	}
	return all
}
