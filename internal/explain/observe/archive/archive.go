// Package archive asks servers that keep profiles of services, Grafana Pyroscope and
// Parca, for the sum of those of a stretch of time, and sends profiles to the former.
//
// Pyroscope is asked by the Connect protocol: SelectMergeProfile of its querier.v1 takes a
// protobuf message, and answers one that is a profile as pprof writes it. Parca is asked by
// gRPC-Web, as its own pages do: its Query of parca.query.v1alpha1 answers a message that
// has a profile in it. Both are as their published .proto files have them. A few fields are
// not worth a library, so that they are written here.
package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// A System is which server it is.
type System string

const (
	Pyroscope System = "pyroscope"
	Parca     System = "parca"
)

const (
	// mostAnswered is how many bytes an answer may have.
	mostAnswered = 64 << 20
	// patience is how long it may take.
	patience = 60 * time.Second
)

// CPU is the type of profile that is asked for unless the user says, as the systems name
// those of Go: name, type and unit of the samples, and of the period. Parca marks profiles
// of a stretch of time.
var usualType = map[System]string{
	Pyroscope: "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
	Parca:     "process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta",
}

// serviceLabel is what a system calls the name of a service.
var serviceLabel = map[System]string{Pyroscope: "service_name", Parca: "job"}

// A Query is a server, and which profiles of it are meant.
type Query struct {
	System   System
	Type     string // of profiles
	Selector string // in braces

	u  *url.URL
	by fetch.Client
}

// Is reports whether a target names a server of one of the systems.
func Is(target string) bool {
	return strings.HasPrefix(target, string(Pyroscope)+":") || strings.HasPrefix(target, string(Parca)+":")
}

// Parse reads SYSTEM:URL?QUERY. The query is labels in braces, a type of profiles before
// them, or the name of a service alone. A token is sent as Authorization: Bearer, or as
// the password of the user whom the URL names. The error is a *fetch.Misuse.
func Parse(target, token string) (*Query, error) {
	system, rest, _ := strings.Cut(target, ":")
	raw, query, _ := strings.Cut(rest, "?")
	q := &Query{System: System(system)}
	var err error
	if q.u, q.by, err = server(raw, token); err != nil {
		return nil, err
	}
	brace := strings.IndexByte(query, '{')
	switch {
	case query == "" || brace >= 0 && !strings.HasSuffix(query, "}"):
		return nil, fetch.Misused("%s needs a query behind it, such as ?%s or ?{%s=\"api\",zone=\"a\"}", q, "api", serviceLabel[q.System])
	case brace < 0:
		q.Selector = fmt.Sprintf("{%s=%q}", serviceLabel[q.System], query)
	default:
		q.Type, q.Selector = query[:brace], query[brace:]
	}
	q.Type = cmp.Or(q.Type, usualType[q.System])
	if q.repeats() {
		return nil, fetch.Misused("%s: Parca adds up all that it scraped, so that what counts from the program's start on is counted again with each; ask for a type that ends with :delta, or for what is there at a time (inuse_space)", q)
	}
	return q, nil
}

// repeats reports whether the sum of such profiles has the same again and again.
func (q *Query) repeats() bool {
	return q.System == Parca && !strings.HasSuffix(q.Type, ":delta") && !strings.Contains(q.Type, ":inuse_") && !strings.HasPrefix(q.Type, "goroutine:")
}

func server(raw, token string) (*url.URL, fetch.Client, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fetch.Client{}, fetch.Misused("the URL of the server cannot be read; write it like http://localhost:4040")
	}
	by := fetch.Client{Token: token}
	if _, set := u.User.Password(); u.User != nil && !set && token != "" {
		u.User, by.Token = url.UserPassword(u.User.Username(), token), ""
	}
	return u, by, nil
}

// String is the query without a password.
func (q *Query) String() string {
	if q.Type == usualType[q.System] || q.Type == "" {
		return string(q.System) + ":" + scrub.URL(q.u) + "?" + q.Selector
	}
	return string(q.System) + ":" + scrub.URL(q.u) + "?" + q.Type + q.Selector
}

// ErrNothing is the error for a time in which no profile matches.
var ErrNothing = errors.New("no profile matches in this time")

// Merged returns the sum of all profiles from one time to another, as pprof writes it.
// The error wraps ErrNothing where there is none.
func (q *Query) Merged(ctx context.Context, from, until time.Time) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	data, err := q.ask(ctx, from, until)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: no answer after %v", q, patience)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", q, explained(err))
	case len(data) == 0:
		return nil, fmt.Errorf("%s: %w", q, ErrNothing)
	}
	return data, nil
}

func (q *Query) ask(ctx context.Context, from, until time.Time) ([]byte, error) {
	u := *q.u
	if q.System == Pyroscope {
		u.Path = strings.TrimSuffix(u.Path, "/") + "/querier.v1.QuerierService/SelectMergeProfile"
		data, _, err := q.by.Post(ctx, &u, "application/proto", q.selectMerge(from, until), mostAnswered)
		return data, err
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/api/parca.query.v1alpha1.QueryService/Query"
	answer, err := call(ctx, q.by, &u, q.query(from, until))
	if err != nil {
		return nil, err
	}
	return fieldOf(answer, 6) // pprof
}

// selectMerge is a SelectMergeProfileRequest: profile_typeID = 1 and label_selector = 2 as
// text, start = 3 and end = 4 in milliseconds.
func (q *Query) selectMerge(from, until time.Time) []byte {
	b := appendText(nil, 1, q.Type)
	b = appendText(b, 2, q.Selector)
	b = appendNumber(b, 3, from.UnixMilli())
	return appendNumber(b, 4, until.UnixMilli())
}

// query is a QueryRequest: mode = 1 is MODE_MERGE, report_type = 5 REPORT_TYPE_PPROF, and
// merge = 3 has the query = 1 as text, start = 2 and end = 3 as times.
func (q *Query) query(from, until time.Time) []byte {
	merge := appendText(nil, 1, q.Type+q.Selector)
	for i, at := range []time.Time{from, until} {
		merge = appendText(merge, byte(i+2), string(appendNumber(appendNumber(nil, 1, at.Unix()), 2, int64(at.Nanosecond()))))
	}
	b := appendText(appendNumber(nil, 1, 2), 3, string(merge))
	return appendNumber(b, 5, 1)
}

// explained says what an answer means here.
func explained(err error) error {
	var r *fetch.Refusal
	if !errors.As(err, &r) {
		return err
	}
	switch r.Code {
	case 404:
		if !strings.HasPrefix(r.Status, grpcStatus) && !strings.Contains(r.Text, `"not_found"`) { // as the Connect protocol has it
			return fmt.Errorf("%w; is this the address of the server, and not of one before or behind it?", err)
		}
		return fmt.Errorf("%w (%s)", ErrNothing, r.Text)
	case 401, 403:
		return fmt.Errorf("%w; give a token by -token-env or -token-file, and the user in the URL where it asks for one", err)
	}
	return err
}
