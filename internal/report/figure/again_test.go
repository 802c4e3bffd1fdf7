package figure

import "testing"

func TestAgain(t *testing.T) {
	for _, c := range []struct {
		args  []string
		flags []string
		want  string
	}{
		{[]string{"main", "."}, []string{"-budget", "20m"}, "pawl compare -budget 20m main ."},
		{[]string{"-budget", "5m", "main", ".", "-bench=X", "./a b"}, []string{"-budget", "10m", "-bench", "^Y$"}, "pawl compare -budget 10m -bench '^Y$' main . './a b'"},
		{[]string{"--budget=5m", "-q", "--", "-budget"}, []string{"-budget", "10m"}, "pawl compare -budget 10m -q -- -budget"},
	} {
		if got := Again("compare", c.args, c.flags...); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
}

func TestMoreTime(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "20m"}, {[]string{"-budget", "45s"}, "1m30s"}, {[]string{"--budget=30m", "."}, "1h"}, {[]string{"-budget"}, "20m"}, {[]string{"--", "-budget", "1s"}, "20m"},
	} {
		if got := MoreTime(c.args, "budget"); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
}
