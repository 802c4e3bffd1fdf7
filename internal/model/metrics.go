package model

// RuntimeMetrics is what the runtime of a program that runs said of itself over
// a stretch of time.
type RuntimeMetrics struct {
	Sources  []MetricSource `json:"sources"`
	Seconds  float64        `json:"seconds"`      // between the first reading and the last
	Readings int            `json:"readings"`     // of each source, at most
	Go       string         `json:"go,omitempty"` // the release that the program says it was built with
	Figures  []Metric       `json:"figures"`      // those that are known
	Signs    []MetricSign   `json:"signs"`        // what stands out
	Unknown  []MetricGap    `json:"unknown"`      // what could not be looked at
	Warnings []Warning      `json:"warnings,omitempty"`
}

// A MetricSource is a page of the program, or its process on this machine.
type MetricSource struct {
	Name string `json:"name"` // the URL without its password, or "process 12"
	Form string `json:"form"` // prometheus, expvar, runtime/metrics, heap or process
}

// A Metric is one figure.
type Metric struct {
	Name  string  `json:"name"` // gc_cpu_share
	Title string  `json:"title"`
	Value float64 `json:"value"`
	// Lo and Hi are the bounds of the bucket that a quantile lies in. Without
	// them Value is exact; with them it is Hi, or Lo where the bucket is open.
	Lo *float64 `json:"lo,omitempty"`
	Hi *float64 `json:"hi,omitempty"`
	// First is a level at the first reading, where it changed; Value is that at the last.
	First *float64 `json:"first,omitempty"`
	// Unit is share, bytes, bytes/s, objects/s, cycles/s, calls/s, s, s/s, %, cpus, goroutines,
	// threads or cycles.
	Unit string `json:"unit"`
	Note string `json:"note,omitempty"` // how it was got, where that is not plain
	From string `json:"from"`           // the form of the source
}

// A MetricSign is a figure that stands out.
type MetricSign struct {
	Name      string  `json:"name"` // collector
	Title     string  `json:"title"`
	Seen      string  `json:"seen"`      // with figures
	Metric    string  `json:"metric"`    // the figure's name
	Value     float64 `json:"value"`     // what was compared with the threshold
	Threshold float64 `json:"threshold"` // from which it stands out
	Unit      string  `json:"unit"`      // of both

	Meaning string     `json:"meaning"` // what it is
	Lever   string     `json:"lever"`   // what changes it
	Before  string     `json:"before"`  // what must hold before that is done
	Gap     string     `json:"gap"`     // what it can break
	Rules   []SignRule `json:"rules"`   // what pawl rules knows about it
}

// A MetricGap is what could not be looked at.
type MetricGap struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Try  string `json:"try,omitempty"`
}
