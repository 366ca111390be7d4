# Two adapters on one air: bluetoothctl on one finds what the other advertises; ended, they are gone.
. /recipes/../helpers.sh
modprobe hci_vhci
until_true 60 test -c /dev/vhci
begin_adapters 2
[ "$(adapters)" = "hci0 hci1 " ] || fail "adapters: $(adapters)"

bluetooth_service
powered hci0
powered hci1
talk second
exec 4> /tmp/second.words
second=$(address hci1)
first=$(address hci0)
echo "hci0 is $first, hci1 is $second"
[ "$first" != "$second" ] || fail "both have one address"
# What is typed before it knows an adapter is lost.
says /tmp/second.log "Agent registered"
echo "select $second" >&4
echo "show" >&4
says /tmp/second.log "Controller $second (public)"
echo "menu advertise" >&4
echo "name guest-two" >&4
echo "back" >&4
echo "advertise on" >&4
says /tmp/second.log "Advertising object registered"

talk first
exec 5> /tmp/first.words
says /tmp/first.log "Agent registered"
echo "select $first" >&5
echo "show" >&5
says /tmp/first.log "Controller $first (public)"
echo "scan on" >&5
says /tmp/first.log "Device $second"
says /tmp/first.log "guest-two"

echo quit >&4
echo quit >&5
end attach
until_true 120 no_adapter
