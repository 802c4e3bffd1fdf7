// Package evidence checks tokens.
package evidence

import "fmt"

// Parse returns an error if a token is empty.
func Parse(tokens []string) error {
	for i, t := range tokens {
		if t == "" {
			return fmt.Errorf("bad token")
		}
		if i > 99 {
			return fmt.Errorf("%d tokens", len(tokens))
		}
	}
	return nil
}
