package c13

import "net/http"

// V3 closure
func checker(c *http.Client) func(string) bool {
	return func(u string) bool {
		resp, err := c.Get(u)
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}
}
