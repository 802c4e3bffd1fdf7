package scrub

import (
	"path"
	"slices"
	"strings"
)

// plain are variables that programs are run by, and that hold no secrets by what
// they are for; a star stands for any ending. All others stay out of a sandbox:
// what a secret is called cannot be known for all programs there are.
var plain = strings.Fields(`
	PATH HOME USER LOGNAME SHELL PWD TMPDIR TMP TEMP LANG LANGUAGE LC_* TZ TZDIR ZONEINFO TERM COLORTERM COLUMNS LINES NO_COLOR CI
	GO111MODULE GO386 GOAMD64 GOARCH GOARM GOARM64 GOBIN GOCACHE GOCOVERDIR GODEBUG GOENV GOEXE GOEXPERIMENT GOFIPS140 GOFLAGS GOGC GOGCCFLAGS
	GOHOSTARCH GOHOSTOS GOINSECURE GOLOONG64 GOMAXPROCS GOMEMLIMIT GOMIPS GOMIPS64 GOMOD GOMODCACHE GONOPROXY GONOSUMDB GOOS GOPATH GOPPC64
	GOPRIVATE GOPROXY GORACE GORISCV64 GOROOT GOSUMDB GOTELEMETRY GOTMPDIR GOTOOLCHAIN GOTOOLDIR GOTRACEBACK GOVCS GOVERSION GOWASM GOWORK
	CGO_* CC CXX CPP FC AR LD GCCGO PKG_CONFIG PKG_CONFIG_* CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH
	SOURCE_DATE_EPOCH SSL_CERT_FILE SSL_CERT_DIR PAWL_* PAWLWORK`)

// Inside reports whether an entry of an environment may be seen by a program that
// nobody vouches for: what programs are run by, and what more names, where a star
// at the end stands for any ending. A value that looks like a secret stays out
// also then, unless its variable is named without a star.
func Inside(kv string, more []string) bool {
	name, _, _ := strings.Cut(kv, "=")
	if slices.Contains(more, name) {
		return true
	}
	fits := func(pattern string) bool { ok, err := path.Match(pattern, name); return ok && err == nil }
	if !slices.ContainsFunc(plain, fits) && !slices.ContainsFunc(more, fits) {
		return false
	}
	var none *Scrubber
	_, secrets := none.Text(kv)
	return secrets == 0
}
