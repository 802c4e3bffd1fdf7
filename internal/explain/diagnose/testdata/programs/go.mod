module programs

go 1.25
