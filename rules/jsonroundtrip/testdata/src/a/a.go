package a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
)

type event struct {
	Seq  int64          `json:"seq"`
	Keys []string       `json:"keys"`
	Data map[string]any `json:"data,omitempty"`
}

// The seed's own shape.
func frame(w *bytes.Buffer, payload []byte) error {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil { // want `e is decoded here only to be encoded again; json.Valid checks the document`
		return err
	}
	out, err := json.Marshal(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "data: %s\n\n", out)
	return nil
}

func frames(w io.Writer, payloads [][]byte) error {
	for _, p := range payloads {
		var e event
		if err := json.Unmarshal(p, &e); err != nil { // want `e is decoded here only to be encoded again`
			return err
		}
		out, err := json.Marshal(&e)
		if err != nil {
			return err
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// Members would come out in another order: no fix.
func show(w io.Writer, payload []byte) error {
	var doc any
	if err := json.Unmarshal(payload, &doc); err != nil { // want `json.Indent lays the document out`
		return err
	}
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

func anything(payload []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(payload, &doc); err != nil { // want `json.Compact takes out its blanks, which leave the order of members as it is`
		return nil, err
	}
	return json.Marshal(doc)
}

func made(payload []byte) ([]byte, error) {
	e := new(event)
	if err := json.Unmarshal(payload, e); err != nil { // want `e is decoded here only to be encoded again`
		return nil, err
	}
	return json.Marshal(e)
}

func decode(b []byte) (*event, error) {
	var e event
	if err := json.Unmarshal(b, &e); err != nil {
		return nil, err
	}
	return &e, nil
}

func named(b []byte) (e event, err error) {
	err = json.Unmarshal(b, &e)
	return e, err
}

func apart(in, more []byte) ([]byte, []byte) {
	e, err := decode(in) // want `e is decoded here only to be encoded again`
	if err != nil {
		return nil, nil
	}
	f, _ := named(more) // want `f is decoded here only to be encoded again`
	a, _ := json.Marshal(e)
	b, _ := json.Marshal(f)
	return a, b
}

// What follows is left alone.

func apartUsed(in []byte) ([]byte, error) {
	e, err := decode(in)
	if err != nil || e.Seq == 0 {
		return nil, err
	}
	return json.Marshal(e)
}

func preset(b []byte) (event, error) {
	e := event{Seq: 1}
	return e, json.Unmarshal(b, &e)
}

func apartPreset(in []byte) ([]byte, error) {
	e, err := preset(in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(e)
}

func checked(payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, err
	}
	if e.Seq == 0 { // read
		return nil, io.EOF
	}
	return json.Marshal(e)
}

func stamped(payload []byte, seq int64) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, err
	}
	e.Seq = seq // written
	return json.Marshal(e)
}

func (e *event) normalize() { e.Keys = nil }

func mended(payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, err
	}
	e.normalize()
	return json.Marshal(e)
}

func canonicalEvent(payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil { // the order of members is the point
		return nil, err
	}
	return json.Marshal(e)
}

func stripUnknown(payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil { // members that are not known are the point
		return nil, err
	}
	return json.Marshal(e)
}

// The document is kept as it is already.
func kept(payload []byte) ([]byte, error) {
	var doc json.RawMessage
	if err := json.Unmarshal(payload, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

type level int

func (l *level) UnmarshalJSON(b []byte) error { *l = level(len(b)); return nil }

type setting struct{ Level level }

func levels(payload []byte) ([]byte, error) {
	var s setting
	if err := json.Unmarshal(payload, &s); err != nil { // its own way with JSON
		return nil, err
	}
	return json.Marshal(s)
}

func merged(base, over []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(base, &e); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(over, &e); err != nil { // one over the other
		return nil, err
	}
	return json.Marshal(e)
}

func layered(all [][]byte) ([]byte, error) {
	var e event
	for _, b := range all {
		if err := json.Unmarshal(b, &e); err != nil {
			return nil, err
		}
	}
	return json.Marshal(e)
}

func defaults(payload []byte) ([]byte, error) {
	e := event{Seq: 1}
	if err := json.Unmarshal(payload, &e); err != nil { // adds what is missing
		return nil, err
	}
	return json.Marshal(e)
}

func converted(e event) (url.Values, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	var v url.Values
	return v, json.Unmarshal(b, &v) // from one type to another
}
