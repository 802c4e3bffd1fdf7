package c10

// V2 method
type gauge struct {
	label string
	value any
}

type registry struct{ gauges map[string]*gauge }

func (r *registry) add(label string, by float64) {
	old, ok := r.gauges[label]
	if !ok {
		r.gauges[label] = &gauge{label: label, value: by}
		return
	}
	f, _ := old.value.(float64)
	r.gauges[label] = &gauge{label: label, value: f + by}
}
