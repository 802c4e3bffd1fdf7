// Package evidence reads orders.
package evidence

import "encoding/json"

// Total returns the amount of an order, with its freight, and who placed it.
func Total(data []byte) (user string, amount float64, err error) {
	var order map[string]any
	if err := json.Unmarshal(data, &order); err != nil {
		return "", 0, err
	}
	return total(order)
}

func total(order map[string]any) (string, float64, error) {
	user, _ := order["user"].(string)
	amount, _ := order["freight"].(float64)
	lines, _ := order["lines"].([]any)
	for _, l := range lines {
		line, _ := l.(map[string]any)
		price, _ := line["price"].(float64)
		count, _ := line["count"].(float64)
		amount += price * count
	}
	return user, amount, nil
}
