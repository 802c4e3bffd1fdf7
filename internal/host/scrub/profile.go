package scrub

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"
)

// Profile returns a copy of p for other eyes: without labels, comments, links,
// build ids and the directories of mapped files, and with “~” for the home directory
// that a source's path begins with, whosever it is. Samples that only labels
// told apart are added up. Functions, files, lines, values and the time stay.
func Profile(p *profile.Profile) (*profile.Profile, error) {
	c := p.Copy()
	c.Comments, c.DocURL = nil, ""
	for _, s := range c.Sample {
		s.Label, s.NumLabel, s.NumUnit = nil, nil, nil
	}
	for _, m := range c.Mapping {
		m.BuildID = ""
		m.File = baseName(m.File)
	}
	for _, f := range c.Function {
		f.Filename = home(f.Filename)
	}
	c, err := profile.Merge([]*profile.Profile{c})
	if err != nil {
		return nil, fmt.Errorf("adding up a profile without its labels: %w", err)
	}
	return c, nil
}

// CopyProfile reads a profile in pprof's format from src, compressed or not,
// and writes it to dst without what Profile takes out, compressed.
func CopyProfile(dst io.Writer, src io.Reader) error {
	p, err := profile.Parse(src)
	if err != nil {
		return fmt.Errorf("reading a profile to take labels and paths out: %w", err)
	}
	if p, err = Profile(p); err != nil {
		return err
	}
	if err := p.Write(dst); err != nil {
		return fmt.Errorf("writing a profile without labels and paths: %w", err)
	}
	return nil
}

// baseName is the last element of a path of any system; names like [vdso] stay.
func baseName(file string) string {
	return filepath.Base(strings.ReplaceAll(file, `\`, "/"))
}

// homes are the places where systems have home directories.
var homes = regexp.MustCompile(`^(?:/home/[^/]+|/Users/[^/]+|/var/home/[^/]+|/root|[A-Za-z]:[/\\]Users[/\\][^/\\]+)([/\\]|$)`)

func home(file string) string { return homes.ReplaceAllString(file, "~$1") }
