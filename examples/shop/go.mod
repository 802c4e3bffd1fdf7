module github.com/pawl-dev/pawl/examples/shop

go 1.25.0
