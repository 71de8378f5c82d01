// Package gate stands before all that a service answers over HTTP: it lets in who has
// a token, bounds how much clients may ask at once and how long an answer may take,
// compresses, and sets the headers by which browsers keep other sites out.
package gate
