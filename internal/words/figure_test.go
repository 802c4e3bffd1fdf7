package words

import (
	"math"
	"testing"
	"time"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Nanoseconds(0), "0 ns"},
		{Nanoseconds(0.31), "0.31 ns"},
		{Nanoseconds(9.996), "10.0 ns"},
		{Nanoseconds(999.4), "999 ns"},
		{Nanoseconds(999.6), "1.00 µs"},
		{Nanoseconds(50512), "50.5 µs"},
		{Nanoseconds(1.5e6), "1.50 ms"},
		{Nanoseconds(90e9), "90.0 s"},
		{Nanoseconds(math.NaN()), "?"},
		{Bytes(0), "0 B"},
		{Bytes(2), "2 B"},
		{Bytes(1.52), "1.52 B"},
		{Bytes(1023), "1023 B"},
		{Bytes(1024), "1.00 KiB"},
		{Bytes(73790), "72.1 KiB"},
		{Bytes(-65580), "−64.0 KiB"},
		{Bytes(3 << 30), "3.00 GiB"},
		{Count(5), "5"},
		{Count(0.97), "0.97"},
		{Count(0.0004), "0"},
		{Count(-2), "−2"},
		{Seconds(3.14), "3.1 s"},
		{Seconds(262), "4 min 22 s"},
		{Seconds(59.7), "1 min 0 s"},
		{Seconds(3900), "1 h 5 min"},
		{About(7), "under 10 s"},
		{About(44), "about 50 s"},
		{About(58), "about 1 min"},
		{About(176), "about 3 min"},
		{About(5400), "about 1.5 h"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		20 * time.Minute: "20m", 10 * time.Second: "10s", 3 * time.Minute: "3m", 2 * time.Hour: "2h", 90 * time.Second: "1m30s", 100 * time.Minute: "1h40m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}
