# What the recipes share. A recipe ends at the first line that does not hold.
set -e

fail() {
    echo "failed: $*"
    exit 1
}

# until_true SECONDS COMMAND…: tries ten times a second until the command succeeds.
until_true() {
    left=$(($1 * 10))
    shift
    until "$@" > /dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || fail "in vain: $*"
        usleep 100000
    done
}

# says FILE TEXT: waits until the text is in the file.
says() {
    until_true 300 grep -qF -- "$2" "$1"
    echo "$(basename "$1" .log): $2"
}

# begin NAME COMMAND…: starts a program whose output goes to /tmp/NAME.log.
begin() {
    name=$1
    shift
    "$@" > /tmp/$name.log 2>&1 &
    echo $! > /tmp/$name.pid
}

# end NAME: tells it to end and waits until it has. A shell's background programs do not hear SIGINT, so it is SIGTERM.
end() {
    pid=$(cat /tmp/$1.pid)
    kill -TERM $pid
    wait $pid || code=$?
    rm /tmp/$1.pid
    echo "$1 ended with ${code:-0}"
}

# talk NAME: a bluetoothctl that hears `say NAME WORDS`.
talk() {
    mkfifo /tmp/$1.words
    bluetoothctl < /tmp/$1.words > /tmp/$1.log 2>&1 &
    echo $! > /tmp/$1.pid
}

adapters() { ls /sys/class/bluetooth 2> /dev/null | grep -E '^hci[0-9]+$' | sort | tr '\n' ' '; }

no_adapter() { [ -z "$(adapters)" ]; }

address() { hciconfig $1 | sed -n 's/.*BD Address: \([0-9A-F:]*\).*/\1/p'; }

bluetooth_service() {
    begin bluetoothd /usr/libexec/bluetooth/bluetoothd -n
    until_true 300 dbus-send --system --print-reply --dest=org.bluez / org.freedesktop.DBus.Introspectable.Introspect
}
