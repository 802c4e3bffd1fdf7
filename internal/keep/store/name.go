package store

import (
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// nameMax keeps file names below the 255 bytes that most file systems allow,
// with room for what is put before and behind.
const nameMax = 120

// plain makes a name fit for one element of a path on every system. Letters,
// digits and "-_.=+" stay, the rest becomes a hyphen; when that lost anything,
// a hash of the whole is put behind, so that different names stay different.
func plain(name string) string {
	fit := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("-_.=+", r):
			return r
		}
		return '-'
	}, name)
	// A leading dot would hide the file, or name the directory above.
	fit = strings.TrimLeft(fit, ".-")
	if len(fit) > nameMax {
		fit = fit[:nameMax]
	}
	if fit == name && fit != "" {
		return fit
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return strings.TrimLeft(fmt.Sprintf("%s-%08x", fit, h.Sum32()), "-")
}

// SetName returns the name under which a benchmark's samples are best kept:
// the last element of its package's path and its own name.
func SetName(b model.Benchmark) string {
	return path.Base(b.Pkg) + "." + b.String()
}
