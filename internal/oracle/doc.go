// Package oracle holds the tests that run the C tools and ours side by side on
// one fabric and compare what they print, byte for byte. Differences that are
// meant are in the tests, each with its reason.
//
// Most command lines need no test of their own: testdata/invocations.txt is a table
// of them, and testdata/differences.txt tells where ours are meant to differ, and
// which tests pin the faults of C that the table cannot show.
package oracle
