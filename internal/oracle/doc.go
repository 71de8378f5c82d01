// Package oracle holds the tests that run the C tools and ours side by side on
// one fabric and compare what they print, byte for byte. Differences that are
// meant are in the tests, each with its reason.
package oracle
