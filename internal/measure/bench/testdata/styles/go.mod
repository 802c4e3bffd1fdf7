module example.com/styles

go 1.24
