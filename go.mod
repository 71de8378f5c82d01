module github.com/ibscope/ibscope

go 1.26
