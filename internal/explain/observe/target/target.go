// Package target reads what a user names: a profile in a file, or at the URL of
// a program that serves net/http/pprof; a trace and memory statistics of such a
// program. It knows which URLs there are, how long each takes, and what to do
// about what goes wrong. What the profiles show is for others to say.
package target

import (
	"context"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/scrub"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// IsURL reports whether a target is a URL rather than a file.
func IsURL(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}

// Read reads a profile from a file, or from the URL of a program that serves
// them. Seconds is how long a CPU profile is taken for; 0 leaves that to the
// URL. The error is a *fetch.Misuse where the target itself is wrong.
func Read(ctx context.Context, target string, seconds int) (profile.Source, error) {
	if IsURL(target) {
		return take(ctx, target, seconds)
	}
	p, err := open(ctx, target)
	if err != nil {
		return profile.Source{}, err
	}
	return profile.Source{Name: target, Profile: p}, nil
}

// Asked returns the URL that a program is asked at, without its password. The
// error is a *fetch.Misuse.
func Asked(target string, seconds int) (string, error) {
	e, err := parseEndpoint(target, seconds)
	if err != nil {
		return "", err
	}
	return scrub.URL(e.u), nil
}
