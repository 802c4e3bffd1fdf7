package c10

// V1 methods of a named map type, missed
type gauges map[string]any

func (g gauges) add(name string, delta float64) {
	cur, _ := g[name].(float64)
	g[name] = cur + delta
}

func (g gauges) total() (sum float64) {
	for _, v := range g {
		switch v := v.(type) {
		case float64:
			sum += v
		}
	}
	return sum
}

type Usage struct {
	byHost gauges
}

func NewUsage() *Usage { return &Usage{byHost: gauges{}} }

func (u *Usage) Record(host string, seconds float64) float64 {
	u.byHost.add(host, seconds)
	return u.byHost.total()
}
