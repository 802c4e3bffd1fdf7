// Package evidence sends the lines of a log through a channel.
package evidence

import "strings"

// An Event is one line of a log.
type Event struct {
	Level, Text string
	Fields      [4]string
}

// Long counts the lines of a log whose text has at least n bytes.
func Long(lines []string, n int) int {
	events := make(chan *Event, 16)
	go func() {
		defer close(events)
		for _, l := range lines {
			e := &Event{}
			e.Level, e.Text, _ = strings.Cut(l, " ")
			events <- e
		}
	}()
	long := 0
	for e := range events {
		if len(e.Text) >= n {
			long++
		}
	}
	return long
}
