package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestStay(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		ok       bool
	}{
		{"http://h/a", "http://h/b", true},
		{"http://h/a", "https://h/b", true},
		{"https://h/a", "http://h/b", false},
		{"http://h/a", "http://h:81/b", false},
		{"http://h/a", "http://169.254.169.254/b", false},
	} {
		from, to := httptest.NewRequest("GET", tt.from, nil), httptest.NewRequest("GET", tt.to, nil)
		if err := stay(to, []*http.Request{from}); (err == nil) != tt.ok {
			t.Errorf("from %s to %s: %v", tt.from, tt.to, err)
		}
	}
}

// Whatever a server sends, no more is read than was allowed, and the password
// of the URL is in no error.
func TestGet(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(make([]byte, 4<<20))
	z.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(r.Header.Get("Accept"))) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.Write(make([]byte, 1<<16))
		}
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/no", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not\ntoday", http.StatusTeapot) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for _, tt := range []struct {
		path, want string // want is what comes, or "!" and a part of the error
	}{
		{"/good", "text/plain"},
		{"/bomb", "!larger than 1 MiB"},
		{"/endless", "!larger than 1 MiB"},
		{"/silent", "!deadline exceeded"},
		{"/no", `!"not today"`},
	} {
		u, err := url.Parse(strings.Replace(srv.URL, "http://", "http://user:secret@", 1) + tt.path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if tt.path == "/silent" {
			ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
		}
		data, err := Get(ctx, u, "text/plain", 1<<20)
		cancel()
		part, fails := strings.CutPrefix(tt.want, "!")
		switch {
		case fails && (err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: error %v; want %q", tt.path, err, part)
		case !fails && (err != nil || string(data) != tt.want):
			t.Errorf("%s: %q, %v", tt.path, data, err)
		}
	}
	srv.Close()
	u, _ := url.Parse(strings.Replace(srv.URL, "http://", "http://user:secret@", 1))
	var refused *Refusal
	if _, err := Get(context.Background(), u, "", 1); err == nil || errors.As(err, &refused) || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody listens: %v", err)
	}
}
