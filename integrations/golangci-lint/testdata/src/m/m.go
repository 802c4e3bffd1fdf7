package m

import "strings"

func host(address string) string {
	parts := strings.Split(address, ":") // want `strings.Split`
	return parts[0]
}

func named(address string) string {
	//nolint:pawl // golangci-lint takes this finding away, not the plugin
	parts := strings.Split(address, ":") // want `strings.Split`
	return parts[0]
}

func start(address string) string {
	//lint:ignore pawl/splitcut at start-up only
	parts := strings.Split(address, ":")
	return parts[0]
}
