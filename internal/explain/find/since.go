package find

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/tree"
)

// Changed has the lines that changed, by file, relative to the module's root. A
// file with a nil slice is new as a whole. Lines whose last is before their first
// are none: something was removed between the two.
type Changed map[string][]lines

type lines struct{ first, last int }

// Touches reports whether one of the lines first to last changed.
func (c Changed) Touches(file string, first, last int) bool {
	spans, ok := c[file]
	if !ok {
		return false
	}
	if spans == nil {
		return true
	}
	return slices.ContainsFunc(spans, func(s lines) bool { return s.first <= max(first, last) && first <= s.last })
}

// Since asks git which lines of Go files in dir, the module's root, differ
// from where ref and HEAD part, uncommitted and new files included.
func Since(ctx context.Context, dir, ref string) (Changed, error) {
	diff, untracked, err := tree.Since(ctx, dir, ref, "*.go")
	if err != nil {
		return nil, fmt.Errorf("-since %s: %w; name a branch, tag or commit", ref, err)
	}
	c := parseChanged(diff)
	for _, name := range untracked {
		c[name] = nil
	}
	return c, nil
}

// parseChanged reads the new sides of a diff without context.
func parseChanged(diff []byte) Changed {
	c := Changed{}
	var file string
	sc := bufio.NewScanner(bytes.NewReader(diff))
	sc.Buffer(nil, 64<<20)
	skip := 0 // lines of the hunk, which may look like anything
	for sc.Scan() {
		line := sc.Text()
		if skip > 0 {
			skip--
			continue
		}
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			file = unquote(strings.TrimSuffix(name, "\t"))
			continue
		}
		if !strings.HasPrefix(line, "@@ ") || file == "" {
			continue
		}
		sides := strings.Fields(line) // @@ -a,b +c,d @@
		if len(sides) < 3 {
			continue
		}
		_, removed := hunkSide(sides[1])
		first, added := hunkSide(sides[2])
		skip = removed + added
		switch {
		case added > 0:
			c[file] = append(c[file], lines{first, first + added - 1})
		case file != "/dev/null":
			c[file] = append(c[file], lines{first + 1, first})
		}
	}
	return c
}

// hunkSide reads "+first,count"; the count is 1 where it is left out.
func hunkSide(side string) (first, count int) {
	from, n, many := strings.Cut(strings.TrimLeft(side, "+-"), ",")
	first, _ = strconv.Atoi(from)
	if !many {
		return first, 1
	}
	count, _ = strconv.Atoi(n)
	return first, count
}

// unquote undoes git's quoting of unusual names.
func unquote(name string) string {
	if strings.HasPrefix(name, `"`) {
		if s, err := strconv.Unquote(name); err == nil {
			return s
		}
	}
	return name
}
