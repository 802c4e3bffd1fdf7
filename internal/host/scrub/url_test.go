package scrub

import (
	"net/url"
	"testing"
)

func TestURL(t *testing.T) {
	for in, want := range map[string]string{
		"http://h/debug/pprof/heap":                           "http://h/debug/pprof/heap",
		"http://u:PW@h/p?seconds=5&token=T&gc=1":              "http://u:xxxxx@h/p?seconds=5&token=xxxxx&gc=1",
		"https://h/p?access_token=a%20b&api%5Fkey=T&password": "https://h/p?access_token=xxxxx&api%5Fkey=xxxxx&password",
		"https://h/p?%zz=T&a=b":                               "https://h/p?%zz=xxxxx&a=b",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := URL(u); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
