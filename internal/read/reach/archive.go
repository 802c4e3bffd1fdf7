package reach

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// A sum is the front half of a SHA-256: two that are equal stand for equal
// content.
type sum [16]byte

func sumOf(data []byte) sum {
	full := sha256.Sum256(data)
	return sum(full[:16])
}

// An archive is what is kept of one compiled package.
type archive struct {
	units   []*unit
	foreign sum  // of what is no Go object: C code, linker directives
	host    bool // there is such code
}

var errNotArchive = errors.New("not an archive of a Go package")

// parseArchive reads a package archive as the compiler writes it: the
// container of ar(1), in which the first member is the export data and the
// others are objects.
func parseArchive(data []byte) (*archive, error) {
	rest, ok := bytes.CutPrefix(data, []byte("!<arch>\n"))
	if !ok {
		return nil, errNotArchive
	}
	a := &archive{}
	foreign := sha256.New()
	for len(rest) > 0 {
		name, body, next, err := member(rest)
		if err != nil {
			return nil, err
		}
		rest = next
		if name == "__.PKGDEF" {
			continue
		}
		u, other, err := parseMember(body)
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", name, err)
		}
		if u != nil {
			a.units = append(a.units, u)
		}
		if len(other) > 0 {
			a.host = true
			fmt.Fprintf(foreign, "%d %q\n", len(other), name)
			foreign.Write(other)
		}
	}
	if len(a.units) == 0 {
		return nil, errNotArchive
	}
	a.foreign = sum(foreign.Sum(nil)[:16])
	return a, nil
}

// member takes the first member off an archive. Its header has 60 bytes: a
// name of 16, a size in decimal at 48, and a mark at the end.
func member(b []byte) (name string, body, rest []byte, err error) {
	const header = 60
	if len(b) < header || string(b[58:60]) != "`\n" {
		return "", nil, nil, errNotArchive
	}
	size, err := strconv.ParseUint(strings.TrimSpace(string(b[48:58])), 10, 40)
	if err != nil || size > uint64(len(b)-header) {
		return "", nil, nil, errNotArchive
	}
	body, rest = b[header:header+int(size)], b[header+int(size):]
	if size%2 == 1 && len(rest) > 0 {
		rest = rest[1:]
	}
	return strings.TrimSpace(string(b[:16])), body, rest, nil
}

// parseMember reads one object. What is not a Go object, and the directives for
// the linker in front of one, are returned as they are.
func parseMember(body []byte) (u *unit, other []byte, err error) {
	if !bytes.HasPrefix(body, []byte("go object ")) {
		return nil, body, nil
	}
	head, object, ok := bytes.Cut(body, []byte("\n!\n"))
	if !ok {
		return nil, nil, errNotArchive
	}
	first, directives, _ := bytes.Cut(head, []byte("\n"))
	fields := strings.Fields(string(first)) // go object linux amd64 go1.26.8 ...
	// The numbers of kinds and relocations may change with any release, without a mark in the file.
	var release gorelease.Release
	if len(fields) >= 5 {
		release, _ = gorelease.Of(fields[4])
	}
	if !release.Objects {
		return nil, nil, fmt.Errorf("%q is an object format that is not known here (known: %s)", first, gorelease.Names())
	}
	if u, err = parseObject(object, release.Exported); err != nil {
		return nil, nil, err
	}
	if _, cgo, ok := bytes.Cut(directives, []byte("\n$$")); ok {
		other = cgo
	}
	return u, other, nil
}
