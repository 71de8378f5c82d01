package sa

import (
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

func (*Text) slToVLRecord(w *printer, row []byte) {
	var v SLtoVLMappingTableRecord
	v.Decode((*[16]byte)(row))
	w.printf("SL2VLTableRecord dump:")
	w.lines(tables, "%d", "LID", v.LID, "InPort", v.InPort, "OutPort", v.OutPort)
	w.printf("\t\tSL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|")
	w.entries("VL:", v.Table.VLs[:])
}

func (*Text) vlArbRecord(w *printer, row []byte) {
	var v VLArbitrationTableRecord
	v.Decode((*[72]byte)(row))
	w.printf("VLArbTableRecord dump:")
	w.lines(tables, "%d", "LID", v.LID, "Port", v.PortNum, "Block", v.Block)
	for half := range 2 {
		var vls, weights [16]uint8
		for i := range vls {
			at := 8 + (half*16+i)*2
			vls[i], weights[i] = row[at], row[at+1] // saquery does not mask the lane
		}
		w.entries("VL    :", vls[:])
		w.entries("Weight:", weights[:])
	}
}

func (*Text) pKeyRecord(w *printer, row []byte) {
	var v PKeyTableRecord
	v.Decode((*[72]byte)(row))
	w.printf("PKeyTableRecord dump:")
	w.lines(tables, "%d", "LID", v.LID, "Port", v.PortNum, "Block", v.Block)
	w.printf("\t\tPKey Table:")
	for i, key := range v.Table.Keys {
		end := " "
		switch i % 8 {
		case 0:
			w.dst = append(w.dst, "\t\t"...)
		case 7:
			end = "\n"
		}
		w.dst = fmt.Appendf(w.dst, "0x%04x%s", uint16(key), end)
	}
	w.printf("")
}

func (*Text) lftRecord(w *printer, row []byte) {
	var v LinearForwardingTableRecord
	v.Decode((*[72]byte)(row))
	w.printf("LFT Record dump:")
	w.lines(tables, "%d", "LID", v.LID, "Block", v.Block)
	w.printf("\t\tLFT:\n\t\tLID\tPort Number")
	for i, port := range v.Table.Ports {
		w.printf("\t\t%d\t%d", int(v.Block)*len(v.Table.Ports)+i, port)
	}
	w.printf("")
}

func (*Text) mftRecord(w *printer, row []byte) {
	var v MulticastForwardingTableRecord
	v.Decode((*[72]byte)(row))
	w.printf("MFT Record dump:")
	w.lines(tables, "%d", "LID", v.LID, "Position", v.Position, "Block", v.Block)
	w.printf("\t\tMFT:\n\t\tMLID\tPort Mask")
	for i, mask := range v.Table.PortMasks {
		w.printf("\t\t0x%04x\t0x%04x", int(ib.MinMulticastLID)+int(v.Block)*len(v.Table.PortMasks)+i, mask)
	}
	w.printf("")
}

func (*Text) guidInfoRecord(w *printer, row []byte) {
	var v GUIDInfoRecord
	v.Decode((*[72]byte)(row))
	w.printf("GUIDInfo Record dump:")
	w.lines(tables, "%d", "LID", v.LID, "Block", v.Block)
	for i, guid := range v.GUIDs {
		w.line(tables, fmt.Sprintf("GUID %d", i), "0x%016x", uint64(guid))
	}
}
