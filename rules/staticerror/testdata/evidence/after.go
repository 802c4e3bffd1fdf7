// Package evidence checks tokens.
package evidence

import "errors"
import "fmt"

var errBadToken = errors.New("bad token")

// Parse returns an error if a token is empty.
func Parse(tokens []string) error {
	for i, t := range tokens {
		if t == "" {
			return errBadToken
		}
		if i > 99 {
			return fmt.Errorf("%d tokens", len(tokens))
		}
	}
	return nil
}
