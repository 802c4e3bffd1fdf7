package bench

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// settings are the variables that change what a benchmark measures. They are
// recorded where they are set.
var settings = []string{
	"GOAMD64", "GOARM64", "GOARM", "GO386", "GOEXPERIMENT", "GOFLAGS", "CGO_ENABLED",
	"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG",
}

// Environment describes the machine and the settings that samples of g's
// module are taken under. What cannot be found out is left empty.
func Environment(_ context.Context, g *gocmd.Go) model.Environment {
	env := model.Environment{
		GoVersion: g.Version,
		GOOS:      g.Vars["GOOS"],
		GOARCH:    g.Vars["GOARCH"],
		CPU:       cpuModel(),
		CPUs:      runtime.NumCPU(),
		Load:      loadAverage(),
		Settings:  make(map[string]string),
	}
	vars := g.Env()
	for _, key := range settings {
		value := cmp.Or(gocmd.Getenv(vars, key), g.Vars[key])
		if value != "" {
			env.Settings[key] = value
		}
	}
	return env
}

// cpuModel returns the processor's name as Linux gives it.
func cpuModel() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	return parseCPUInfo(string(data))
}

func parseCPUInfo(info string) string {
	for line := range strings.Lines(info) {
		key, value, ok := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); ok && (key == "model name" || key == "Model" || key == "cpu model") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// loadAverage returns the load of the last minute, or 0.
func loadAverage() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(data), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}
