package admin

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A lookup is that of a net.Resolver.
type lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)

// listen opens addr if it may be opened. What is opened is the address that was
// looked at: a name is resolved once.
func (o *Options) listen(ctx context.Context, addr string, ask lookup) (net.Listener, error) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return listenUnix(ctx, path)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("admin: %w; an address is like localhost:6060 or unix:/run/service/admin.sock", err)
	}
	ip, err := o.resolve(ctx, host, ask)
	if err != nil {
		return nil, err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(ip.String(), port))
	if err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	return ln, nil
}

// resolve returns the address that a host stands for, where all that it stands for
// may be opened.
func (o *Options) resolve(ctx context.Context, host string, ask lookup) (netip.Addr, error) {
	if host == "" {
		return netip.IPv6Unspecified(), o.allow("a port without a host", netip.IPv6Unspecified())
	}
	ip, err := netip.ParseAddr(host)
	if err == nil {
		ip = ip.Unmap()
		return ip, o.allow(host, ip)
	}
	ips, err := ask(ctx, "ip", host)
	if err == nil && len(ips) == 0 {
		err = fmt.Errorf("%s has no address", host)
	}
	if err != nil {
		return netip.Addr{}, fmt.Errorf("admin: %w", err)
	}
	for i := range ips {
		ips[i] = ips[i].Unmap()
		if err := o.allow(host, ips[i]); err != nil {
			return netip.Addr{}, err
		}
		if ips[i].Is4() && !ip.Is4() {
			ip = ips[i] // as the net package does, so that 127.0.0.1 is where localhost listens
		}
	}
	if !ip.IsValid() {
		ip = ips[0]
	}
	return ip, nil
}

// allow refuses an address that other machines can reach, without TLS and a token.
func (o *Options) allow(host string, ip netip.Addr) error {
	switch {
	case ip.IsLoopback() || o.TLS != nil && o.Token != "":
		return nil
	case ip.IsUnspecified():
		return refuse("%s is every address of this machine, and others can reach it: listen at localhost, or set Options.TLS and Options.Token", host)
	case host != ip.String():
		return refuse("%s is %s, which other machines can reach: listen at localhost, or set Options.TLS and Options.Token", host, ip)
	}
	return refuse("%s can be reached by other machines: listen at localhost, or set Options.TLS and Options.Token", host)
}

// admit refuses a listener that others can reach. It takes the net package's own
// types, since any other may say of itself what it likes.
func (o *Options) admit(ln net.Listener) error {
	switch ln := ln.(type) {
	case *net.TCPListener:
		ip := ln.Addr().(*net.TCPAddr).AddrPort().Addr().Unmap()
		return o.allow(ip.String(), ip)
	case *net.UnixListener:
		return ownSocket(ln.Addr().(*net.UnixAddr).Name)
	}
	return refuse("a %T does not tell who can reach it: pass a *net.TCPListener or a *net.UnixListener", ln)
}

// listenUnix opens a socket that is its owner's alone from its first moment on.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("admin: unix:%s: the path of a socket must be absolute", path)
	}
	if err := ownDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	removeStale(path)
	config := net.ListenConfig{Control: ownerOnly}
	ln, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	if err = os.Chmod(path, 0o600); err == nil {
		err = ownSocket(path)
	}
	if err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// removeStale removes a socket at which nobody listens. Anything else stays, and
// listening fails.
func removeStale(path string) {
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != os.ModeSocket {
		return
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
	} else if refusedByNobody(err) {
		os.Remove(path)
	}
}

// ownSocket refuses a socket that other users can open.
func ownSocket(path string) error {
	if path == "" || path[0] == '@' {
		return refuse("a socket without a path has no mode, and every user can open it")
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return fmt.Errorf("admin: %w", err)
	case !owned(info):
		return refuse("%s belongs to another user", path)
	case info.Mode().Perm()&0o077 != 0:
		return refuse("%s has mode %#o, and other users can open it: make it 0600", path, info.Mode().Perm())
	}
	return ownDirectory(filepath.Dir(path))
}

// ownDirectory refuses a directory in which others can put a socket of theirs in the
// place of ours. Of those above it, one like /tmp will do, where only the owner of a
// file can rename it.
func ownDirectory(dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	for first := true; ; first = false {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return fmt.Errorf("admin: %w", err)
		case !owned(info):
			return refuse("the directory %s belongs to another user, who can replace a socket below it", dir)
		case info.Mode().Perm()&0o022 != 0 && (first || info.Mode()&os.ModeSticky == 0):
			return refuse("other users may write in the directory %s (mode %#o): take one that is the service's own", dir, info.Mode().Perm())
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}
