package a

import "errors"

type cut struct{ from, to int }

func newCut(s string) (*cut, error) {
	if s == "" {
		return nil, errors.New("empty")
	}
	return &cut{to: len(s)}, nil
}

func maybeCut(s string) *cut {
	if s == "" {
		return nil
	}
	return &cut{to: len(s)}
}

func cuts(in []string) (all []*cut, err error) {
	for _, s := range in {
		c, err := newCut(s) // want `each element is a cut of its own on the heap`
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// What follows is left alone.

func perhaps(in []string) (all []*cut) {
	for _, s := range in {
		all = append(all, maybeCut(s))
	}
	return all
}
