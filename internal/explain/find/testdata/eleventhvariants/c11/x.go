package c11

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// V4 generic

func fetchJSON[T any](url string) (T, error) {
	var value T
	client := http.Client{Timeout: 5 * time.Second}
	resp, err := client.Get(url)
	if err != nil {
		return value, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return value, fmt.Errorf("%s: %s", url, resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&value)
	return value, err
}
