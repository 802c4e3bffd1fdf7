package x

import (
	"encoding/json"
)

// V3 in a closure
type event struct {
	ID, Kind, Actor, Repo, Org, Payload, Created, Ref, Sha, Url string
	Labels                                                      []string
	Extra                                                       map[string]string
}

func kinds(docs [][]byte) (out []string) {
	kind := func(d []byte) string {
		var e event
		if json.Unmarshal(d, &e) != nil {
			return ""
		}
		return e.Kind
	}
	for _, d := range docs {
		out = append(out, kind(d))
	}
	return out
}
