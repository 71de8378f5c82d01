// Package summary writes what an engineer wants to know first about a fabric:
// which nodes there are, how the links run, which run below what both ends
// support, what is wrong, and what the sweep cost. The text fits 80 columns and
// shows no character that a terminal could act on. With a topology it also says
// how the fabric is built, and WriteJSON writes all of it for programs.
package summary
