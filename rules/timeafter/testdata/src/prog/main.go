package main

import "time"

func main() {
	in := make(chan int)
	go func() { in <- 1 }()
	for {
		select {
		case <-in:
		case <-time.After(time.Second): // want `time.After makes a timer`
			return
		}
	}
}
