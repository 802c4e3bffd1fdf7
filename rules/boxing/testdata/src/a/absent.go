package a

import (
	"errors"
	"strconv"
)

// Results that are nil where there is none.

func parsed(text string) (any, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, err
	}
	return n, nil // want `parsed boxes its result into any, although it is always float64; declare the type`
}

func widest(all []string, least int) (any, bool) {
	for _, s := range all {
		if len(s) > least {
			return len(s) * 1000, true // want `widest boxes its result into any, although it is always int`
		}
	}
	return nil, false
}

func widths(all []string) (n int, err error) {
	for _, text := range all {
		v, err := parsed(text)
		if err != nil {
			return 0, err
		}
		w, ok := widest(all, int(v.(float64)))
		if !ok {
			continue
		}
		switch w := w.(type) {
		case int:
			n += w
		}
	}
	return n, nil
}

// What follows is left alone.

func handedOn(text string) (any, error) {
	if text == "" {
		return nil, errors.New("empty")
	}
	return len(text) * 1000, nil
}

func all(texts []string) (out []any) {
	for _, text := range texts {
		v, err := handedOn(text)
		if err == nil {
			out = append(out, v)
		}
	}
	return out
}

func perhaps(all []string) (any, bool) {
	if len(all) > 0 {
		return all[0], true
	}
	return nil, true
}

func kinds(text string) (any, error) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	if text == "" {
		return nil, errors.New("empty")
	}
	return text, nil
}
