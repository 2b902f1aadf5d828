/**
 * The part of the bootstrap script that is the same on every machine. It uses `root`, `sha256`, `each_mirror`,
 * `boot_config` and `nodeup_unit`, which are defined before it. POSIX sh, because images have dash, bash or busybox.
 */
export const BOOTSTRAP_STEPS = String.raw`bin=$root/opt/kops/bin

say() { echo "kops-bootstrap: $*" >&2; }

if ! command -v curl >/dev/null && ! command -v wget >/dev/null; then
  say "cannot download the agents: this image has neither curl nor wget; use an image that has one of them"
  exit 1
fi

if [ ${'$'}{#sha256} -ne 64 ]; then
  say "cannot check the agents: their hash was not known when this was written; write it again with a connection"
  exit 1
fi
part=$bin/.kops-agents.$sha256.part

# openssl uses the processor's instructions for SHA, and takes a sixth of the time.
sha256_of() {
  if command -v openssl >/dev/null; then openssl dgst -sha256 -r "$1"; else sha256sum "$1"; fi | cut -d' ' -f1
}

matches() { [ -f "$1" ] && [ "$(sha256_of "$1")" = "$sha256" ]; }

size_of() { if [ -f "$1" ]; then echo $(($(wc -c <"$1"))); else echo 0; fi; }

# A file is flushed before it gets its name: after a power failure it is whole or absent. Old tools flush everything.
flush() { sync "$1" 2>/dev/null || sync; }

put() {
  mkdir -p "$(dirname "$1")"
  cat >"$1.new"
  flush "$1.new"
  mv -f "$1.new" "$1"
}

# The agents have about 120 MB: 1 GiB is more than any release will have, and less than any machine has room for.
max_blocks=2097152

# Continues where an earlier attempt stopped. A mirror that hangs or crawls is left for the next one, and one that sends
# without end fills no disk.
fetch() (
  ulimit -f $max_blocks
  if command -v curl >/dev/null; then
    curl --fail --location --silent --show-error --connect-timeout 10 --speed-limit 16384 --speed-time 30 \
      --continue-at - --output "$part" "$1"
  elif wget --version >/dev/null 2>&1; then
    wget --quiet --continue --tries=1 --timeout=20 --output-document="$part" "$1"
  else
    # busybox: Debian's 1.35 crashes when it is given a timeout.
    wget -q -c -O "$part" "$1"
  fi
)

# Nothing is believed but the hash.
try_mirror() {
  had=$(size_of "$part")
  ended=0
  fetch "$1" || ended=$?
  if matches "$part"; then return 0; fi
  if [ "$had" -gt 0 ] && { [ $ended -eq 0 ] || [ "$(size_of "$part")" -eq "$had" ]; }; then
    # What was gone on from may be another mirror's wrong bytes, or this one cannot resume: ask it for the whole.
    mv -f "$part" "$part.old"
    ended=0
    fetch "$1" || ended=$?
    if matches "$part"; then return 0; fi
    if [ "$(size_of "$part")" -eq 0 ]; then mv -f "$part.old" "$part"; fi
  fi
  got=$(size_of "$part")
  case $ended in
    0) why="wrong content" ;;
    # So wget and curl say that they cannot write.
    3 | 23) why="no room for more" ;;
    *) if [ "$got" -ge $((max_blocks * 512)) ]; then why="too long"; else why=""; fi ;;
  esac
  if [ -n "$why" ]; then
    say "$1: $why ($got bytes), thrown away"
    # Also where the disk is full: the next mirror needs the room.
    rm -f "$part" "$part.old"
  else
    say "$1: broken off, $got bytes so far"
  fi
  return 1
}

mkdir -p "$bin"
if ! matches "$bin/kops-agents"; then
  delay=1
  until matches "$part" || each_mirror try_mirror; do
    say "no mirror has given the agents; the next round begins in $delay s"
    sleep $delay
    delay=$((delay < 30 ? delay * 2 : 60))
  done
  chmod 0755 "$part"
  flush "$part"
  mv -f "$part" "$bin/kops-agents"
  rm -f "$bin"/.kops-agents.*
  say "the agents are in $bin"
fi

for name in nodeup protokube etcd-manager node-authority; do
  rm -f "$bin/.$name.new"
  ln -s kops-agents "$bin/.$name.new"
  mv -f "$bin/.$name.new" "$bin/$name"
done

boot_config | put "$root/etc/kops/boot.json"
nodeup_unit | put "$root/etc/systemd/system/nodeup.service"
# Not waited for: nodeup takes minutes, and cloud-init has a boot to finish. Enabling it also makes systemd read the unit.
systemctl enable --now --no-block nodeup.service
say "nodeup is started: journalctl -u nodeup"
`;
