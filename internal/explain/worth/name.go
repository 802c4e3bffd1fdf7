package worth

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Func is a changed function, by the name that the base has for it.
type Func struct {
	// Name is its import path and name, as symbols have it: "example.com/m.F",
	// "example.com/m.(*T).F". Type parameters and the like may be there or not.
	Name string
	File string // where it stands; its last element is enough. May be empty.
}

// A name is a symbol in parts, as far as they say which function it is.
type name struct {
	pkg  string // import path, without what vendoring puts before it
	full string // the symbol's own: "T.F", "F.func1"
}

// parse reads a symbol. Type arguments, pointers of receivers and the suffixes
// of wrappers are dropped: "example.com/m.(*Set[...]).Add-fm" is package
// example.com/m, Set.Add.
func parse(symbol string) name {
	symbol = words.WithoutTypeArgs(symbol)
	slash := strings.LastIndexByte(symbol, '/')
	dot := strings.IndexByte(symbol[slash+1:], '.')
	if dot < 0 {
		return name{full: symbol}
	}
	pkg, full := symbol[:slash+1+dot], symbol[slash+dot+2:]
	if i := strings.LastIndex(pkg, "/vendor/"); i >= 0 {
		pkg = pkg[i+len("/vendor/"):]
	}
	pkg = strings.TrimPrefix(pkg, "vendor/")
	full = strings.NewReplacer("(*", "", "(", "", ")", "").Replace(full)
	for _, s := range []string{"-fm", ".abi0", ".abiinternal"} {
		full = strings.TrimSuffix(full, s)
	}
	return name{unescape(pkg), full}
}

// unescape undoes what the linker does to dots in the last element of an
// import path: gopkg.in/yaml%2ev3.
func unescape(pkg string) string {
	if !strings.Contains(pkg, "%") {
		return pkg
	}
	var b strings.Builder
	for i := 0; i < len(pkg); i++ {
		if pkg[i] == '%' && i+2 < len(pkg) {
			if n, err := strconv.ParseUint(pkg[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(pkg[i])
	}
	return b.String()
}

// is reports whether the symbol n is the function fn, of its package, or a
// closure of it.
func (n name) is(fn string) bool {
	rest, ok := strings.CutPrefix(n.full, fn)
	return ok && closure(rest)
}

// holds reports whether n is a closure of fn that came into another function
// with fn's body: "caller.F.func1".
func (n name) holds(fn string) bool {
	for at := 0; ; {
		i := strings.Index(n.full[at:], "."+fn)
		if i < 0 {
			return false
		}
		at += i + 1
		if rest := n.full[at+len(fn):]; rest != "" && closure(rest) {
			return true
		}
	}
}

// closure reports whether what follows a function's name makes the name of a
// function that the compiler made of its body, or nothing follows.
func closure(rest string) bool {
	if rest == "" || strings.HasPrefix(rest, "-range") || strings.HasPrefix(rest, "·") {
		return true
	}
	rest, ok := strings.CutPrefix(rest, ".")
	if !ok {
		return false
	}
	return slices.ContainsFunc([]string{"func", "gowrap", "deferwrap", ""}, func(kind string) bool {
		digits, ok := strings.CutPrefix(rest, kind)
		return ok && digits != "" && '0' <= digits[0] && digits[0] <= '9'
	})
}

// versionless returns an import path without major versions: of modules
// (m/v2, gopkg.in/m.v2) and, since forks of a path have them, in any element.
func versionless(pkg string) string {
	parts := strings.Split(pkg, "/")
	kept := parts[:0]
	for i, p := range parts {
		if i > 0 && major(p) {
			continue
		}
		if j := strings.LastIndex(p, ".v"); j > 0 && major(p[j+1:]) {
			p = p[:j]
		}
		kept = append(kept, p)
	}
	return strings.Join(kept, "/")
}

// major reports whether s is v and a number.
func major(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return strings.HasPrefix(s, "v") && err == nil && n > 0
}

// sameFile reports whether a profile's file may be that of a function of
// package pkg. Directories are compared as far as an import path tells them.
func sameFile(file, own, pkg string) bool {
	if own == "" || path.Base(filepath.ToSlash(file)) != path.Base(filepath.ToSlash(own)) {
		return false
	}
	dir, _, _ := strings.Cut(path.Base(path.Dir(filepath.ToSlash(file))), "@")
	if major(dir) {
		dir, _, _ = strings.Cut(path.Base(path.Dir(path.Dir(filepath.ToSlash(file)))), "@")
	}
	return dir == path.Base(versionless(pkg))
}

// A way is how the functions of a package were found in a profile.
type way int

const (
	nowhere way = iota
	byName
	byVersion
	byMain
	byFork
)

// A found is what a profile shows of the changed functions.
type found struct {
	frames map[model.Frame]bool // functions of the profile that are theirs
	names  []string             // changed functions that are there
	others map[string]way       // packages, as the profile names them, that were not found by name
	absent []string             // changed functions that are not there
	pkgs   bool                 // it shows some function of their packages
}

// find looks for the changed functions among those of a profile.
func find(all []model.Frame, funcs []Func) found {
	f := found{frames: map[model.Frame]bool{}, others: map[string]way{}}
	parsed := make([]name, len(all))
	for i, fr := range all {
		parsed[i] = parse(fr.Func)
	}
	for _, fn := range funcs {
		own := parse(fn.Name)
		w, theirs := packages(all, parsed, own, fn)
		f.pkgs = f.pkgs || w != nowhere
		there := false
		for i, fr := range all {
			n := parsed[i]
			switch {
			case theirs[n.pkg] && n.is(own.full):
			case n.holds(own.full) && sameFile(fr.File, fn.File, own.pkg):
			default:
				continue
			}
			there = true
			f.frames[model.Frame{Func: fr.Func, File: fr.File}] = true
			if w != byName && theirs[n.pkg] {
				f.others[n.pkg] = w
			}
		}
		if there {
			f.names = append(f.names, fn.Name)
		} else {
			f.absent = append(f.absent, fn.Name)
		}
	}
	return f
}

// Frames returns which functions of a profile are among others, or closures of them, as
// Production.Of and Account find them. Their lines are 0.
func Frames(all []model.Frame, funcs []Func) map[model.Frame]bool { return find(all, funcs).frames }

// packages returns the import paths that a profile has for the package of a
// function, and how they were found.
func packages(all []model.Frame, parsed []name, own name, fn Func) (way, map[string]bool) {
	short := versionless(own.pkg)
	tests := []struct {
		way way
		is  func(i int) bool
	}{
		{byName, func(i int) bool { return parsed[i].pkg == own.pkg }},
		{byVersion, func(i int) bool { return versionless(parsed[i].pkg) == short }},
		{byMain, func(i int) bool { return parsed[i].pkg == "main" && sameFile(all[i].File, fn.File, own.pkg) }},
		{byFork, func(i int) bool {
			n := parsed[i]
			return n.pkg != "main" && strings.Contains(n.pkg, ".") && path.Base(versionless(n.pkg)) == path.Base(short) && n.is(own.full) &&
				fn.File != "" && path.Base(filepath.ToSlash(all[i].File)) == path.Base(filepath.ToSlash(fn.File))
		}},
	}
	for _, t := range tests {
		out := map[string]bool{}
		for i := range all {
			if t.is(i) {
				out[parsed[i].pkg] = true
			}
		}
		if len(out) == 0 || t.way == byFork && len(out) > 1 {
			continue // two forks: neither is known to be the one
		}
		return t.way, out
	}
	return nowhere, nil
}
