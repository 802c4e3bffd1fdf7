package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/keep/ring"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/words"
)

// scheme begins the name of what was kept of a service.
const scheme = "watch:"

// IsStored reports whether the name of a profile stands for what watch kept.
func IsStored(name string) bool { return strings.HasPrefix(name, scheme) }

// A request is what is wanted of a service: watch:NAME?since=2h&handler=/x.
type request struct {
	text, name string
	since      time.Duration // 0 is all
	labels     map[string][]string
}

func parseRequest(text string) (request, error) {
	name, query, _ := strings.Cut(strings.TrimPrefix(text, scheme), "?")
	r := request{text: text, name: name}
	q, err := url.ParseQuery(query)
	if err != nil || !fitted.MatchString(name) {
		return r, testbed.Usagef("%s: write it as watch:SERVICE, and behind it ?since=2h or a label of the profiles, as in watch:api?handler=/search", text)
	}
	if since := q.Get("since"); since != "" {
		if r.since, err = time.ParseDuration(since); err != nil || r.since <= 0 {
			return r, testbed.Usagef("%s: since=%s is no time; write it as 30m or 2h", text, since)
		}
		q.Del("since")
	}
	r.labels = q
	return r, nil
}

// Stored writes what was kept of a service as pprof files into dir, one for each of the
// kinds that are wanted and there, and returns their names. Kinds are those of read/profile.
// Of what counts from the start of the program on, the last profile of each start
// counts, of goroutines the last. The error is one of usage where there is nothing.
func Stored(ctx context.Context, root, name, dir string, now time.Time, kinds ...string) ([]string, error) {
	r, all, err := stored(root, name, now)
	if err != nil {
		return nil, err
	}
	from := Dir(root, r.name)
	var out []string
	values := map[string]bool{}
	for _, kind := range kinds {
		m := merger{r: r, values: values}
		named := kind
		if kind == "cpu" {
			named = cpuKind
		}
		for _, p := range chosen(all, named) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := m.add(from, p.Profile); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		file, err := m.write(filepath.Join(dir, fmt.Sprintf("watch-%s-%s.pprof", r.name, kind)))
		if err != nil {
			return nil, err
		}
		if file != "" {
			out = append(out, file)
		}
	}
	if len(out) == 0 {
		return nil, r.nothing(values, kinds)
	}
	return out, nil
}

// nothing says what of a request is not there.
func (r request) nothing(values map[string]bool, kinds []string) error {
	if len(r.labels) > 0 {
		there := "they have no such label"
		if len(values) > 0 {
			there = "they have " + words.Some(slices.Sorted(maps.Keys(values)), 8)
		}
		return testbed.Usagef("%s: no sample of the profiles has these labels; %s. A program sets them by pprof.Do, and the heap, mutex and block profiles have none", r.text, there)
	}
	return testbed.Usagef("%s: nothing is kept of %s; pawl watch -list shows what there is", r.text, strings.Join(kinds, ", "))
}

// A choice is a profile of a process.
type choice struct {
	ring.Profile
	process string
}

// chosen returns the profiles of a kind, as a ring names it, that together are all that
// is known: all of CPU time, the last of each process of what counts from its start on,
// and of goroutines the last of each instance.
func chosen(all []ring.Capture, kind string) (out []choice) {
	at := map[string]int{}
	for _, c := range all {
		for _, p := range c.Profiles {
			if p.Kind != kind {
				continue
			}
			x := choice{p, fmt.Sprintf("%s/%d", c.Instance, c.Run)}
			one := x.process
			if strings.HasPrefix(kind, "goroutine") {
				one = c.Instance
			}
			if i, ok := at[one]; ok && kind != cpuKind && !p.Delta {
				out[i] = x
				continue
			}
			at[one] = len(out)
			out = append(out, x)
		}
	}
	return out
}

// A merger adds profiles up, some at a time.
type merger struct {
	r      request
	values map[string]bool // that the labels have which are asked for
	some   []*pprof.Profile
}

// together is how many profiles are in memory at once.
const together = 16

// add adds a profile. One that has gone meanwhile, or is damaged, is left out.
func (m *merger) add(dir string, p ring.Profile) error {
	data, err := ring.Content(dir, p)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ring.ErrDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	prof, err := pprof.Parse(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if len(m.r.labels) > 0 {
		prof.Sample = slices.DeleteFunc(prof.Sample, func(s *pprof.Sample) bool { return !m.wanted(s) })
		if len(prof.Sample) == 0 {
			return nil
		}
	}
	if m.some = append(m.some, prof); len(m.some) < together {
		return nil
	}
	return m.merge()
}

// wanted reports whether a sample has all labels that are asked for.
func (m *merger) wanted(s *pprof.Sample) bool {
	ok := true
	for key, want := range m.r.labels {
		has := s.Label[key]
		for _, v := range has {
			if len(m.values) < 100 {
				m.values[key+"="+v] = true
			}
		}
		ok = ok && slices.ContainsFunc(want, func(v string) bool { return slices.Contains(has, v) })
	}
	return ok
}

func (m *merger) merge() error {
	one, err := pprof.Merge(m.some)
	if err != nil {
		return fmt.Errorf("adding up what was kept: %w", err)
	}
	m.some = append(m.some[:0], one)
	return nil
}

// write writes the sum to a file and returns its name; "" where there is none.
func (m *merger) write(name string) (string, error) {
	if len(m.some) == 0 {
		return "", nil
	}
	if err := m.merge(); err != nil {
		return "", err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	if err := errors.Join(m.some[0].Write(f), f.Close()); err != nil {
		return "", fmt.Errorf("writing %s: %w", name, err)
	}
	return name, nil
}
