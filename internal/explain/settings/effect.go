package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// effect says what a setting is about and what it does; nothing of one that is
// not about how fast, how large or how equal binaries are.
func (a *audit) effect(name, value string) (about, text string) {
	switch name {
	case "-ldflags", "-gcflags", "-tags":
		if value == "" {
			return "", ""
		}
	}
	switch name {
	case "go":
		if a.goLine == nil {
			return "", "" // of a binary, whose go line is not known
		}
		if a.since("go1.25") {
			return speed, "GOMAXPROCS follows the container's CPU limit by itself"
		}
		return speed, "GOMAXPROCS is the machine's processors, whatever limit a container has"
	case "-trimpath":
		return reproducibility, "the same binary in any directory; no gain in speed"
	case "-buildvcs":
		if value == "false" {
			return reproducibility, "the commit is not in the binary: go version -m cannot name it"
		}
		return reproducibility, "the commit is in the binary"
	case "-ldflags":
		return linker(value)
	case "-gcflags":
		if off, _ := compilerOff(value); len(off) > 0 {
			return speed, "slower: " + what(off)
		}
		return speed, "flags of the compiler"
	case "-race", "-msan", "-asan":
		return speed, "several times the CPU time and memory; finds faults"
	case "-pgo":
		if value == "off" {
			return speed, "default.pgo is not used"
		}
		return speed, "the compiler inlines by a profile; builds take longer"
	case "-tags":
		return portability, "other files are compiled"
	case "-mod":
		return reproducibility, modMeans(value)
	case "CGO_ENABLED":
		if value == "0" {
			return portability, "no C: a static binary, Go's own resolver; packages that need C are left out"
		}
		return portability, "C is linked in where a package needs it; names may come from the C library"
	case "GOAMD64":
		return portability, fmt.Sprintf("needs a processor of level %s; faster or slower by program, so compare", value)
	case "GODEBUG containermaxprocs", "GODEBUG updatemaxprocs":
		return speed, "whether GOMAXPROCS follows the container's CPU limit"
	}
	return runEffect(name, value)
}

// runEffect is effect for what counts while the program runs.
func runEffect(name, value string) (about, text string) {
	switch name {
	case "GOGC":
		if value == "off" {
			return memory, "collections only when GOMEMLIMIT asks for them"
		}
		if _, err := strconv.ParseInt(value, 10, 32); err != nil {
			return memory, "nothing: the runtime passes over it"
		}
		return memory, "the heap grows by " + value + " % between collections: more is less CPU time and more memory"
	case "GOMEMLIMIT":
		return memory, "collects more often as memory nears it; never saves CPU time"
	case "GOMAXPROCS":
		return speed, "Go code runs on that many threads; the CPU limit is not followed any more"
	case "memory limit":
		return memory, "the kernel kills what goes above it"
	case "CPU limit":
		return speed, "what goes above it waits for the next period"
	case automaxprocs:
		return speed, "sets GOMAXPROCS once, at start, where there is a CPU limit"
	case automemlimit:
		return memory, "sets GOMEMLIMIT by the container's limit, at start"
	case "runtime.GOMAXPROCS":
		return speed, "Go code runs on that many threads; the CPU limit is not followed any more"
	case "runtime/debug.SetGCPercent":
		return memory, "sets GOGC, above the environment"
	case "runtime/debug.SetMemoryLimit":
		return memory, "sets GOMEMLIMIT, above the environment"
	}
	return "", ""
}

func linker(value string) (about, text string) {
	words := strings.Fields(value)
	strip, debug := slices.Contains(words, "-s"), slices.Contains(words, "-w")
	switch {
	case strip && debug:
		return size, "a smaller file, no faster; -s implies -w since Go 1.22"
	case strip:
		return size, "a smaller file, no faster; debuggers lose most, profiles nothing"
	case debug:
		return size, "a smaller file, no faster; symbols stay"
	}
	return size, "nothing about size or speed"
}

func modMeans(value string) string {
	switch value {
	case "mod":
		return "the build may change go.mod"
	case "vendor":
		return "dependencies from the vendor directory, the default where there is one"
	}
	return "the default: go.mod stays as it is"
}
