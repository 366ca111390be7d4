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
    ending=0
    kill -TERM $pid
    wait $pid || ending=$?
    rm /tmp/$1.pid
    [ $ending = 0 ] || fail "$1 ended with $ending"
    echo "$1 ended with 0"
}

# talk NAME: a bluetoothctl that hears `say NAME WORDS`.
talk() {
    mkfifo /tmp/$1.words
    bluetoothctl < /tmp/$1.words > /tmp/$1.log 2>&1 &
    echo $! > /tmp/$1.pid
}

adapters() { ls /sys/class/bluetooth 2> /dev/null | grep -E '^hci[0-9]+$' | sort | tr '\n' ' '; }

# begin_adapters NUMBER OPTIONS…: `attach --vhci` until so many adapters are there and the kernel knows their addresses. The kernel
# waits two seconds for each answer and then leaves an adapter as it is, which is short for a machine that is emulated on a
# busy one: then all of it begins again, five times at most.
begin_adapters() {
    number=$1
    shift
    for attempt in 1 2 3 4 5; do
        begin attach bluethroat attach --vhci --devices $number --no-panel "$@"
        missing=
        for index in $(seq 0 $((number - 1))); do
            says /tmp/attach.log "hci$index is an adapter of this machine now"
        done
        for index in $(seq 0 $((number - 1))); do
            late=$(($(seconds) + 15))
            until has_address hci$index || [ $(seconds) -gt $late ]; do usleep 200000; done
            has_address hci$index || missing=hci$index
        done
        [ -n "$missing" ] || return 0
        echo "$missing has no address, the kernel did not wait: again"
        end attach
        until_true 120 no_adapter
    done
    fail "the kernel has no $number adapters"
}

# Since the kernel was started.
seconds() { cut -d. -f1 /proc/uptime; }

no_adapter() { [ -z "$(adapters)" ]; }

# powered ADAPTER: waits until bluetoothd has powered it, which it does by itself; `power on` meanwhile would be refused as busy.
powered() {
    is_powered() {
        dbus-send --system --print-reply --dest=org.bluez /org/bluez/$1 org.freedesktop.DBus.Properties.Get \
            string:org.bluez.Adapter1 string:Powered | grep -q 'boolean true'
    }
    until_true 300 is_powered $1
    echo "$1 is powered"
}

# has_address ADAPTER: whether the kernel has asked the controller for it, which it does when it has made the adapter.
has_address() { [ -n "$(address $1)" ] && [ "$(address $1)" != 00:00:00:00:00:00 ]; }

address() { hciconfig $1 | sed -n 's/.*BD Address: \([0-9A-F:]*\).*/\1/p'; }

bluetooth_service() {
    begin bluetoothd /usr/libexec/bluetooth/bluetoothd -n
    until_true 300 dbus-send --system --print-reply --dest=org.bluez / org.freedesktop.DBus.Introspectable.Introspect
}
