package a

import "time"

func idle() <-chan time.Time { return time.After(time.Minute) }

func untilIdle(in chan string) (n int) {
	for {
		select {
		case <-in:
			n++
		case <-idle(): // want `idle makes a timer and a channel in each iteration`
			return n
		}
	}
}

// The channel of a timer that has no name.
type link struct{ acks chan bool }

func (l *link) retries(send func(), wait time.Duration) (n int) {
	for n < 5 {
		send()
		select {
		case <-l.acks:
			return n
		case <-time.NewTimer(wait).C: // want `time.NewTimer makes a timer and a channel in each iteration`
			n++
		}
	}
	return n
}
