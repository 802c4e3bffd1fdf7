// Package fetch gets the answer of a running program at a URL, bounded in time
// and size. The answer comes from the host that was asked: redirects to another
// one, or from https to http, are not followed. What an error means for the
// asker is the asker's to say. Files are read by package foreign, so that
// packages that read files alone do not link an HTTP client.
package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// A Misuse is a target that no answer can be got from, whatever happens.
type Misuse struct{ msg string }

func (m *Misuse) Error() string { return m.msg }

//go:noinline
func Misused(format string, args ...any) error { return &Misuse{fmt.Sprintf(format, args...)} }

// A Refusal is an answer other than 200.
type Refusal struct {
	Code   int
	Status string // with its code
	Text   string // the beginning of what came with it, in one line
}

func (r *Refusal) Error() string { return fmt.Sprintf("%q %q", r.Status, r.Text) }

// An OtherHost is a redirect that is not followed.
type OtherHost struct{ to string }

func (o *OtherHost) Error() string {
	return fmt.Sprintf("it redirects to %s, another host: name that one if it is meant", o.to)
}

// A TooLarge is an answer that went on beyond the bytes that were allowed.
type TooLarge struct{ Most int64 }

func (t *TooLarge) Error() string {
	return fmt.Sprintf("the answer is larger than %d MiB", t.Most>>20)
}

// A Client says how a program is asked. The zero one asks the host of the URL.
type Client struct {
	Socket string // a Unix socket that is asked in place of the URL's host
	Token  string // sent with each request, as Authorization: Bearer
}

// Get is Client.Get without a socket or a token.
func Get(ctx context.Context, u *url.URL, accept string, most int64) ([]byte, error) {
	return Client{}.Get(ctx, u, accept, most)
}

// Get asks for u and returns at most most bytes, unpacked where the server
// packed them. Accept is the form that is asked for, "" for any. How long it may
// take is the context's matter. The error is a *Misuse, a *Refusal, an
// *OtherHost or a *TooLarge, the context's, or one of the connection; none of
// them contains the URL, which may hold a password, or the token.
func (c Client) Get(ctx context.Context, u *url.URL, accept string, most int64) ([]byte, error) {
	body, err := c.Open(ctx, u, accept)
	if err != nil {
		return nil, err
	}
	return all(ctx, body, most)
}

func all(ctx context.Context, body io.ReadCloser, most int64) ([]byte, error) {
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, inner(ctx, err)
	case int64(len(data)) > most:
		return nil, &TooLarge{most}
	}
	return data, nil
}

// Post sends a body of a type to u, and returns the answer as Get does, with its header. A
// redirect to the same host that keeps the method is followed, with the body.
func (c Client) Post(ctx context.Context, u *url.URL, contentType string, body []byte, most int64) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, nil, Misused("%s: not a URL", scrub.URL(u))
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := c.do(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	data, err := all(ctx, resp.Body, most)
	return data, resp.Header, err
}

// Open is Get for callers that read the answer piece by piece: the caller bounds
// what is read of it, and closes it.
func (c Client) Open(ctx context.Context, u *url.URL, accept string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, Misused("%s: not a URL", scrub.URL(u))
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := c.do(ctx, req)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

func (c Client) do(ctx context.Context, req *http.Request) (*http.Response, error) {
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	client := &http.Client{CheckRedirect: stay, Transport: c.transport()}
	resp, err := client.Do(req)
	if err != nil {
		return nil, inner(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return nil, &Refusal{Code: resp.StatusCode, Status: resp.Status, Text: strings.Join(strings.Fields(string(text)), " ")}
	}
	return resp, nil
}

// transport returns what connects; nil stands for what is usual.
func (c Client) transport() http.RoundTripper {
	if c.Socket == "" {
		return nil
	}
	var d net.Dialer
	return &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return d.DialContext(ctx, "unix", c.Socket)
	}}
}

// inner takes the URL off an error of the connection, and prefers the
// context's where that is why.
func inner(ctx context.Context, err error) error {
	var other *OtherHost
	var outer *url.Error
	switch {
	case errors.As(err, &other):
		return other
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &outer):
		return outer.Err
	}
	return err
}

// stay refuses to be sent to another host, or from https to http: this one was
// asked.
func stay(req *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case req.URL.Host != from.Host, from.Scheme == "https" && req.URL.Scheme != "https":
		return &OtherHost{req.URL.Scheme + "://" + req.URL.Host}
	case len(via) >= 5:
		return errors.New("it redirects again and again")
	}
	return nil
}
