package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// object reads a page that is a JSON object: the variables of expvar, or
// figures by the names of runtime/metrics. It may be both, as where a program
// publishes the latter with the former.
func object(data []byte) (*Reading, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	r := newReading("runtime/metrics")
	if raw, ok := members["memstats"]; ok {
		r.Form = "expvar"
		if err := r.memstats(raw); err != nil {
			return nil, err
		}
	}
	var words []string
	if json.Unmarshal(members["cmdline"], &words) == nil {
		r.Command = strings.Join(words, "\x00")
	}
	for _, n := range names() {
		raw, ok := members[n.key]
		switch {
		case !ok || n.key[0] != '/':
		case n.kind == histogram:
			h, err := parseHistogram(raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", n.key, err)
			}
			r.Hists[n.key] = h
		default:
			v, err := number(raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", n.key, err)
			}
			r.put(n.key, v)
		}
	}
	return r, nil
}

// memstats takes the fields of runtime.MemStats that are of use.
func (r *Reading) memstats(raw json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return errors.New("its memstats is no object: another program's, or not expvar's own")
	}
	for _, n := range names() {
		raw, ok := fields[n.mem]
		if !ok || n.mem == "" {
			continue
		}
		v, err := number(raw)
		if err != nil {
			return fmt.Errorf("memstats: %s: %w", n.mem, err)
		}
		r.putField(n, v)
	}
	var pauses []float64
	if raw, ok := fields["PauseNs"]; ok && json.Unmarshal(raw, &pauses) == nil {
		r.putPauses(pauses)
	}
	return nil
}

func (r *Reading) putField(n name, v float64) {
	if n.scale != 0 {
		v *= n.scale
	}
	r.put(n.key, v)
}

// putPauses keeps the ring of the last pauses, given in ns, if it is one.
func (r *Reading) putPauses(ns []float64) {
	if len(ns) != 256 {
		return
	}
	out := make([]float64, len(ns))
	for i, v := range ns {
		if !(v >= 0) || math.IsInf(v, 0) {
			return
		}
		out[i] = v / 1e9
	}
	r.Pauses = out
}

// number reads a JSON number of any size: one too large for a float64 is
// infinite.
func number(raw json.RawMessage) (float64, error) {
	text := string(bytes.TrimSpace(raw))
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || text != "" && text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return 0, errors.New("is no number")
	}
	return v, nil
}

// parseHistogram reads {"buckets": […], "counts": […]}, where a bound may be
// "-Inf" or "+Inf".
func parseHistogram(raw json.RawMessage) (Histogram, error) {
	var form struct {
		Buckets []json.RawMessage `json:"buckets"`
		Counts  []float64         `json:"counts"`
	}
	if err := json.Unmarshal(raw, &form); err != nil {
		return Histogram{}, errors.New("is no histogram: an object with the arrays buckets and counts")
	}
	h := Histogram{Counts: form.Counts}
	for _, b := range form.Buckets {
		var v float64
		switch text := string(b); text {
		case `"-Inf"`:
			v = math.Inf(-1)
		case `"+Inf"`, `"Inf"`:
			v = math.Inf(1)
		default:
			var err error
			if v, err = number(b); err != nil {
				return Histogram{}, fmt.Errorf("the bound %.20s %w", text, err)
			}
		}
		h.Buckets = append(h.Buckets, v)
	}
	if !h.valid() {
		return Histogram{}, errors.New("is no histogram: bounds must grow, and there is one more of them than of counts")
	}
	return h, nil
}
