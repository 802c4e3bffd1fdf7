package c61

import (
	"errors"
	"fmt"
	"math/big"
)

type Kind uint8

const (
	Note Kind = iota
	Debit
	Credit
)

type Posting struct {
	Account, Amount string
	Kind            Kind
}

var (
	errAmount   = errors.New("not an amount")
	errNegative = errors.New("negative amount")
)

// V1 method and two functions, switch in a range over an int
type Journal struct {
	strict   bool
	postings []Posting
}

func (j *Journal) Validate() error {
	for i := range len(j.postings) {
		switch p := &j.postings[i]; p.Kind {
		case Debit, Credit:
			if err := j.amount(p.Amount); err != nil {
				return fmt.Errorf("posting %d to %s: %w", i+1, p.Account, err)
			}
		}
	}
	return nil
}

func (j *Journal) amount(text string) error {
	var r big.Rat
	if _, ok := r.SetString(text); !ok {
		return errAmount
	}
	if j.strict && r.Sign() < 0 {
		return errNegative
	}
	return nil
}
