package x

import (
	"encoding/json"
	"io"
	"net/http"
)

// V1 other names
type order struct{ ID int }

func orders(rq *http.Request) (list []order, err error) {
	payload, err := io.ReadAll(rq.Body)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(payload, &list)
	return list, err
}
