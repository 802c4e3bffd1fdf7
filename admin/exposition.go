package admin

import (
	"math"
	"runtime/metrics"
	"strconv"
	"strings"
)

// An exposition is text in the format of Prometheus, version 0.0.4.
type exposition struct{ out []byte }

func (e *exposition) write(parts ...string) {
	for _, p := range parts {
		e.out = append(e.out, p...)
	}
}

func (e *exposition) family(name, kind, help string) {
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(strings.ToValidUTF8(help, "\uFFFD"))
	e.write("# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind, "\n")
}

// sample writes a line with labels, each a name and its value.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.write(name)
	for i := 0; i < len(labels); i += 2 {
		v := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD"))
		e.write([]string{"{", ","}[min(i, 1)], labels[i], `="`, v, `"`)
	}
	if len(labels) > 0 {
		e.write("}")
	}
	e.write(" ", format(value), "\n")
}

func format(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (e *exposition) number(name, kind, help string, value float64) {
	e.family(name, kind, help)
	e.sample(name, value)
}

// histogram writes the buckets at bounds that are twice the one before, since each is
// a series to Prometheus and the runtime has hundreds. Its bounds do not belong to the
// bucket below, as those of Prometheus do, hence the next smaller number. The
// runtime knows no sum, so there is none.
func (e *exposition) histogram(name, help string, h *metrics.Float64Histogram, largest float64) {
	e.family(name, "histogram", help)
	total, last := uint64(0), 0.0
	for i, n := range h.Counts {
		total += n
		if bound := h.Buckets[i+1]; bound > 0 && bound >= 2*last && bound < largest {
			e.sample(name+"_bucket", float64(total), "le", format(math.Nextafter(bound, 0)))
			last = bound
		}
	}
	e.sample(name+"_bucket", float64(total), "le", "+Inf")
	e.sample(name+"_count", float64(total))
}
