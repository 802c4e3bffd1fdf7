module github.com/pawl-dev/pawl

go 1.25.0
