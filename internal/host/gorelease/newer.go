package gorelease

import (
	"fmt"
	"go/version"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Warn returns the one warning about a toolchain that is newer than the table,
// or nothing. It says what is lost with it.
func Warn(toolchain string) []model.Warning {
	if _, ok := Of(toolchain); ok || !version.IsValid(toolchain) || TooOld(toolchain) {
		return nil
	}
	return []model.Warning{{
		Seen: fmt.Sprintf("the toolchain is %s, and this pawl knows Go up to %s", toolchain, Newest()),
		Cause: "what a new release changed in its export data, compiled packages and compiler notes is not known: " +
			"imports are type-checked from source where need be, benchmarks whose code did not change are measured as well, " +
			"and explanations from compiler notes may be missing",
		Try: "install a newer pawl: go install " + command + "@latest",
	}}
}

// Reads reports whether the type checker in this program is at least as new as
// a toolchain, so that it can represent all that is in its standard library. A
// version that cannot be read, as of a private build, is taken as one that is.
func Reads(toolchain string) bool { return reads(runtime.Version(), toolchain) }

func reads(built, toolchain string) bool {
	have, want := version.Lang(built), version.Lang(toolchain)
	return have == "" || want == "" || version.Compare(have, want) >= 0
}

// command is the package of the command that is to be installed.
const command = "github.com/pawl-dev/pawl/cmd/pawl"

// A TooNewError says that a module is written in a newer language than that of
// the Go release which pawl was built with. Such a module cannot be
// type-checked.
type TooNewError struct {
	Wants string // the module's go line, as in go1.28
	Built string // what pawl was built with, as in go1.26.8
	Fix   string // the command that gives a pawl which can
}

func (e *TooNewError) Error() string {
	return fmt.Sprintf("the module is in %s and this pawl was built with %s, which cannot type-check it; build pawl anew: %s", e.Wants, e.Built, e.Fix)
}

// Language returns a *TooNewError where one of the go lines of a module and its
// packages, as in 1.27.0 or go1.27, is newer than the Go that pawl was built
// with. toolchain is that of the module: it builds a pawl that will do.
func Language(toolchain string, lines ...string) error {
	info, _ := debug.ReadBuildInfo()
	return language(runtime.Version(), info, toolchain, lines)
}

func language(built string, info *debug.BuildInfo, toolchain string, lines []string) error {
	newest := ""
	for _, line := range lines {
		if line = "go" + strings.TrimPrefix(line, "go"); version.IsValid(line) && version.Compare(line, newest) > 0 {
			newest = line
		}
	}
	if reads(built, newest) {
		return nil
	}
	if !version.IsValid(toolchain) || version.Compare(toolchain, newest) < 0 {
		if toolchain = newest; toolchain == version.Lang(newest) {
			toolchain += ".0" // as the toolchain of a language version is called
		}
	}
	return &TooNewError{Wants: version.Lang(newest), Built: built, Fix: rebuild(info, toolchain)}
}

// rebuild is the command that makes this pawl again with another toolchain: of
// the version that was installed, or in the checkout that it was built in.
func rebuild(info *debug.BuildInfo, toolchain string) string {
	fix := "GOTOOLCHAIN=" + toolchain + " go install "
	if info != nil && info.Main.Sum != "" {
		return fix + command + "@" + info.Main.Version
	}
	return fix + "./cmd/pawl, in your checkout of pawl"
}
