package diagnose

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/answer"
	"github.com/pawl-dev/pawl/internal/profile"
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

// An endpoint is a checked URL and how long the profile takes.
type endpoint struct {
	u       *url.URL
	seconds int
}

// parseEndpoint checks a URL and adds how long the profile is to be taken for.
// A URL of the whole of /debug/pprof stands for its CPU profile.
func parseEndpoint(raw string, seconds int) (endpoint, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return endpoint{}, misuse("the URL cannot be read; write it like http://localhost:6060/debug/pprof/profile")
	}
	before, kind, found := strings.Cut(u.Path, "/debug/pprof")
	if !found || kind != "" && kind[0] != '/' {
		return endpoint{}, misuse("%s does not contain /debug/pprof; write it like %s://%s/debug/pprof/profile", u.Redacted(), u.Scheme, u.Host)
	}
	kind = strings.Trim(kind, "/")
	if kind == "" {
		kind = "profile"
		u.Path = before + "/debug/pprof/profile"
	}
	q := u.Query()
	switch {
	case kind == "trace":
		return endpoint{}, misuse("%s is an execution trace: save it (curl -o trace.out) and name the file, or try /debug/pprof/profile", u.Redacted())
	case kind == "cmdline" || kind == "symbol":
		return endpoint{}, misuse("%s is no profile; try /debug/pprof/profile", u.Redacted())
	case q.Get("debug") != "" && q.Get("debug") != "0":
		return endpoint{}, misuse("debug=%s asks for text; leave it out", q.Get("debug"))
	}
	e := endpoint{u: u}
	if text := q.Get("seconds"); text != "" && seconds == 0 {
		if seconds, err = strconv.Atoi(text); err != nil {
			return endpoint{}, misuse("seconds=%s is no number of seconds", text)
		}
	}
	if seconds == 0 && kind == "profile" {
		seconds = usualSeconds
	}
	if seconds < 0 || seconds > longestSeconds {
		return endpoint{}, misuse("%d seconds is not between 1 and %d", seconds, longestSeconds)
	}
	if seconds > 0 {
		q.Set("seconds", strconv.Itoa(seconds))
		u.RawQuery = q.Encode()
		e.seconds = seconds
	}
	return e, nil
}

// fetch takes a profile from a program that serves it.
func fetch(ctx context.Context, raw string, seconds int) (Source, error) {
	e, err := parseEndpoint(raw, seconds)
	if err != nil {
		return Source{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(e.seconds)*time.Second+patience)
	defer cancel()
	data, err := e.get(ctx)
	if err != nil {
		return Source{}, err
	}
	p, err := profile.ReadLimited(bytes.NewReader(data), largest)
	if err != nil {
		head := data[:min(len(data), 64)]
		return Source{}, fmt.Errorf("%s: %w; %s", e.u.Redacted(), err, guess(head, "is this the address of a Go program's net/http/pprof?"))
	}
	return Source{Name: e.u.Redacted(), Profile: p}, nil
}

func (e endpoint) get(ctx context.Context) ([]byte, error) {
	data, err := answer.Get(ctx, e.u, "", mostPacked)
	if err != nil {
		return nil, e.explain(err)
	}
	return data, nil
}

// ask returns the body of the answer, for the caller to bound and to close.
func (e endpoint) ask(ctx context.Context) (io.ReadCloser, error) {
	body, err := answer.Open(ctx, e.u, "")
	if err != nil {
		return nil, e.explain(err)
	}
	return body, nil
}

// explain says what an error of the answer means for a profile.
func (e endpoint) explain(err error) error {
	var refusal *answer.Refusal
	var large *answer.TooLarge
	var other *answer.OtherHost
	var wrong *Misuse
	switch {
	case errors.As(err, &wrong), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refusal):
		return fmt.Errorf("%s: %w; %s", e.u.Redacted(), refusal, e.refused(refusal.Code))
	case errors.As(err, &large):
		return fmt.Errorf("%s: %w, which no profile needs", e.u.Redacted(), large)
	case errors.As(err, &other):
		return fmt.Errorf("%s: %w", e.u.Redacted(), other)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: no profile after %d s; try a smaller -seconds, or curl for a look at what answers", e.u.Redacted(), e.seconds+int(patience.Seconds()))
	}
	return &absent{fmt.Errorf("%s: %w; is the program there, and does it import net/http/pprof?", e.u.Redacted(), err)}
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

func (e endpoint) refused(status int) string {
	switch {
	case status == http.StatusNotFound && path.Base(e.u.Path) == string(profile.KindLeak):
		return "the program's runtime has no such profile: build the program with Go 1.26 or later and GOEXPERIMENT=goroutineleakprofile; without it, two goroutine profiles show which groups grow (-base)"
	case status == http.StatusNotFound:
		return "the program does not serve this profile: does it import net/http/pprof, and is the path right?"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "give user and password in the URL, or save the profile and name the file"
	case status == http.StatusInternalServerError && path.Base(e.u.Path) == "profile":
		return "somebody else may be taking a CPU profile of it: there can be one at a time"
	case status == http.StatusBadRequest && e.seconds > 0:
		return "its server may not write for so long (WriteTimeout): try a smaller -seconds"
	}
	return "save the profile and name the file"
}
