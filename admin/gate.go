package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

const (
	leastToken     = 16
	leastDifferent = 8
)

// weak reports whether a token can be guessed, or is a placeholder that nobody
// filled in: its characters are those of a bearer token in RFC 6750.
func weak(token string) bool {
	different := make(map[rune]bool)
	for _, c := range token {
		different[c] = true
		if (c|0x20 < 'a' || c|0x20 > 'z') && !strings.ContainsRune("0123456789-._~+/=", c) {
			return true
		}
	}
	return len(token) < leastToken || len(different) < leastDifferent
}

// A gate decides which requests come in.
type gate struct {
	loopback bool // a TCP port of this machine
	local    bool // that or a Unix socket: nothing comes through a proxy
	token    [sha256.Size]byte
	asks     bool // for the token
}

func newGate(ln net.Listener, token string) gate {
	g := gate{local: true, asks: token != "", token: sha256.Sum256([]byte(token))}
	if tcp, ok := ln.Addr().(*net.TCPAddr); ok {
		g.loopback = tcp.IP.IsLoopback()
		g.local = g.loopback
	}
	return g
}

// A no is an answer other than 200, with its reason.
type no struct {
	status int
	why    string
}

func (n *no) Error() string { return n.why }

func fail(status int, format string, args ...any) error {
	return &no{status, fmt.Sprintf(format, args...)}
}

// refusal is why a request does not come in, and nil for one that does.
func (g *gate) refusal(r *http.Request) *no {
	switch {
	case r.Header.Get("Origin") != "" || !slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site")):
		return &no{http.StatusForbidden, "a page of another site may not ask"}
	case g.loopback && (!isLoopback(hostOf(r.Host)) || !isLoopback(hostOf(r.RemoteAddr))):
		return &no{http.StatusForbidden, "ask for localhost, on this machine: other host names are refused, which a page could have made point here"}
	case g.local && (proxied(r.Header) || !r.ProtoAtLeast(1, 1)):
		return &no{http.StatusForbidden, "this listener is for this machine: a request that came through a proxy, or in HTTP/1.0 as proxies speak it, is refused"}
	case g.inURL(r.URL):
		return &no{http.StatusBadRequest, "a token in a query gets into logs: send Authorization: Bearer TOKEN"}
	case g.asks && !g.known(r):
		return &no{http.StatusUnauthorized, "send Authorization: Bearer TOKEN, or the token as the password of the URL"}
	}
	return nil
}

// hostOf is a host without its port and brackets.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
}

// isLoopback knows no name but localhost: a name is what DNS rebinding changes.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

func proxied(h http.Header) bool {
	for name := range h {
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Original-Host", "X-Envoy-External-Address":
			return true
		}
		if strings.HasPrefix(name, "X-Forwarded") {
			return true
		}
	}
	return false
}

// inURL reports whether a query has a token, the right one or not.
func (g *gate) inURL(u *url.URL) bool {
	for key, values := range u.Query() {
		if strings.Contains(strings.ToLower(key), "token") || g.asks && slices.ContainsFunc(values, g.is) {
			return true
		}
	}
	return false
}

func (g *gate) known(r *http.Request) bool {
	sent := r.Header.Values("Authorization")
	if len(sent) != 1 {
		return false
	}
	if _, password, ok := r.BasicAuth(); ok {
		return g.is(password)
	}
	scheme, token, _ := strings.Cut(sent[0], " ")
	return strings.EqualFold(scheme, "Bearer") && g.is(token)
}

// is compares in a time that tells nothing about the token.
func (g *gate) is(token string) bool {
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
