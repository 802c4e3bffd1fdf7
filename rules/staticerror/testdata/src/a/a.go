package a

import (
	"errors"
	"fmt"
	"log"
)

// Parse is for everyone: who compares errors is not known, the fix is a proposal.
func Parse(tokens []string) error {
	for _, t := range tokens {
		if t == "" {
			return fmt.Errorf("bad token") // want `fmt.Errorf builds the same error each time Parse fails`
		}
	}
	return nil
}

func Mark(token string) error {
	if token == "x" {
		return errors.New("a: x marks nothing") // want `errors.New builds the same error each time Mark fails`
	}
	return nil
}

func digit(c byte) (int, error) {
	if c < '0' || c > '9' {
		return 0, errors.New("no digit") // want `errors.New builds the same error`
	}
	return int(c - '0'), nil
}

func digits(s string) (n int) {
	for i := range len(s) {
		d, err := digit(s[i])
		if err != nil {
			log.Printf("%d: %v", i, err)
			continue
		}
		n += d
	}
	return n
}

const tooLong = "too long"

func Check(s string) (err error) {
	if len(s) > 9 {
		err = errors.New(tooLong) // want `errors.New builds the same error`
	}
	var other error = errors.New("bad token") // want `errors.New builds the same error`
	if s == "" {
		return other
	}
	return err
}

func Short(s string) error {
	const here = "too short"
	if len(s) < 2 {
		return errors.New(here) // want `errors.New builds the same error`
	}
	return nil
}

func checker() func(string) error {
	return func(s string) error {
		if s == "" {
			return errors.New("%!") // want `errors.New builds the same error`
		}
		return nil
	}
}

// Two texts have one name, which ends in a digit.
func Numbered() error {
	return errors.New("code 4") // want `errors.New builds the same error`
}

func NumberedAlike() error {
	return errors.New("code: 4") // want `errors.New builds the same error`
}

// What follows is left alone.

var errSentinel = errors.New("sentinel")

func context(name string) error {
	if name == "" {
		return errSentinel
	}
	return fmt.Errorf("%s: %w", name, errSentinel)
}

func percent() error {
	return fmt.Errorf("100%% wrong")
}

func text(s string) error { return errors.New(s) }

func fails() {
	panic(errors.New("cannot be"))
}

func joined(err error) error { return errors.Join(err, errors.New("as well")) }

type record struct{ err error }

func stored(r *record) { r.err = errors.New("stored") }

func init() {
	if err := setup(); err != nil {
		panic(err)
	}
}

func setup() error {
	if errSentinel == nil {
		return errors.New("not set up")
	}
	return nil
}
