package b

import (
	"errors"
)

func allowed(methods []string, method string) error {
	set := make(map[string]bool)
	for _, m := range methods { // want `set is built for 2 lookups`
		set[m] = true
	}
	if !set[method] && !set["*"] {
		return errors.New("not allowed: " + method)
	}
	return nil
}
