package target

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/read/profile/memstats"
)

const (
	// usualSeconds is how long a CPU profile is taken for, and longestSeconds how
	// long at most.
	usualSeconds   = 10
	longestSeconds = 600
	// patience is how long a program may take to answer, on top of the time that
	// the profile takes.
	patience = 30 * time.Second
	// mostPacked is how many bytes are read from a program.
	mostPacked = 256 << 20
)

// An endpoint is a checked URL, how long the profile takes, and how it is asked for.
type endpoint struct {
	u        *url.URL
	seconds  int
	by       fetch.Client
	patience time.Duration // 0 is what is usual
	most     int64         // bytes; 0 is mostPacked
	tokens   bool          // the caller can be given a token
}

// limit is how long an answer may take.
func (e endpoint) limit() time.Duration {
	return time.Duration(e.seconds)*time.Second + cmp.Or(e.patience, patience)
}

// parseEndpoint checks a URL and adds how long the profile is to be taken for.
// A URL of the whole of /debug/pprof stands for its CPU profile.
func parseEndpoint(raw string, seconds int) (endpoint, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return endpoint{}, fetch.Misused("the URL cannot be read; write it like http://localhost:6060/debug/pprof/profile")
	}
	before, kind, found := strings.Cut(u.Path, "/debug/pprof")
	if !found || kind != "" && kind[0] != '/' {
		return endpoint{}, fetch.Misused("%s does not contain /debug/pprof; write it like %s://%s/debug/pprof/profile", scrub.URL(u), u.Scheme, u.Host)
	}
	kind = strings.Trim(kind, "/")
	if kind == "" {
		kind = "profile"
		u.Path = before + "/debug/pprof/profile"
	}
	q := u.Query()
	switch {
	case kind == "cmdline" || kind == "symbol":
		return endpoint{}, fetch.Misused("%s is no profile; try /debug/pprof/profile", scrub.URL(u))
	case q.Get("debug") != "" && q.Get("debug") != "0":
		return endpoint{}, fetch.Misused("debug=%s asks for text; leave it out", q.Get("debug"))
	}
	e := endpoint{u: u}
	if seconds, err = kindSeconds(kind, q.Get("seconds"), seconds); err != nil {
		return endpoint{}, err
	}
	if seconds < 0 || seconds > longestSeconds {
		return endpoint{}, fetch.Misused("%d seconds is not between 1 and %d", seconds, longestSeconds)
	}
	if seconds > 0 {
		q.Set("seconds", strconv.Itoa(seconds))
		u.RawQuery = q.Encode()
		e.seconds = seconds
	}
	return e, nil
}

// kindSeconds is how long a profile of a kind is taken for: the seconds that
// are asked for, else those of the URL, else what is usual. Of a trace, which is
// large, the URL's count first. Of goroutines there
// is no profile of a time: a difference in their numbers shows no stacks.
func kindSeconds(kind, inURL string, asked int) (int, error) {
	if kind == "goroutine" || kind == string(profile.KindLeak) || kind == "threadcreate" {
		if inURL != "" {
			return 0, fetch.Misused("of a %s profile, seconds=%s asks for the difference, which may be below zero: leave it out; -points 2 shows what grows", kind, inURL)
		}
		return 0, nil
	}
	if inURL != "" && (asked == 0 || kind == traceKind) {
		n, err := strconv.Atoi(inURL)
		if err != nil {
			return 0, fetch.Misused("seconds=%s is no whole number of seconds", inURL)
		}
		return n, nil
	}
	switch {
	case asked != 0:
		return asked, nil
	case kind == "profile":
		return usualSeconds, nil
	case kind == traceKind:
		return usualTrace, nil
	}
	return 0, nil
}

// take takes a profile from a program that serves it.
func take(ctx context.Context, raw string, seconds int) (profile.Source, error) {
	e, err := parseEndpoint(raw, seconds)
	if err != nil {
		return profile.Source{}, err
	}
	if e.isTrace() {
		return profile.Source{}, fetch.Misused("%s is an execution trace, and here only profiles are read", scrub.URL(e.u))
	}
	_, s, err := e.take(ctx)
	return s, err
}

// take takes a profile, and returns it as it came besides.
func (e endpoint) take(ctx context.Context) ([]byte, profile.Source, error) {
	ctx, cancel := context.WithTimeout(ctx, e.limit())
	defer cancel()
	data, err := e.get(ctx)
	if err != nil {
		return nil, profile.Source{}, err
	}
	p, err := profile.ReadLimited(bytes.NewReader(data), cmp.Or(e.most*unpacked, profile.Largest))
	if err != nil {
		head := data[:min(len(data), 64)]
		return nil, profile.Source{}, fmt.Errorf("%s: %w; %s", scrub.URL(e.u), err, guess(head, err, "is this the address of a Go program's net/http/pprof?"))
	}
	return data, profile.Source{Name: scrub.URL(e.u), Profile: p, Served: true}, nil
}

// unpacked is how many times as large as it came a bounded profile may be.
const unpacked = 8

func (e endpoint) get(ctx context.Context) ([]byte, error) {
	data, err := e.by.Get(ctx, e.u, "", cmp.Or(e.most, mostPacked))
	if err != nil {
		return nil, e.explain(err)
	}
	return data, nil
}

// ask returns the body of the answer, for the caller to bound and to close.
func (e endpoint) ask(ctx context.Context) (io.ReadCloser, error) {
	body, err := e.by.Open(ctx, e.u, "")
	if err != nil {
		return nil, e.explain(err)
	}
	return body, nil
}

// explain says what an error of the answer means for a profile.
func (e endpoint) explain(err error) error {
	var refusal *fetch.Refusal
	var large *fetch.TooLarge
	var other *fetch.OtherHost
	var wrong *fetch.Misuse
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &wrong), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &untrusted):
		return fmt.Errorf("%s: %w; where its authority is your own, SSL_CERT_FILE names a file of the certificates to trust", scrub.URL(e.u), err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("%s: %w; write http:// for it", scrub.URL(e.u), err)
	case errors.As(err, &refusal):
		return fmt.Errorf("%s: %w; %s", scrub.URL(e.u), refusal, e.refused(refusal))
	case errors.As(err, &large):
		return fmt.Errorf("%s: %w; try a smaller -seconds", scrub.URL(e.u), large)
	case errors.As(err, &other):
		return fmt.Errorf("%s: %w", scrub.URL(e.u), other)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: %w; the answer broke off: did the program end, or a proxy's time? try a smaller -seconds", scrub.URL(e.u), err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: no profile after %g s; try a smaller -seconds, or curl for a look at what answers", scrub.URL(e.u), e.limit().Seconds())
	}
	return &absent{fmt.Errorf("%s: %w; is the program there, and does it import net/http/pprof?", scrub.URL(e.u), err)}
}

// An absent is a program that cannot be reached.
type absent struct{ error }

func (a *absent) Unwrap() error { return a.error }

// Absent reports whether an error of Read says that the program could not be
// reached: it may be there later.
func Absent(err error) bool {
	var a *absent
	return errors.As(err, &a)
}

func (e endpoint) refused(r *fetch.Refusal) string {
	status, taken := r.Code, strings.Contains(r.Text, "Could not enable") // as net/http/pprof says it
	switch {
	case status == http.StatusNotFound && path.Base(e.u.Path) == string(profile.KindLeak):
		return "the program's runtime has no such profile: build the program with Go 1.27 or later, or with Go 1.26 and GOEXPERIMENT=goroutineleakprofile; without it, two goroutine profiles show which groups grow (-base)"
	case status == http.StatusNotFound:
		return "the program does not serve this profile: does it import net/http/pprof, and is the path right?"
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && e.by.Token != "":
		return "the token that was sent is not the one that it wants"
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && e.tokens:
		return "give a token by -token-env or -token-file, or user and password in the URL"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "give user and password in the URL, or save the profile and name the file"
	case status == http.StatusConflict:
		return "try again when that is over"
	case status == http.StatusInternalServerError && taken && path.Base(e.u.Path) == "profile":
		return "somebody else may be taking a CPU profile of it: there can be one at a time"
	case status == http.StatusInternalServerError && taken && e.isTrace():
		return "somebody else may be taking a trace of it: there can be one at a time, and flight recorders besides"
	case status >= http.StatusInternalServerError:
		return "curl it for a look at what answers"
	case status == http.StatusBadRequest && strings.Contains(r.Text, "HTTP request to an HTTPS server"): // as net/http says it
		return "write https:// for it"
	case status == http.StatusBadRequest && e.seconds > 0:
		return "its server may not write for so long (WriteTimeout): try a smaller -seconds"
	}
	return "save the profile and name the file"
}

// MemStats asks a program for the statistics of its memory, beside the heap
// profile of a URL. It returns the URL that was asked, without its password, and
// nil where the target is not that of a heap profile.
func MemStats(ctx context.Context, target string) (string, *memstats.Stats, error) {
	if !IsURL(target) {
		return "", nil, nil
	}
	e, err := parseEndpoint(target, 0)
	if err != nil || path.Base(e.u.Path) != "heap" && path.Base(e.u.Path) != "allocs" {
		return "", nil, err
	}
	q := e.u.Query()
	q.Del("seconds")
	q.Del("gc") // once is enough
	q.Set("debug", "1")
	e.u.RawQuery, e.seconds = q.Encode(), 0
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := e.ask(ctx)
	if err != nil {
		return "", nil, err
	}
	defer body.Close()
	m, err := memstats.Read(io.LimitReader(body, mostPacked))
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", scrub.URL(e.u), err)
	}
	return scrub.URL(e.u), m, nil
}
