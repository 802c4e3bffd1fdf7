package bench

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A buildSetting is one that makes a binary faster or slower without any
// change of the source.
type buildSetting struct{ key, cause, try string }

const (
	tryBoth = "build both with the same %s, unless that is what you want to compare"
	tryMod  = "give both sides the same go line in go.mod, or the same GODEBUG in it, unless that is what you want to compare"
)

// buildSettings are the settings that Differences looks at: all of those that
// go build records, but for names of revisions and directories.
var buildSettings = []buildSetting{
	{"GOOS", "they are built for different systems", tryBoth},
	{"GOARCH", "they are built for different processors", tryBoth},
	{"GOAMD64", "the compiler may use other instructions", tryBoth},
	{"GOARM64", "the compiler may use other instructions", tryBoth},
	{"GOARM", "the compiler may use other instructions", tryBoth},
	{"GO386", "the compiler may use other instructions", tryBoth},
	{"GOPPC64", "the compiler may use other instructions", tryBoth},
	{"GORISCV64", "the compiler may use other instructions", tryBoth},
	{"GOMIPS", "the compiler may use other instructions", tryBoth},
	{"GOMIPS64", "the compiler may use other instructions", tryBoth},
	{"GOEXPERIMENT", "experiments change the runtime or the compiler", tryBoth},
	{"GOFIPS140", "the cryptography is another module", tryBoth},
	{"-compiler", "they are made by different compilers", tryBoth},
	{"-race", "the race detector makes code several times slower", tryBoth},
	{"-msan", "the memory sanitizer makes code slower", tryBoth},
	{"-asan", "the address sanitizer makes code slower", tryBoth},
	{"-cover", "counting coverage makes code slower", tryBoth},
	{"-covermode", "counting coverage makes code slower", tryBoth},
	{"-pgo", "the compiler inlines and specialises what the profile names", tryBoth},
	{"-gcflags", "the compiler is given other flags", tryBoth},
	{"-asmflags", "the assembler is given other flags", tryBoth},
	{"-ldflags", "the linker is given other flags; a version that is stamped in does little harm, anything else may", tryBoth},
	{"-buildmode", "code of another build mode addresses its data in another way", tryBoth},
	{"-tags", "build tags select other files", tryBoth},
	{"-trimpath", "file names in the binary have other lengths, which moves data", tryBoth},
	{"CGO_ENABLED", "without cgo other implementations are chosen, and calls of C are gone", tryBoth},
	{"CGO_CFLAGS", "C code is compiled with other flags", tryBoth},
	{"CGO_CPPFLAGS", "C code is compiled with other flags", tryBoth},
	{"CGO_CXXFLAGS", "C++ code is compiled with other flags", tryBoth},
	{"CGO_LDFLAGS", "C code is linked with other flags", tryBoth},
	{"DefaultGODEBUG", "the runtime keeps the behaviour of the Go version in go.mod", tryMod},
}

// Differences says in what the builds of two binaries differ other than in
// their source, as far as they say so themselves: whatever a comparison of
// them shows may come from there. Names of revisions, directories and versions of
// dependencies are not looked at.
//
// -ldflags is not recorded with -trimpath. Of a profile (-pgo) the file's name
// is compared, not what is in it: two sides may well have each their own
// default.pgo.
func Differences(base, cand *Binary) []model.Warning {
	var out []model.Warning
	add := func(what, b, c, cause, try string) {
		seen := fmt.Sprintf("the two binaries differ in %s: %s and %s", what, value(b), value(c))
		out = append(out, model.Warning{Seen: seen, Cause: cause, Try: try})
	}
	if base.Pkg != cand.Pkg {
		add("the package they test", base.Pkg, cand.Pkg, "benchmarks of one name need not do the same work", "compare two builds of one package")
	}
	if base.GoVersion != cand.GoVersion {
		add("the Go version", base.GoVersion, cand.GoVersion,
			"compiler, runtime and standard library are compared along with the source", fmt.Sprintf(tryBoth, "toolchain"))
	}
	if len(base.Settings) == 0 || len(cand.Settings) == 0 {
		return append(out, silent(base, cand)...)
	}
	for _, s := range buildSettings {
		b, c := base.compared(s.key), cand.compared(s.key)
		if b == c {
			continue
		}
		b, c = unlike(b, c)
		add(s.key, b, c, s.cause, strings.Replace(s.try, "%s", s.key, 1))
	}
	return out
}

// silent is the warning for binaries that do not say how they were built.
func silent(base, cand *Binary) []model.Warning {
	var who []string
	for i, b := range []*Binary{base, cand} {
		if len(b.Settings) == 0 {
			who = append(who, "the "+[]string{"base", "candidate"}[i])
		}
	}
	return []model.Warning{{
		Seen:  strings.Join(who, " and ") + " does not say with what settings it was built",
		Cause: "it was not built by the go command in module mode",
		Try:   "see for yourself that both were built alike: optimisation, race detector, profile, build tags",
	}}
}

// compared returns a setting without what may differ between two directories
// that hold the same.
func (b *Binary) compared(key string) string {
	v := b.Settings[key]
	if key == "-pgo" && v != "" {
		return filepath.Base(v)
	}
	return v
}

// unlike leaves of two lists of settings, separated by commas or blanks, what
// the other has not got.
func unlike(a, b string) (onlyA, onlyB string) {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	}
	without := func(s string, other []string) string {
		return strings.Join(slices.DeleteFunc(split(s), func(e string) bool { return slices.Contains(other, e) }), ",")
	}
	onlyA, onlyB = without(a, split(b)), without(b, split(a))
	if onlyA == "" && onlyB == "" { // another order
		return a, b
	}
	return onlyA, onlyB
}

// longestValue is how many characters of a setting's value a warning quotes, with the
// ellipsis.
const longestValue = 81

func value(v string) string { return cmp.Or(words.Clip(v, longestValue), "nothing") }

// Warnings says what about a binary's build makes its figures unlike those of
// the program in use.
func (b *Binary) Warnings() []model.Warning {
	var out []model.Warning
	add := func(how, cause, try string) {
		out = append(out, model.Warning{Seen: filepath.Base(b.Path) + " is built " + how, Cause: cause, Try: try})
	}
	for _, s := range []buildSetting{
		{"-race", "the race detector", "-race"},
		{"-msan", "the memory sanitizer", "-msan"},
		{"-asan", "the address sanitizer", "-asan"},
		{"-cover", "coverage counters", "-cover"},
	} {
		if b.Settings[s.key] == "true" {
			add("with "+s.cause, "it changes the cost of code, and not of all code by the same factor", "build without "+s.try)
		}
	}
	for f := range strings.FieldsSeq(b.Settings["-gcflags"]) {
		switch strings.Trim(f[strings.LastIndex(f, "=")+1:], `'"`) {
		case "-N":
			add("without optimisation (-gcflags "+b.Settings["-gcflags"]+")", "it is made for a debugger", "build without -N")
		case "-l":
			add("without inlining (-gcflags "+b.Settings["-gcflags"]+")", "it is made for a debugger", "build without -l")
		}
	}
	return out
}
