package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/internal/answer"
	"github.com/pawl-dev/pawl/internal/profile"
)

// largest is how many bytes a profile may have, unpacked.
const largest = 1 << 30

// IsURL reports whether a target is a URL rather than a file.
func IsURL(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}

// A Misuse is a target that no profile can be read from, whatever happens.
type Misuse = answer.Misuse

func misuse(format string, args ...any) error { return answer.Misused(format, args...) }

// Read reads a profile from a file, or from the URL of a program that serves
// them. Seconds is how long a CPU profile is taken for; 0 leaves that to the
// URL. The error is a *Misuse where the target itself is wrong.
func Read(ctx context.Context, target string, seconds int) (Source, error) {
	if IsURL(target) {
		return fetch(ctx, target, seconds)
	}
	p, err := open(target)
	if err != nil {
		return Source{}, err
	}
	return Source{Name: target, Profile: p}, nil
}

func open(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, misuse("%s: no such file; name a pprof file, or a URL that contains /debug/pprof", name)
	case err != nil:
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, misuse("%s is a folder; name a pprof file, as go test -cpuprofile and /debug/pprof/profile write them", name)
	}
	p, err := profile.ReadLimited(f, largest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; %s", name, err, looksLike(name, err))
	}
	return p, nil
}

// looksLike says what a file that is no profile may be, by how it begins.
func looksLike(name string, err error) string {
	const next = "name a file as runtime/pprof writes it"
	f, openErr := os.Open(name)
	if openErr != nil {
		return next
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := f.Read(head)
	if n == 0 {
		return "the file is empty: the program ended without StopCPUProfile"
	}
	return guess(head[:n], err, next)
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

// Asked returns the URL that a program is asked at, without its password. The
// error is a *Misuse.
func Asked(target string, seconds int) (string, error) {
	e, err := parseEndpoint(target, seconds)
	if err != nil {
		return "", err
	}
	return e.u.Redacted(), nil
}
