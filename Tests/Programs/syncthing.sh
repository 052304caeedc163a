# Two devices on loopback share a folder: WORK SOURCE INBOX.
work=$1 source=$2 inbox=$3
mkdir "$work/sent"; cp "$source/big.bin" "$source/letter.txt" "$work/sent"; mkdir "$work/sent/.stfolder"
mkdir -p "$inbox/.stfolder"
for side in a b; do
    export STHASHING=standard STNODEFAULTFOLDER=1
    syncthing generate --no-default-folder --home="$work/$side" >/dev/null
done
id() { syncthing --home="$work/$1" --device-id; }
a=$(id a) b=$(id b)
port() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
pa=$(port) pb=$(port)
config() { # side, own id, own port, other id, other port, folder, type
    cat >"$work/$1/config.xml" <<EOF
<configuration version="36">
<folder id="f" label="f" path="$6" type="$7" rescanIntervalS="60" fsWatcherEnabled="false"><device id="$2"/><device id="$4"/></folder>
<device id="$2" name="own"><address>dynamic</address></device>
<device id="$4" name="other"><address>tcp://127.0.0.1:$5</address></device>
<gui enabled="false"/>
<options><listenAddress>tcp://127.0.0.1:$3</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>
<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
<urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled><startBrowser>false</startBrowser>
<autoUpgradeIntervalH>0</autoUpgradeIntervalH><reconnectionIntervalS>1</reconnectionIntervalS></options>
</configuration>
EOF
}
config a "$a" "$pa" "$b" "$pb" "$work/sent" sendonly
config b "$b" "$pb" "$a" "$pa" "$inbox" receiveonly
syncthing serve --no-browser --no-restart --home="$work/b" >"$work/b/log" 2>&1 & first=$!
syncthing serve --no-browser --no-restart --home="$work/a" >"$work/a/log" 2>&1 & second=$!
for i in $(seq 300); do [ -e "$inbox/../letter.txt" ] && [ -e "$inbox/../big.bin" ] && break; sleep 0.1; done
kill "$first" "$second"; wait || true
rm -rf "$inbox/.stfolder"
