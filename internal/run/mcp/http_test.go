package mcp

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const token = "0123456789abcdef"

// bearer sends the token along.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func listen(t *testing.T) (*scene, string) {
	t.Helper()
	s := newScene(t, Config{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.server.HTTP(ctx, l, token) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

func TestHTTP(t *testing.T) {
	s, addr := listen(t)
	s.answers(t, "log", refuted, 0)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + addr, HTTPClient: &http.Client{Transport: bearer{token}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "log", Arguments: map[string]any{"run": "r1"}})
	if err != nil || res.IsError {
		t.Errorf("%v, %+v", err, res)
	}
}

// Pages of other sites, names that lead here, and who has no token are refused.
func TestHTTPRefuses(t *testing.T) {
	_, addr := listen(t)
	_, port, _ := net.SplitHostPort(addr)
	for _, c := range []struct {
		host, origin, token string
		want                int
	}{
		{addr, "", token, http.StatusBadRequest}, // the SDK's own: it is no MCP request
		{"localhost:" + port, "http://localhost:" + port, token, http.StatusBadRequest},
		{addr, "", "", http.StatusUnauthorized},
		{addr, "", token + "x", http.StatusUnauthorized},
		{"evil.example:" + port, "", token, http.StatusForbidden},
		{"localhost", "", token, http.StatusForbidden},
		{addr, "http://evil.example", token, http.StatusForbidden},
		{addr, "https://" + addr, token, http.StatusForbidden},
		{addr, "null", token, http.StatusForbidden},
		{addr, "http://127.0.0.1:1", token, http.StatusForbidden},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/", strings.NewReader("no JSON"))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("%+v: %d %s", c, res.StatusCode, text)
		}
	}
	open, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := New(Config{}).HTTP(t.Context(), open, token); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("an open address: %v", err)
	}
}
