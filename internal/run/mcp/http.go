package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ShortestToken is how many characters a token has at least.
const ShortestToken = 16

// HTTP answers on a listener until ctx ends. The listener has to be on a loopback
// address; requests without the token, from another site's page, or to another
// host name are refused.
func (s *Server) HTTP(ctx context.Context, l net.Listener, token string) error {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		return errors.New("the address is not on loopback: other machines must not reach an agent's server")
	}
	if len(token) < ShortestToken {
		return fmt.Errorf("the token has fewer than %d characters", ShortestToken)
	}
	defer s.calls.Wait()
	served := s.server(ctx)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return served }, &mcp.StreamableHTTPOptions{SessionTimeout: time.Hour})
	srv := &http.Server{Handler: only(l.Addr(), token, handler), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return errors.Join(srv.Close(), noError(<-ended))
	}
}

// noError leaves out that a server was closed on purpose.
func noError(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// only lets requests through that have the token, and name this server as their
// host and, where a page sends them, as their origin.
func only(addr net.Addr, token string, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(addr.String())
	local := func(host string) bool {
		name, p, err := net.SplitHostPort(host)
		ip := net.ParseIP(name)
		return err == nil && p == port && (name == "localhost" || ip != nil && ip.IsLoopback())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, err := url.Parse(r.Header.Get("Origin"))
		given, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !local(r.Host):
			http.Error(w, "the Host is not this server's", http.StatusForbidden)
		case r.Header.Get("Origin") != "" && (err != nil || origin.Scheme != "http" || !local(origin.Host)):
			http.Error(w, "the Origin is not this server's", http.StatusForbidden)
		case !bearer || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
