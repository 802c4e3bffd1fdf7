package guardrails

import "encoding/json"

// The parts of a Grafana dashboard that are set. Grafana fills in the rest when it imports
// one.
type (
	dashboard struct {
		Title         string            `json:"title"`
		UID           string            `json:"uid"`
		Tags          []string          `json:"tags"`
		SchemaVersion int               `json:"schemaVersion"`
		Refresh       string            `json:"refresh"`
		Time          map[string]string `json:"time"`
		Templating    templating        `json:"templating"`
		Panels        []panel           `json:"panels"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Name       string  `json:"name"`
		Type       string  `json:"type"`
		Query      string  `json:"query"`
		Datasource *source `json:"datasource,omitempty"`
		IncludeAll bool    `json:"includeAll"`
		Multi      bool    `json:"multi"`
		Refresh    int     `json:"refresh"`
	}
	source struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	panel struct {
		ID          int            `json:"id"`
		Title       string         `json:"title"`
		Type        string         `json:"type"`
		Datasource  source         `json:"datasource"`
		GridPos     map[string]int `json:"gridPos"`
		Targets     []query        `json:"targets"`
		FieldConfig fieldConfig    `json:"fieldConfig"`
	}
	query struct {
		RefID        string `json:"refId"`
		Expr         string `json:"expr"`
		LegendFormat string `json:"legendFormat"`
	}
	fieldConfig struct {
		Defaults map[string]any `json:"defaults"`
	}
)

// Dashboard returns a dashboard for Grafana that shows the recordings among rules.
func Dashboard(rules []Rule) ([]byte, error) {
	from := source{"prometheus", "${datasource}"}
	d := dashboard{
		Title: "Go runtime", UID: "pawl-go-runtime", Tags: []string{"go"}, SchemaVersion: 39, Refresh: "1m",
		Time: map[string]string{"from": "now-6h", "to": "now"}, Panels: []panel{},
		Templating: templating{[]variable{{Name: "datasource", Type: "datasource", Query: "prometheus"}}},
	}
	for _, r := range rules {
		if r.For != "" {
			continue
		}
		n := len(d.Panels)
		if n == 0 {
			for _, label := range []string{"job", "instance"} {
				d.Templating.List = append(d.Templating.List, variable{
					Name: label, Type: "query", Query: "label_values(" + r.Name + ", " + label + ")", Datasource: &from, IncludeAll: true, Multi: true, Refresh: 2,
				})
			}
		}
		d.Panels = append(d.Panels, panel{
			ID: n + 1, Title: r.Summary, Type: "timeseries", Datasource: from,
			GridPos:     map[string]int{"x": 12 * (n % 2), "y": 8 * (n / 2), "w": 12, "h": 8},
			Targets:     []query{{"A", r.Name + `{job=~"$job", instance=~"$instance"}`, "{{job}} {{instance}}"}},
			FieldConfig: fieldConfig{map[string]any{"unit": r.Unit, "min": 0}},
		})
	}
	return json.MarshalIndent(d, "", "  ")
}
