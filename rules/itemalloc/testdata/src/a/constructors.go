package a

import (
	"errors"
	"strings"
)

func parsed(s string) *event {
	level, text, ok := strings.Cut(s, " ")
	if !ok {
		return nil
	}
	return &event{level: level, text: text}
}

func checked(s string) (*event, error) {
	if s == "" {
		return nil, errors.New("empty")
	}
	e := &event{text: s}
	return e, nil
}

func parses(in []string, out chan<- *event) {
	for _, s := range in {
		if e := parsed(s); e != nil { // want `a event is allocated`
			out <- e
		}
	}
}

func checks(in []string, out chan<- *event) error {
	for _, s := range in {
		e, err := checked(s) // want `a event is allocated`
		if err != nil {
			return err
		}
		out <- e
	}
	return nil
}

// What follows is left alone.

var none = &event{}

func known(s string) *event {
	if s == "" {
		return none
	}
	return &event{text: s}
}

func second(s string) (string, *event) { return s, &event{text: s} }

func shares(in []string, out chan<- *event) {
	for _, s := range in {
		out <- known(s)
		_, e := second(s)
		out <- e
	}
}
