// Package format reads a stored fabric of any kind. It recognises what a file
// is by its content; the packages below it read and write one format each.
package format
