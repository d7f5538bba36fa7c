module program

go 1.18
