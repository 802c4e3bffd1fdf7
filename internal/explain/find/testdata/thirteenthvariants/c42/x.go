package c42

import (
	"fmt"
	"regexp"
)

// V1 renamed

var emailPattern = regexp.MustCompile(`(?i)^(?:[a-z0-9!#$%&'*+/=?^_{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_{|}~-]+)*|"(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21\x23-\x5b\x5d-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*")@(?:(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)$`)

func validateContact(kind, address string) error {
	if kind != "email" {
		return nil
	}
	if !emailPattern.MatchString(address) {
		return fmt.Errorf("%q is no e-mail address", address)
	}
	return nil
}
