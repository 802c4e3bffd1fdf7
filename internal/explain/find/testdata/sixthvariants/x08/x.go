package x08

// V1 early continue
func Revenue(prices map[string]float64, sold []string) (sum float64) {
	for _, name := range sold {
		if _, known := prices[name]; !known {
			continue
		}
		sum += prices[name]
	}
	return sum
}

// V2 field, nil as the question
type bus struct{ handlers map[string]func(string) int }

func (b *bus) Publish(topic, text string) int {
	if b.handlers[topic] != nil {
		return b.handlers[topic](text)
	}
	return 0
}
