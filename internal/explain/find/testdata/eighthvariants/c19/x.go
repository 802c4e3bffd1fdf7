package c19

import (
	"encoding/json"
	"fmt"
)

// V1 closure
func Handlers() map[string]func([]byte) (string, error) {
	return map[string]func([]byte) (string, error){
		"login": func(msg []byte) (string, error) {
			var body map[string]any
			if err := json.Unmarshal(msg, &body); err != nil {
				return "", err
			}
			user, ok := body["user"].(string)
			if !ok {
				return "", fmt.Errorf("login: no user")
			}
			device, _ := body["device"].(string)
			return user + "@" + device, nil
		},
	}
}
