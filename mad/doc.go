// Package mad holds the management datagram: the 256-byte packet with its
// headers, management classes, methods, attribute identifiers, status codes,
// and the addresses of its sender and destination (IBA vol. 1, 13.4).
//
// The attributes that packets carry are in the packages below: mad/smp for
// subnet management. Sending and matching replies is package madrpc.
package mad
