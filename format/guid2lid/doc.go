// Package guid2lid reads the file in which OpenSM remembers the LIDs of port GUIDs.
package guid2lid
