module github.com/pawl-dev/pawl/examples/wire

go 1.25.0
