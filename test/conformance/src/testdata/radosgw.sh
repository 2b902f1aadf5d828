#!/bin/bash
# A complete Ceph with one monitor, one OSD in memory and one radosgw, run inside a root file system that contains them.
# usage: radosgw.sh <folder> <monitor port> <S3 port>. Prints READY when the user "test" (key "test") exists.
set -eu
# Packages that are unpacked and not installed have no devices.
for device in 'null 1 3' 'zero 1 5' 'random 1 8' 'urandom 1 9'; do
  read -r name major minor <<< "$device"
  [ -e "/dev/$name" ] || mknod -m 666 "/dev/$name" c "$major" "$minor"
done
folder=$1 monitor_port=$2 s3_port=$3
mkdir -p "$folder"/{mon,osd,rgw,run}
cd "$folder"
export CEPH_CONF=$folder/ceph.conf
fsid=4b5c8c0a-ff60-454b-a1b4-9747aa737d19
cat > ceph.conf <<EOF
[global]
fsid = $fsid
mon host = v2:127.0.0.1:$monitor_port
mon initial members = a
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
mon allow pool size one = true
mon max pg per osd = 1000
# Lowers Ceph's limit of free disk space: the disk belongs to the host.
mon data avail crit = 1
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
osd class dir = $(ls -d /usr/lib/*/rados-classes)
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
run dir = $folder/run
admin socket =
[mon.a]
mon data = $folder/mon
[osd.0]
osd data = $folder/osd
keyring = $folder/keyring
[client]
keyring = $folder/keyring
rgw frontends = beast endpoint=127.0.0.1:$s3_port
rgw data = $folder/rgw
EOF
ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
monmaptool --create --addv a "[v2:127.0.0.1:$monitor_port]" --fsid $fsid monmap
ceph-mon --mkfs -i a --monmap monmap --keyring keyring
ceph-mon -f -i a &
uuid=6a0e8f5e-1111-4444-8888-123456789abc
ceph osd new $uuid
ceph auth get-or-create osd.0 mon 'allow profile osd' osd 'allow *' mgr 'allow *' >> keyring
ceph-osd -i 0 --mkfs --osd-uuid $uuid --monmap monmap
ceph-osd -f -i 0 &
# As a daemon, radosgw would look for its key in its own data folder, whatever ceph.conf contains.
radosgw -f -n client.admin --keyring keyring &
radosgw-admin user create --uid=test --display-name=test --access-key=test --secret-key=test
echo READY
wait
