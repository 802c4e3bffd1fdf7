// Package evidence reads orders.
package evidence

import "encoding/json"

type order struct {
	User    string  `json:"user"`
	Freight float64 `json:"freight"`
	Lines   []struct {
		Price float64 `json:"price"`
		Count float64 `json:"count"`
	} `json:"lines"`
}

// Total returns the amount of an order, with its freight, and who placed it.
func Total(data []byte) (user string, amount float64, err error) {
	var o order
	if err := json.Unmarshal(data, &o); err != nil {
		return "", 0, err
	}
	amount = o.Freight
	for _, l := range o.Lines {
		amount += l.Price * l.Count
	}
	return o.User, amount, nil
}
