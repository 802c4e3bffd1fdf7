package a

import "time"

type entry struct {
	expires time.Time
	ttl     time.Duration
}

type clock func() time.Time

func (e *entry) live() bool {
	return !time.Now().After(e.expires) // want `time.Now reads two clocks to compare one; time.Until reads the monotonic one alone`
}

func sweep[K comparable](all map[K]*entry, start time.Time) (n int) {
	for k, e := range all {
		if time.Now().After(e.expires) { // want `time.Until`
			delete(all, k)
		}
		if e.expires.Before(time.Now()) && n > 0 { // want `time.Until`
			n++
		}
		if (time.Now()).Before(start.Add(e.ttl)) || n == 0 { // want `time.Until`
			n++
		}
	}
	func() {
		if e := start; !(e.After(time.Now())) { // want `time.Until`
			n++
		}
	}()
	return n
}

func durations(start, end time.Time) (d time.Duration, same bool) {
	d = time.Now().Sub(start)                       // want `time.Since`
	d += end.Sub(time.Now())                        // want `time.Until`
	same = time.Now().After(start) == (d > 0)       // want `time.Until`
	same = same != !start.Add(d).Before(time.Now()) // want `time.Until`
	return d, same
}

func read(e func() *entry) bool {
	return time.Now().After(e().expires) // want `time.Until`
}

// What follows is left alone.

type stamp struct{ time.Time }

func alone(c clock, p *time.Time, s stamp, t time.Time) {
	_ = c().After(t)
	_ = time.Now().Equal(t)
	_ = time.Now().Add(time.Second).After(t)
	_ = p.After(time.Now())
	_ = s.After(time.Now())
	_ = time.Since(t) > 0
	now := time.Now()
	_ = now.After(t)
	defer time.Now().After(t)
}
