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
