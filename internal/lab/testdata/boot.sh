# Boots a Debian root with systemd as the first process of a PID namespace, on the
# kernel of the guest, its devices and its control groups. What its service lab.service
# writes is in /out.
root=/debian
mkdir $root
mount -t tmpfs -o mode=755 tmpfs $root
tar xf /out/root.tar -C $root || exit 1
rm /out/root.tar
echo 0123456789abcdef0123456789abcdef >$root/etc/machine-id
mkdir -p $root/out $root/lab
mount --bind /out $root/out
mount --bind /lab $root/lab
mount --rbind /dev $root/dev
mount --rbind /sys $root/sys
cat >$root/etc/systemd/system/lab.service <<'UNIT'
[Unit]
After=multi-user.target systemd-udevd.service
[Service]
Type=oneshot
WorkingDirectory=/lab
ExecStart=/bin/bash /lab/checks
StandardOutput=file:/out/checks
StandardError=file:/out/complaints
TimeoutStartSec=infinity
ExecStopPost=systemctl poweroff --force
UNIT
mkdir -p $root/etc/systemd/system/multi-user.target.wants
ln -s ../lab.service $root/etc/systemd/system/multi-user.target.wants/lab.service
unshare -m -p -f sh -c "mount --make-rprivate / && mount -t proc proc $root/proc && cd $root &&
	mount --move . / && exec chroot . /lib/systemd/systemd --log-target=null --show-status=no" >/out/systemd 2>&1 </dev/null
exit 0
