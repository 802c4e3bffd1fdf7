package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// A Service is a program whose profiles are taken again and again, and its page of
// metrics beside them.
type Service struct {
	u    *url.URL // of /debug/pprof
	page *url.URL // of metrics
	by   fetch.Client

	Patience time.Duration // how long an answer may take, on top of the time of a profile; 0 is 30 s
	Most     int64         // the bytes of an answer
}

// mostTaken is how many bytes an answer to a Service may have unless told.
const mostTaken = 32 << 20

// NewService checks what a user names: the URL of a program's /debug/pprof, or
// unix:/PATH of its socket, and after a comma the URL of its metrics where these are
// not beside. The error is a *fetch.Misuse.
func NewService(name, token string) (*Service, error) {
	raw, page, _ := strings.Cut(name, ",")
	s := &Service{by: fetch.Client{Token: token}, Most: mostTaken}
	if socket, ok := strings.CutPrefix(raw, "unix:"); ok {
		if !filepath.IsAbs(socket) {
			return nil, fetch.Misused("%s: write a socket as unix:/PATH", raw)
		}
		s.by.Socket, raw = socket, "http://localhost/debug/pprof"
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fetch.Misused("the URL cannot be read; write it like http://localhost:6060/debug/pprof")
	}
	before, _, _ := strings.Cut(u.Path, "/debug/pprof")
	u.Path, u.RawPath, u.RawQuery, u.Fragment = strings.TrimSuffix(before, "/")+"/debug/pprof", "", "", ""
	s.u = u
	if s.page, err = s.pageURL(page); err != nil {
		return nil, err
	}
	return s, nil
}

// pageURL is where the metrics are: at the URL that was named, or beside the profiles.
func (s *Service) pageURL(named string) (*url.URL, error) {
	if named == "" {
		u := *s.u
		u.Path = strings.TrimSuffix(u.Path, "/debug/pprof") + "/metrics"
		return &u, nil
	}
	u, err := url.Parse(named)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fetch.Misused("the URL of the metrics cannot be read; write it like http://localhost:9090/metrics")
	}
	return u, nil
}

// String is where the service is, without a password.
func (s *Service) String() string {
	if s.by.Socket != "" {
		return "unix:" + s.by.Socket
	}
	return scrub.URL(s.u)
}

// Take takes a profile of a kind, which is the last part of its URL, over seconds
// where it is one of CPU time. It returns it as it came, and read.
func (s *Service) Take(ctx context.Context, kind string, seconds int) ([]byte, profile.Source, error) {
	u := *s.u
	u.Path += "/" + kind
	e, err := parseEndpoint(u.String(), seconds)
	if err != nil {
		return nil, profile.Source{}, err
	}
	e.by, e.patience, e.most, e.tokens = s.by, s.Patience, s.Most, true
	return e.take(ctx)
}

// Metrics returns the page of metrics.
func (s *Service) Metrics(ctx context.Context) ([]byte, error) {
	limit := cmp.Or(s.Patience, patience)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	by := s.by
	if s.page.Host != s.u.Host {
		by = fetch.Client{} // neither the socket nor the token is meant for it
	}
	data, err := by.Get(ctx, s.page, "text/plain;version=0.0.4,*/*;q=0.1", s.Most)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: no answer, or no end of it, after %v", scrub.URL(s.page), limit)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", scrub.URL(s.page), err)
	}
	return data, nil
}

// Unserved reports whether an error of Take says that the program answers, and has no
// profile of that kind.
func Unserved(err error) bool {
	var r *fetch.Refusal
	return errors.As(err, &r) && r.Code == 404
}
