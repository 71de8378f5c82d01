// Package doctest keeps the documents true: the output that README.md shows is
// what the program prints, its example compiles, the Go names in docs/ exist,
// the C functions there are all that the libraries export, and links lead
// somewhere.
package doctest
