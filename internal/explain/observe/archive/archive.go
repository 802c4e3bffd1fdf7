// Package archive asks servers that keep profiles of services, Grafana Pyroscope and
// Parca, for the sum of those of a stretch of time, and sends profiles to the former.
//
// Pyroscope is asked by the Connect protocol: SelectMergeProfile of its querier.v1 takes a
// protobuf message, and answers one that is a profile as pprof writes it. Parca is asked
// by the HTTP form of Query of its parca.query.v1alpha1, whose JSON has a profile in it.
// Both are as their published .proto files have them. Two fields of text and two numbers
// are not worth a library, so that they are written here.
package archive

import (
	"context"
	"encoding/binary"
	"encoding/json"
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

// The systems.
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
	if q.Type == "" {
		q.Type = usualType[q.System]
	}
	return q, nil
}

// server reads the URL of one, and how it is asked.
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
		return q.by.Post(ctx, &u, "application/proto", q.selectMerge(from, until), mostAnswered)
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/api/profiles/query"
	u.RawQuery = url.Values{
		"mode": {"MODE_MERGE"}, "reportType": {"REPORT_TYPE_PPROF"}, "merge.query": {q.Type + q.Selector},
		"merge.start": {from.UTC().Format(time.RFC3339Nano)}, "merge.end": {until.UTC().Format(time.RFC3339Nano)},
	}.Encode()
	answer, err := q.by.Get(ctx, &u, "application/json", mostAnswered)
	if err != nil {
		return nil, err
	}
	var report struct {
		Pprof []byte `json:"pprof"`
	}
	if err := json.Unmarshal(answer, &report); err != nil {
		return nil, fmt.Errorf("what it answered is no report of Parca: %w", err)
	}
	return report.Pprof, nil
}

// selectMerge is a SelectMergeProfileRequest: profile_typeID = 1 and label_selector = 2 as
// text, start = 3 and end = 4 in milliseconds.
func (q *Query) selectMerge(from, until time.Time) []byte {
	var b []byte
	for i, text := range []string{q.Type, q.Selector} {
		b = append(b, byte(i+1)<<3|2)
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	for i, at := range []time.Time{from, until} {
		b = append(b, byte(i+3)<<3)
		b = binary.AppendUvarint(b, uint64(at.UnixMilli()))
	}
	return b
}

// explained says what an answer means here.
func explained(err error) error {
	var r *fetch.Refusal
	if !errors.As(err, &r) {
		return err
	}
	switch r.Code {
	case 404:
		if strings.Contains(r.Text, "page not found") {
			return fmt.Errorf("%w; is this the address of the server, and not of one before or behind it?", err)
		}
		return fmt.Errorf("%w (%s)", ErrNothing, r.Text)
	case 401, 403:
		return fmt.Errorf("%w; give a token by -token-env or -token-file, and the user in the URL where it asks for one", err)
	}
	return err
}
