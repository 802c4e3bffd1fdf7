package admin

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ErrRefused is what an error of [Listen] or [Serve] wraps where the listener would
// be open to others than its owner. Other errors are of the system or of the options.
var ErrRefused = errors.New("refused")

func refuse(format string, args ...any) error {
	return fmt.Errorf("admin: %w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// Options may be left empty for loopback addresses and Unix sockets.
type Options struct {
	// Token is asked of each request, as Authorization: Bearer TOKEN or as the password
	// of a URL, as in https://any:TOKEN@host:6060/debug/pprof/heap. It has at least 16
	// characters, 8 of them different, out of letters, digits and -._~+/=.
	Token string
	// TLS has at least a certificate. It needs a Token, and both together are needed
	// for an address that is not loopback. TLS before 1.2 is not spoken.
	TLS *tls.Config
	// MaxDuration bounds seconds=N; 0 is a minute, and ten minutes are the most.
	MaxDuration time.Duration
	// MaxBytes bounds an answer, which is held in memory; 0 is 64 MiB. Up to four such
	// answers are held at a time.
	MaxBytes int
	// Flight is how many seconds the flight recorder keeps at least, at most a minute; 0
	// leaves it off. It costs a program about as much as an execution trace does, and
	// about a quarter of MaxBytes, which may cut the time short.
	Flight time.Duration
	// AllowDefaultServeMux permits profiles on http.DefaultServeMux, where an import of
	// net/http/pprof puts them. Set it where the program serves that mux to nobody.
	AllowDefaultServeMux bool
}

// limits are those that a program has no say in.
type limits struct {
	header, idle time.Duration // to send a request's header; between two requests
	write        time.Duration // to read an answer, besides its bytes
	conns        int           // connections at once
	requests     int           // requests at once
}

func usualLimits() limits {
	return limits{header: 5 * time.Second, idle: time.Minute, write: 10 * time.Second, conns: 32, requests: 8}
}

// A Server serves until its context ends or it is closed.
type Server struct {
	o      Options
	lim    limits
	gate   gate
	ln     net.Listener
	http   http.Server
	cancel context.CancelFunc
	unhook func() bool // of the context's end

	flight  *trace.FlightRecorder // nil without
	serving chan struct{}         // closed when no more connections are accepted
	conns   sync.WaitGroup
	open    atomic.Int64 // connections
	busy    chan struct{}
	slots   slots

	closing sync.Once
	err     error // of serving
}

// Listen opens addr, "HOST:PORT" or "unix:/PATH", and serves there until ctx ends or
// the Server is closed. A host name must stand for loopback addresses alone. A Unix
// socket gets mode 0600 in a directory in which nobody else may write; a socket that
// a killed process left is replaced. The error wraps [ErrRefused] where others could
// reach it.
func Listen(ctx context.Context, addr string, o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	ln, err := o.listen(ctx, addr, net.DefaultResolver.LookupNetIP)
	if err != nil {
		return nil, err
	}
	return start(ctx, ln, o, usualLimits())
}

// Serve is [Listen] on a listener that is open already, such as one that systemd
// passed on. It must be a *net.TCPListener or a *net.UnixListener, to which the same
// rules apply. Serve owns it from now on, and closes it on an error as well.
func Serve(ctx context.Context, ln net.Listener, o Options) (*Server, error) {
	err := o.check()
	if err == nil {
		err = o.admit(ln)
	}
	if err != nil {
		ln.Close()
		return nil, err
	}
	return start(ctx, ln, o, usualLimits())
}

// check refuses options that open the listener, and fills in what was left out.
func (o *Options) check() error {
	switch {
	case o.Token != "" && weak(o.Token):
		return refuse("the token is weak: it needs at least %d characters, %d of them different, out of letters, digits and -._~+/=", leastToken, leastDifferent)
	case o.TLS != nil && o.Token == "":
		return refuse("TLS without a token lets everybody in: set Options.Token")
	case o.TLS != nil && len(o.TLS.Certificates) == 0 && o.TLS.GetCertificate == nil && o.TLS.GetConfigForClient == nil:
		return errors.New("admin: Options.TLS has no certificate")
	case o.MaxDuration < 0 || o.MaxDuration > 10*time.Minute:
		return fmt.Errorf("admin: Options.MaxDuration is %v, not between 0 and 10m", o.MaxDuration)
	case o.MaxBytes < 0:
		return fmt.Errorf("admin: Options.MaxBytes is %d", o.MaxBytes)
	case o.Flight < 0 || o.Flight > time.Minute:
		return fmt.Errorf("admin: Options.Flight is %v, not between 0 and 1m", o.Flight)
	case !o.AllowDefaultServeMux && servesProfiles(http.DefaultServeMux):
		return refuse("http.DefaultServeMux has /debug/pprof, by an import of net/http/pprof somewhere in the program: " +
			"take that out, or set Options.AllowDefaultServeMux where nobody serves that mux")
	}
	o.MaxDuration = cmp.Or(o.MaxDuration, time.Minute)
	o.MaxBytes = cmp.Or(o.MaxBytes, 64<<20)
	return nil
}

// servesProfiles reports whether a mux has a handler of its own for profiles.
func servesProfiles(mux *http.ServeMux) bool {
	r, err := http.NewRequest(http.MethodGet, "http://localhost/debug/pprof/", nil)
	if err != nil {
		return true
	}
	_, pattern := mux.Handler(r)
	return strings.Contains(pattern, "/debug/pprof")
}

// start serves on a listener that was admitted, and owns it.
func start(ctx context.Context, ln net.Listener, o Options, lim limits) (*Server, error) {
	s := &Server{o: o, lim: lim, ln: ln, gate: newGate(ln, o.Token), serving: make(chan struct{}), busy: make(chan struct{}, lim.requests), slots: newSlots()}
	if o.Flight > 0 {
		s.flight = trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: o.Flight, MaxBytes: uint64(o.MaxBytes) / 4})
		if err := s.flight.Start(); err != nil {
			ln.Close()
			return nil, fmt.Errorf("admin: the flight recorder does not start: %w", err)
		}
	}
	base, cancel := context.WithCancel(ctx)
	s.cancel = cancel
	s.http = http.Server{
		Handler:                      s.handler(),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            lim.header,
		WriteTimeout:                 lim.write,
		IdleTimeout:                  lim.idle,
		MaxHeaderBytes:               16 << 10,
		ConnState:                    s.count,
		BaseContext:                  func(net.Listener) context.Context { return base },
		Protocols:                    new(http.Protocols),
	}
	s.http.Protocols.SetHTTP1(true) // one request at a time on a connection: less to bound
	if o.TLS != nil {
		s.http.TLSConfig = o.TLS.Clone()
		s.http.TLSConfig.MinVersion = max(o.TLS.MinVersion, tls.VersionTLS12)
	}
	go s.serve()
	s.unhook = context.AfterFunc(ctx, s.shut)
	return s, nil
}

func (s *Server) serve() {
	defer close(s.serving)
	if s.http.TLSConfig != nil {
		s.err = s.http.ServeTLS(s.ln, "", "")
	} else {
		s.err = s.http.Serve(s.ln)
	}
	if errors.Is(s.err, http.ErrServerClosed) {
		s.err = nil
	}
}

// count bounds the connections at once, and knows when the last one has ended.
func (s *Server) count(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
		if s.open.Add(1) > int64(s.lim.conns) {
			c.Close()
		}
	case http.StateClosed:
		s.open.Add(-1)
		s.conns.Done()
	}
}

// Addr is where the Server listens, with the port that was found for port 0.
func (s *Server) Addr() net.Addr { return s.ln.Addr() }

// grace is how long a request may take to end once the Server is being closed.
const grace = time.Second

// Close ends all requests, profiles and connections, and waits for them. The error is
// why the Server had stopped before, if it had. Further calls return the same.
func (s *Server) Close() error {
	s.unhook()
	s.shut()
	return s.err
}

func (s *Server) shut() {
	s.closing.Do(func() {
		s.cancel()
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			s.http.Close()
		}
		<-s.serving
		s.conns.Wait()
		if s.flight != nil {
			s.flight.Stop()
		}
	})
}
