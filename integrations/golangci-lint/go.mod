module github.com/pawl-dev/pawl/integrations/golangci-lint

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/pawl-dev/pawl v0.1.0
	golang.org/x/tools v0.52.0
)
