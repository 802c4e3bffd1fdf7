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

// What follows is left alone.

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
