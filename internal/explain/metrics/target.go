package metrics

import (
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/scrub"
)

// A Target is a page to be read.
type Target struct {
	u *url.URL
	// maybe is set where it is not known whether the program has this page.
	maybe bool
	// lastly is set where the page costs the program more than others: it is read
	// only when they leave something open.
	lastly bool
}

// String is the URL without its password.
func (t Target) String() string { return scrub.URL(t.u) }

// IsPage reports whether a URL is that of metrics rather than of a profile:
// any that does not contain /debug/pprof, and that of a heap profile as text.
func IsPage(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	_, kind, profile := strings.Cut(u.Path, "/debug/pprof")
	return !profile || strings.Trim(kind, "/") == "heap" && u.Query().Get("debug") == "1"
}

// Page checks a URL that is to be read. The error is an *fetch.Misuse.
func Page(raw string) (Target, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Target{}, fetch.Misused("the URL cannot be read; write it like http://localhost:6060/metrics")
	}
	if strings.Trim(u.Path, "/") == "" {
		return Target{}, fetch.Misused("%s names no page; write it like %s://%s/metrics, /debug/vars or /debug/pprof", scrub.URL(u), u.Scheme, u.Host)
	}
	return Target{u: u}, nil
}

// Beside returns the pages that a program may have beside that of a URL, whose
// path contains /debug/ or ends in /metrics. The error is an *fetch.Misuse.
func Beside(raw string) ([]Target, error) {
	t, err := Page(raw)
	if err != nil {
		return nil, err
	}
	before, _, ok := strings.Cut(t.u.Path, "/debug/")
	if !ok {
		if before, ok = strings.CutSuffix(strings.TrimSuffix(t.u.Path, "/"), "/metrics"); !ok {
			return nil, fetch.Misused("%s has neither /debug/ nor /metrics in it: beside which other pages are is not known", t)
		}
	}
	var out []Target
	for _, p := range []struct {
		path, query string
		lastly      bool
	}{{"/metrics", "", false}, {"/debug/vars", "", false}, {"/debug/pprof/heap", "debug=1", true}} {
		u := *t.u
		u.Path, u.RawPath, u.RawQuery, u.Fragment = before+p.path, "", p.query, ""
		out = append(out, Target{u: &u, maybe: true, lastly: p.lastly})
	}
	return out, nil
}
