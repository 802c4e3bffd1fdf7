package c19

import (
	"encoding/json"
	"fmt"
	"io"
)

// V2 method

type tokenSource struct{ clientID string }

func (ts *tokenSource) accessToken(body io.Reader) (string, float64, error) {
	var answer map[string]any
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return "", 0, fmt.Errorf("token for %s: %w", ts.clientID, err)
	}
	token, _ := answer["access_token"].(string)
	expires, _ := answer["expires_in"].(float64)
	return token, expires, nil
}
