package c10

// V1 closure
func Counter() (inc func(string), get func(string) int) {
	values := map[string]any{}
	get = func(key string) int {
		n, _ := values[key].(int)
		return n
	}
	inc = func(key string) { values[key] = get(key) + 1 }
	return inc, get
}
