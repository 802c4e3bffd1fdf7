package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/fetch"
	"github.com/pawl-dev/pawl/internal/host/foreign"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

func open(ctx context.Context, name string) (*profile.Profile, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fetch.Misused("%s is a directory; name a pprof file, as go test -cpuprofile and /debug/pprof/profile write them", name)
	}
	f, err := foreign.Open(ctx, name)
	var odd *foreign.OddError
	switch {
	case errors.As(err, &odd):
		return nil, fetch.Misused("%v", odd)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fetch.Misused("%s: no such file; name a pprof file, or a URL that contains /debug/pprof", name)
	case err != nil:
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	defer f.Close()
	p, err := foreign.Do(ctx, func() (*profile.Profile, error) { return profile.Read(f) })
	var io *fs.PathError
	switch {
	case errors.As(err, &io), errors.Is(err, profile.ErrTooLarge), ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w; %s", name, err, looksLike(name, err))
	case err != nil:
		return nil, fetch.Misused("%s: %v; %s", name, err, looksLike(name, err))
	}
	return p, nil
}

// looksLike says what a file that is no profile may be, by how it begins.
func looksLike(name string, err error) string {
	const next = "name a file as runtime/pprof writes it"
	head := foreign.Head(name, 64)
	if info, stat := os.Stat(name); stat == nil && info.Mode().IsRegular() && len(head) == 0 {
		return "the file is empty: the program ended without StopCPUProfile"
	}
	return guess(head, err, next)
}

// guess says what to do about what is no profile, by how it begins and by the
// error of reading it.
func guess(head []byte, err error, next string) string {
	text := string(head)
	switch {
	case errors.Is(err, profile.ErrTooLarge):
		return "take a shorter one, or one of fewer programs"
	case strings.HasPrefix(text, "go 1.") && strings.Contains(text, "trace"):
		return "it is an execution trace: save it and name the file"
	case strings.HasPrefix(text, "goroutine "), strings.Contains(text, "profile:"):
		return "it is text, as with debug=2: take it without the debug parameter"
	case errors.Is(err, profile.ErrPackedTwice):
		return "unpack it once (gunzip)"
	case strings.HasPrefix(text, "\x1f\x8b"):
		return "it is cut short or damaged: copy it again"
	case strings.HasPrefix(strings.TrimSpace(text), "<"):
		return "it is a page of HTML: a profile has its own address, such as /debug/pprof/profile"
	}
	return next
}
