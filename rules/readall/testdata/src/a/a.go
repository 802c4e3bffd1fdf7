package a

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
)

type order struct{ ID int }

func read(r *http.Request) (o order, err error) {
	body, err := io.ReadAll(r.Body) // want `a json.Decoder reads it as it goes`
	if err != nil {
		return o, err
	}
	err = json.Unmarshal(body, &o)
	return o, err
}

func readShort(r io.Reader) (*order, error) {
	o := new(order)
	body, err := io.ReadAll(r) // want `the whole stream is read to be decoded once`
	if err != nil {
		return nil, err
	}
	return o, json.Unmarshal(body, o)
}

// What follows is left alone.

func signed(r io.Reader, o *order) ([32]byte, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(body), json.Unmarshal(body, o)
}

func limited(r io.Reader, o *order) error {
	body, err := io.ReadAll(io.LimitReader(r, 4096))
	if err != nil {
		return err
	}
	return json.Unmarshal(body, o)
}

func between(resp *http.Response, o *order) error {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	resp.Body.Close()
	return json.Unmarshal(body, o)
}

func returned(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return body, nil
}

func streamed(r io.Reader, o *order) error {
	return json.NewDecoder(r).Decode(o)
}

func unchecked(r io.Reader, o *order) error {
	body, err := io.ReadAll(r)
	if uerr := json.Unmarshal(body, o); uerr != nil {
		return uerr
	}
	return err
}

func handled(r io.Reader, o *order) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	} else {
		o.ID++
	}
	return json.Unmarshal(body, o)
}

func drained(r io.Reader) error {
	_, err := io.ReadAll(r)
	return err
}

func inLoop(r io.Reader, all []*order) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	for _, o := range all {
		if err := json.Unmarshal(body, o); err != nil {
			return err
		}
	}
	return nil
}
