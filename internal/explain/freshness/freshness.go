// Package freshness says how much of a CPU profile still maps to the source.
//
// The compiler finds a call of the profile by function and by the line's distance
// from the function's first line. A sample maps where its innermost function of
// the user's code is there and still as long as its line asks for. Lines that
// moved within a function are not noticed: the compiler finds another call there,
// or none, and neither can be told from the profile.
//
// Samples without a function of the user's code are left out: the standard library
// is that of the toolchain.
package freshness

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// Functions are those of a program's source with the number of their lines, by
// symbol: "main.run", "example.com/m.(*T).M".
type Functions map[string]int

// Of maps a profile to a program's functions.
func Of(p *profile.Profile, f Functions) (model.Freshness, error) {
	packages := make(map[string]bool)
	for symbol := range f {
		packages[profile.Package(symbol)] = true
	}
	begins := p.Starts()
	const none, there = "", "there"
	parts, err := p.Parts(cpuType(p), func(stack []model.Frame) string {
		for _, frame := range stack {
			if profile.Standard(frame.Func) && !packages[profile.Package(frame.Func)] {
				continue
			}
			name := plain(frame.Func)
			lines, ok := f[name]
			begin, known := begins[frame.Func]
			switch {
			case !ok:
				return "gone " + name
			case known && frame.Line-begin >= lines && name == frame.Func:
				return "short " + name
			}
			return there
		}
		return none
	})
	if err != nil {
		return model.Freshness{}, err
	}
	var out model.Freshness
	user := 1 - parts[none].Share
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		part := parts[name]
		if name != none {
			out.Samples += part.In
		}
		if word, symbol, ok := strings.Cut(name, " "); ok && user > 0 {
			out.Gone = append(out.Gone, model.Gone{Func: symbol, Share: part.Share / user, Short: word == "short"})
		}
	}
	if t := parts[there]; user > 0 {
		out.Share, out.Lo, out.Hi = t.Share/user, t.Lo/user, min(1, t.Hi/user)
	}
	sorted.By(out.Gone, func(a, b model.Gone) int { return cmp.Compare(b.Share, a.Share) })
	return out, nil
}

// plain returns the declared function that a symbol is of: without what the
// compiler adds for closures, type arguments and method values.
func plain(symbol string) string {
	if i := strings.Index(symbol, "["); i >= 0 {
		if j := strings.LastIndex(symbol, "]"); j > i {
			symbol = symbol[:i] + symbol[j+1:]
		}
	}
	symbol = strings.TrimSuffix(symbol, "-fm")
	slash := strings.LastIndex(symbol, "/") + 1
	parts := strings.Split(symbol[slash:], ".")
	keep := 2 // package and function
	if len(parts) > 2 && (strings.HasPrefix(parts[1], "(") || !closure(parts[2])) {
		keep = 3 // a method
	}
	return symbol[:slash] + strings.Join(parts[:min(keep, len(parts))], ".")
}

// closure reports whether a part of a symbol is the compiler's name of a closure.
func closure(part string) bool {
	for _, prefix := range []string{"func", "gowrap", "deferwrap"} {
		if rest, ok := strings.CutPrefix(part, prefix); ok && rest != "" && strings.Trim(rest, "0123456789-") == "" {
			return true
		}
	}
	return strings.Trim(part, "0123456789") == ""
}

func cpuType(p *profile.Profile) string {
	types := p.Types()
	if slices.Contains(types, "cpu") || len(types) == 0 {
		return "cpu"
	}
	return types[len(types)-1]
}
