package uverbs

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"structs"

	"golang.org/x/sys/unix"
)

// slack is room behind the memory that a driver is told of. Some drivers copy
// their whole answer and never look at the size they were given.
const slack = 4096

// driverOut is memory for size bytes of driver data.
func driverOut(size int) []byte { return make([]byte, size+slack)[:size] }

// getContext tries the requests of the driver one after the other.
func (d *Device) getContext() error {
	if err := d.checkABI(); err != nil {
		return err
	}
	requests := d.driver.requests
	if len(requests) == 0 {
		requests = [][]byte{nil}
	}
	var err error
	for _, request := range requests {
		if err = d.requestContext(request); err == nil || !errors.Is(err, unix.EINVAL) && !isUnsupported(err) {
			return err
		}
	}
	return err
}

func (d *Device) requestContext(request []byte) error {
	answer := driverOut(d.driver.responseLen)
	var uhw []attr
	if len(request) > 0 {
		uhw = append(uhw, attr{id: attrDriverIn, in: request})
	}
	if len(answer) > 0 {
		uhw = append(uhw, attr{id: attrDriverOut, out: answer})
	}
	var vectors uint32
	var support uint64
	core := []attr{out(attrCompVectors, &vectors), out(attrCoreSupport, &support)}
	err := call(d.kernel, uint32(d.driver.id), methodGetContext, append(core, uhw...)...)
	if errors.Is(err, unix.EPROTONOSUPPORT) {
		vectors, err = d.requestOldContext(uhw)
	}
	if err == nil {
		d.compVectors, d.answer = vectors, answer
	}
	return err
}

// oldContextRequest and oldContextResponse are struct ib_uverbs_get_context and
// its answer.
type (
	oldContextRequest struct {
		_        structs.HostLayout
		Response uint64
	}
	oldContextResponse struct {
		_           structs.HostLayout
		AsyncFD     uint32
		CompVectors uint32
	}
)

// requestOldContext is for kernels before 5.7, which give a descriptor for events
// along with the context. It is not wanted.
func (d *Device) requestOldContext(uhw []attr) (vectors uint32, err error) {
	var r oldContextResponse
	core := []attr{in(attrCoreIn, oldContextRequest{}), out(attrCoreOut, &r)}
	if err := invoke(d.kernel, uint32(d.driver.id), cmdGetContext, core, uhw); err != nil {
		return 0, err
	}
	return r.CompVectors, d.kernel.closeFD(r.AsyncFD)
}

// checkABI refuses a driver whose interface has a revision that the table was not
// written for. A revision that cannot be read is not checked: the driver itself
// refuses what it does not understand.
func (d *Device) checkABI() error {
	abi, ok := d.readABI()
	if ok && (abi < d.driver.minABI || abi > d.driver.maxABI) {
		return fmt.Errorf("%w: %s has revision %d, known are %d to %d", ErrABI, d.driver.id, abi, d.driver.minABI, d.driver.maxABI)
	}
	return nil
}

func (d *Device) readABI() (int, bool) {
	sys := d.info.SysfsPath()
	if sys == "" || d.info.UverbsName == "" {
		return 0, false
	}
	class := path.Dir(path.Dir(sys)) // of /sys/class/infiniband/mlx5_0
	text, err := os.ReadFile(path.Join(class, "infiniband_verbs", d.info.UverbsName, "abi_version"))
	if err != nil {
		return 0, false
	}
	abi, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return abi, err == nil
}
