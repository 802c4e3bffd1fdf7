package pawldrive

import (
	"reflect"
	"sync"
	"time"
)

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	locationType = reflect.TypeFor[time.Location]()
)

// days are at what calendars go wrong: the last of a year, leap days and what is none,
// the ends of 32 bits, before the epoch, and years of other than four digits.
var days = []time.Time{
	{}, time.Unix(0, 0), time.Unix(-1, 999_999_999), time.Unix(1<<31-1, 0), time.Unix(1<<31, 0), time.Unix(1<<32, 0),
	time.Date(1999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), time.Date(2000, 2, 29, 12, 0, 0, 0, time.UTC),
	time.Date(2023, 2, 28, 23, 30, 0, 500_000, time.UTC), time.Date(2024, 2, 29, 0, 30, 0, 0, time.UTC), time.Date(2100, 3, 1, 0, 0, 0, 0, time.UTC),
	time.Date(2024, 12, 30, 1, 2, 3, 4_005_006, time.UTC), time.Date(2021, 1, 3, 0, 0, 0, 100_000_000, time.UTC), // weeks of another year
	time.Date(1883, 11, 18, 12, 0, 0, 0, time.UTC), time.Date(12, 3, 4, 5, 6, 7, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 1, time.UTC),
	time.Date(2024, 3, 10, 9, 59, 59, 0, time.UTC), time.Date(2024, 11, 3, 8, 30, 0, 0, time.UTC), // around changes of the hour in some zones
}

// awkward are moments at which much of what code gets wrong shows at once: a part of a second
// before the epoch, with a clock off by seconds; a year of five digits; a week of another year.
var awkward = []time.Time{
	time.Date(1969, 12, 30, 1, 2, 3, 987_654_321, zones[len(zones)-1]), time.Date(12345, 10, 9, 23, 59, 58, 7, zones[3]),
	time.Date(2021, 1, 3, 0, 30, 0, 500_000_000, zones[4]),
}

// zones are such that a day, an hour or a minute is another one there.
var zones = []*time.Location{
	time.UTC, time.FixedZone("", 0), time.FixedZone("EST", -5*3600), time.FixedZone("", 5*3600+45*60), time.FixedZone("FAR", 14*3600), time.FixedZone("LMT", -17*60-30),
}

// newYork changes the hour twice a year; nil where the machine does not know.
var newYork = sync.OnceValue(func() *time.Location {
	at, err := time.LoadLocation("America/New_York")
	if err != nil {
		return nil
	}
	return at
})

// moment returns another time: of the list, or not far, and of any zone.
func (m *mutator) moment(t time.Time) time.Time {
	if m.r.one(2) {
		t = days[m.r.n(len(days))]
	}
	if m.r.one(2) {
		t = t.Add(m.duration())
	}
	switch m.r.n(4) {
	case 0:
		return t.Round(0) // without the monotonic clock
	case 1:
		return t.Truncate(time.Second)
	case 2:
		if at := newYork(); at != nil {
			return t.In(at)
		}
	}
	return t.In(zones[m.r.n(len(zones))])
}

// duration returns one of a length that something is done at, or next to it.
func (m *mutator) duration() time.Duration {
	d := append([]time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond, 1500 * time.Millisecond}, moments...)[m.r.n(4+len(moments))]
	switch m.r.n(4) {
	case 0:
		d = -d
	case 1:
		d += time.Duration(m.r.n(3)-1) * time.Nanosecond
	case 2:
		d = d*time.Duration(m.r.n(60)) + time.Duration(m.r.n(1_000_000_000))
	}
	return d
}

// sameZone reports whether two locations have one name, and clocks that show the same.
func sameZone(a, b *time.Location) bool {
	if a.String() != b.String() {
		return false
	}
	for _, t := range []time.Time{time.Unix(0, 0), time.Unix(1<<30+1<<23, 0)} {
		_, x := t.In(a).Zone()
		_, y := t.In(b).Zone()
		if x != y {
			return false
		}
	}
	return true
}
