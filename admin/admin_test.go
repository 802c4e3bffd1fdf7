package admin

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const token = "0123456789-abcdef~XYZ"

// open starts a Server for a test, and closes it at the end.
func open(t testing.TB, addr string, o Options) *Server {
	t.Helper()
	s, err := Listen(t.Context(), addr, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// limited is open with limits of the test's own.
func limited(t *testing.T, o Options, change func(*limits)) *Server {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	lim := usualLimits()
	change(&lim)
	s, err := start(t.Context(), ln, o, lim)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// get asks for a path and returns the status and the body.
func get(t testing.TB, s *Server, path string) (int, string) {
	t.Helper()
	resp, err := http.Get("http://" + s.Addr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func certificate(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}, &x509.Certificate{}, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// Addresses that other machines or users can reach are refused before they are open.
func TestRefusedAddresses(t *testing.T) {
	cert := certificate(t)
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{"tmp": 0o777 | os.ModeSticky, "shared": 0o700} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, path), 0o700), os.Chmod(filepath.Join(dir, path), mode)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "shared/own"), 0o700), os.Chmod(filepath.Join(dir, "shared"), 0o770)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, addr string
		o          Options
	}{
		{"every address", "0.0.0.0:0", Options{}},
		{"no host", ":6060", Options{}},
		{"no host, port 0", ":0", Options{}},
		{"every address of IPv6", "[::]:0", Options{}},
		{"every address, IPv4 in IPv6", "[::ffff:0.0.0.0]:0", Options{}},
		{"LAN", "192.168.1.7:0", Options{}},
		{"LAN, IPv4 in IPv6", "[::ffff:10.0.0.7]:0", Options{}},
		{"link local", "[fe80::1]:0", Options{}},
		{"token without TLS", "0.0.0.0:0", Options{Token: token}},
		{"TLS without token", "0.0.0.0:0", Options{TLS: cert}},
		{"TLS without token, loopback", "localhost:0", Options{TLS: cert}},
		{"empty token", "0.0.0.0:0", Options{TLS: cert, Token: ""}},
		{"short token", "0.0.0.0:0", Options{TLS: cert, Token: "0123456789"}},
		{"short token, loopback", "localhost:0", Options{Token: "secret"}},
		{"token of one letter", "0.0.0.0:0", Options{TLS: cert, Token: strings.Repeat("x", 40)}},
		{"token of blanks", "0.0.0.0:0", Options{TLS: cert, Token: strings.Repeat(" ", 40)}},
		{"token that nobody filled in", "0.0.0.0:0", Options{TLS: cert, Token: "${ADMIN_LISTENER_TOKEN}"}},
		{"socket in a directory like /tmp", "unix:" + filepath.Join(dir, "tmp", "admin.sock"), Options{}},
		{"socket in a group's directory", "unix:" + filepath.Join(dir, "shared", "admin.sock"), Options{}},
		{"socket below a group's directory", "unix:" + filepath.Join(dir, "shared", "own", "admin.sock"), Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Listen(t.Context(), tt.addr, tt.o)
			if err == nil {
				s.Close()
				t.Fatalf("%s is open", s.Addr())
			}
			if !errors.Is(err, ErrRefused) {
				t.Errorf("not refused: %v", err)
			}
		})
	}
}

// A name is refused where one of its addresses is not loopback, and what was looked
// at is what is opened.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ ips, want string }{
		{"127.0.0.1", "127.0.0.1"},
		{"::1 127.0.0.1", "127.0.0.1"},
		{"::1", "::1"},
		{"::ffff:127.0.0.1", "127.0.0.1"},
		{"127.0.0.1 10.1.2.3", ""},
		{"10.1.2.3 127.0.0.1", ""},
		{"127.0.0.1 fe80::1", ""},
		{"0.0.0.0", ""},
		{"::ffff:192.168.0.1", ""},
	} {
		asked := 0
		ask := func(context.Context, string, string) (ips []netip.Addr, err error) {
			asked++
			for _, s := range strings.Fields(tt.ips) {
				ips = append(ips, netip.MustParseAddr(s))
			}
			return ips, nil
		}
		ip, err := new(Options).resolve(t.Context(), "debug.example", ask)
		if tt.want == "" && !errors.Is(err, ErrRefused) || tt.want != "" && (err != nil || ip.String() != tt.want) || asked != 1 {
			t.Errorf("%s: %s, %v, asked %d times", tt.ips, ip, err, asked)
		}
	}
}

type wrapped struct{ net.Listener }

// Listeners of others are held to the same rules, and closed where they break them.
func TestRefusedListeners(t *testing.T) {
	tcp := func(addr string) net.Listener {
		ln, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		return ln
	}
	public, err := tcp("0.0.0.0:0").(*net.TCPListener).File() // as systemd passes one on
	if err != nil {
		t.Fatal(err)
	}
	defer public.Close()
	activated, err := net.FileListener(public)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	socket, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, ln := range map[string]net.Listener{
		"socket activation of a public address": activated,
		"a type that may say what it likes":     wrapped{tcp("127.0.0.1:0")},
		"a socket that everybody may open":      socket,
	} {
		if s, err := Serve(t.Context(), ln, Options{}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		if conn, err := ln.Accept(); err == nil {
			conn.Close()
			t.Errorf("%s: the listener is still open", name)
		}
	}
	s, err := Serve(t.Context(), tcp("127.0.0.1:0"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := get(t, s, "/metrics"); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Handlers of net/http/pprof on the default mux are noticed, under its pattern or an
// older one, and others are no reason.
func TestDefaultServeMux(t *testing.T) {
	before := http.DefaultServeMux
	t.Cleanup(func() { http.DefaultServeMux = before })
	if servesProfiles(before) {
		t.Fatal("this package imports net/http/pprof")
	}
	for pattern, want := range map[string]bool{"GET /debug/pprof/": true, "/debug/pprof/": true, "/": false, "/debug/": false} {
		http.DefaultServeMux = http.NewServeMux()
		http.Handle(pattern, http.NotFoundHandler())
		s, err := Listen(t.Context(), "localhost:0", Options{})
		if errors.Is(err, ErrRefused) != want || err == nil == want {
			t.Errorf("%s: %v", pattern, err)
		}
		if err == nil {
			s.Close()
		}
		open(t, "localhost:0", Options{AllowDefaultServeMux: true})
	}
}

// A socket is its owner's alone; one that a killed process left is replaced, and
// anything else in its place stays.
func TestUnixSocket(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	path := filepath.Join(dir, "admin.sock")
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	s := open(t, "unix:"+path, Options{})
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	resp, err := client.Get("http://admin/debug/buildinfo")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", resp, err)
	}
	resp.Body.Close()
	if second, err := Listen(t.Context(), "unix:"+path, Options{}); err == nil {
		second.Close()
		t.Error("a socket that is served was taken over")
	}
	s.Close()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if second, err := Listen(t.Context(), "unix:"+path, Options{}); err == nil {
		second.Close()
		t.Error("a file was taken for a socket")
	}
	if data, _ := os.ReadFile(path); string(data) != "mine" {
		t.Errorf("the file has %q", data)
	}
	for _, addr := range []string{"unix:admin.sock", "unix:@admin", "unix:"} {
		if s, err := Listen(t.Context(), addr, Options{}); err == nil {
			s.Close()
			t.Errorf("%s is open", addr)
		}
	}
}

// With TLS and a token, others may come in, and only with the token.
func TestPublic(t *testing.T) {
	s := open(t, "0.0.0.0:0", Options{TLS: certificate(t), Token: token})
	_, port, _ := net.SplitHostPort(s.Addr().String())
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	ask := func(url string, header ...string) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, strings.ReplaceAll(url, "HOST", "127.0.0.1:"+port), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Add(header[i], header[i+1])
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	for _, tt := range []struct {
		name, url string
		header    []string
		want      int
	}{
		{"bearer", "https://HOST/metrics", []string{"Authorization", "Bearer " + token}, 200},
		{"password of the URL", "https://any:" + token + "@HOST/metrics", nil, 200},
		{"a proxy that has the token", "https://HOST/metrics", []string{"Authorization", "Bearer " + token, "X-Forwarded-For", "10.0.0.1"}, 200},
		{"nothing", "https://HOST/metrics", nil, 401},
		{"a page that is not there", "https://HOST/nothing", nil, 401},
		{"another token", "https://HOST/metrics", []string{"Authorization", "Bearer " + token + "x"}, 401},
		{"another scheme", "https://HOST/metrics", []string{"Authorization", "Digest " + token}, 401},
		{"two of them", "https://HOST/metrics", []string{"Authorization", "Bearer x", "Authorization", "Bearer " + token}, 401},
		{"in the query", "https://HOST/metrics?token=" + token, nil, 400},
		{"in the query by another name", "https://HOST/metrics?key=" + token, []string{"Authorization", "Bearer " + token}, 400},
		{"a page of another site", "https://HOST/metrics", []string{"Authorization", "Bearer " + token, "Origin", "https://example.com"}, 403},
		{"without TLS", "http://HOST/metrics", []string{"Authorization", "Bearer " + token}, 400},
	} {
		if got := ask(tt.url, tt.header...); got != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.want)
		}
	}
	old := &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	if conn, err := tls.Dial("tcp", "127.0.0.1:"+port, old); err == nil {
		conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"no certificate":    {TLS: new(tls.Config), Token: token},
		"negative duration": {MaxDuration: -1},
		"long duration":     {MaxDuration: time.Hour},
		"negative bytes":    {MaxBytes: -1},
		"long flight":       {Flight: time.Hour},
	} {
		if s, err := Listen(t.Context(), "localhost:0", o); err == nil || errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for _, addr := range []string{"localhost", "localhost:nothing", "localhost:-1", "::1:6060"} {
		if s, err := Listen(t.Context(), addr, Options{}); err == nil {
			s.Close()
			t.Errorf("%s is open", addr)
		}
	}
}

// Without a request there is one goroutine, and none after the end of the context.
func TestEnd(t *testing.T) {
	mine := func() int {
		buf := make([]byte, 1<<20)
		return bytes.Count(buf[:runtime.Stack(buf, true)], []byte("created by github.com/pawl-dev/pawl/admin."))
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Listen(ctx, "localhost:0", Options{Flight: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if n := mine(); n != 1 {
		t.Errorf("%d goroutines", n)
	}
	answered := make(chan error, 1)
	go func() {
		resp, err := http.Get("http://" + s.Addr().String() + "/debug/pprof/profile?seconds=60")
		if err == nil {
			resp.Body.Close()
		}
		answered <- err
	}()
	for len(s.slots.cpu) > 0 { // until the profile is being taken
		runtime.Gosched()
	}
	silent, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	cancel()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-answered
	if n := mine(); n != 0 || s.open.Load() != 0 || len(s.busy) != 0 || len(s.slots.cpu) != 1 || s.flight.Enabled() {
		t.Errorf("after Close: %d goroutines, %d connections, %d requests", n, s.open.Load(), len(s.busy))
	}
	if _, err := net.Dial("tcp", s.Addr().String()); err == nil {
		t.Error("the port is still open")
	}
}
