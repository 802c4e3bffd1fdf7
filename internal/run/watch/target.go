package watch

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/observe/archive"
	"github.com/pawl-dev/pawl/internal/explain/observe/target"
	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
)

// A source gives captures, of one round each.
type source interface {
	// round returns what there is now. None at all is no error: a directory may have
	// nothing new.
	round(ctx context.Context, w *watcher) ([]taken, error)
	String() string
}

// A taken is a capture that is not kept yet, with the content of its profiles by kind.
type taken struct {
	ring.Capture
	content map[string][]byte
}

// A Target is something that is watched, and the name that its captures go by.
type Target struct {
	Name string
	from source
}

var (
	named  = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$`)
	unfit  = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
	fitted = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
)

// ParseTarget reads NAME=WHERE or WHERE: the URL of a program, unix:/PATH of its socket,
// k8s:NAMESPACE/LABELS:PORT for pods, pyroscope:URL?QUERY or parca:URL?QUERY for a server
// that keeps profiles, or a directory of profiles, in dir. The error is one of usage.
func ParseTarget(text, dir, token string) (Target, error) {
	var t Target
	where := text
	if m := named.FindStringSubmatch(text); m != nil {
		t.Name, where = m[1], m[2]
	}
	if strings.HasPrefix(where, podScheme) {
		p, err := parsePods(where, token)
		if err != nil {
			return t, err
		}
		t.from = p
		return t.called(p.usual())
	}
	if archive.Is(where) {
		q, err := archive.Parse(where, token)
		if err != nil {
			return t, usage(err)
		}
		t.from = history{q}
		return t.called(callOfQuery(q))
	}
	if !target.IsURL(where) && !strings.HasPrefix(where, "unix:") {
		path := foreign.Path(dir, where)
		if fi, err := os.Stat(path); err != nil || !fi.IsDir() {
			return t, testbed.Usagef("%s is no directory of profiles; a program that runs is named like http://localhost:6060/debug/pprof or unix:/PATH", where)
		}
		t.from = &directory{path: path, seen: map[string]os.FileInfo{}}
		return t.called(filepath.Base(path))
	}
	s, err := target.NewService(where, token)
	if err != nil {
		return t, usage(err)
	}
	t.from = &service{Service: s, absent: map[string]bool{}}
	return t.called(callOf(where))
}

// called gives a target a name that can be one of a directory, unless it has one.
func (t Target) called(usual string) (Target, error) {
	t.Name = cmp.Or(t.Name, strings.Trim(unfit.ReplaceAllString(usual, "-"), "-."))
	if !fitted.MatchString(t.Name) {
		return t, testbed.Usagef("%s needs a name: write it as NAME=%s", t.from, t.from)
	}
	return t, nil
}

// live reports whether what is not captured at once is lost.
func (t Target) live() bool {
	switch t.from.(type) {
	case *service, *pods:
		return true
	}
	return false
}

// program is the one program that a target stands for; of pods it is one of them. Done ends
// what leads there. What is a word for what a program is needed for.
func (t Target) program(ctx context.Context, what string) (s *service, done func(), err error) {
	switch from := t.from.(type) {
	case *service:
		return from, func() {}, nil
	case *pods:
		return from.program(ctx)
	}
	return nil, nil, testbed.Usagef("%s: %s needs a program that runs, named by its URL, or pods", t.from, what)
}

// name is what a reader knows the program by.
func (s *service) name() string {
	if s.instance != "" {
		return "pod " + s.instance
	}
	return s.String()
}

// callOfQuery is what the profiles of a query are called: by the first label.
func callOfQuery(q *archive.Query) string {
	_, value, _ := strings.Cut(q.Selector, `"`)
	value, _, _ = strings.Cut(value, `"`)
	return value
}

// callOf is what a service is called by where it is.
func callOf(where string) string {
	where, _, _ = strings.Cut(where, ",")
	if path, ok := strings.CutPrefix(where, "unix:"); ok {
		return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	u, err := url.Parse(where)
	if err != nil {
		return ""
	}
	return u.Host
}

// usage makes a matter of usage of what is one.
func usage(err error) error {
	if m, ok := err.(*fetch.Misuse); ok {
		return testbed.Usagef("%v", m)
	}
	return err
}
