package equal

import (
	"net/http"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

type near int

func (n near) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: int(n), Body: http.NoBody}, nil
}

func TestCall(t *testing.T) {
	for _, status := range []int{200, 404} {
		client := &http.Client{Transport: near(status)}
		want, err := (&before.Caller{URL: "http://near", Client: client}).Call()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (&after.Caller{URL: "http://near", Client: client}).Call(); err != nil || got != want {
			t.Errorf("%d, %v, want %d", got, err, want)
		}
	}
}
