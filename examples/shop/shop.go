package main

import (
	"fmt"
	"regexp"
	"strings"
)

// An item is something to buy.
type item struct {
	sku   string
	cents int
}

// A shop knows its items.
type shop struct{ stock []item }

// newShop returns a shop with n items.
func newShop(n int) *shop {
	s := new(shop)
	for i := range n {
		s.stock = append(s.stock, item{fmt.Sprintf("%c%c-%04d", 'A'+i%26, 'A'+i/26%26, i), 100 + i*7%900})
	}
	return s
}

// search returns a line for each item whose SKU begins with prefix: the SKU and the price.
func (s *shop) search(prefix string) (string, error) {
	valid := regexp.MustCompile(`^[A-Z]{1,2}(-[0-9]{0,4})?$`)
	if !valid.MatchString(prefix) {
		return "", fmt.Errorf("%q begins no SKU", prefix)
	}
	found := ""
	for _, it := range s.stock {
		if strings.HasPrefix(it.sku, prefix) {
			found += fmt.Sprintf("%s %d.%02d\n", it.sku, it.cents/100, it.cents%100)
		}
	}
	return found, nil
}
