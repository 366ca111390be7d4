# A pseudo-terminal for btattach: the kernel gets an adapter over it, which finds the key fob; ended, all are gone.
. /recipes/../helpers.sh
begin keyfob bluethroat keyfob --no-panel --json --advertising-duration 600
says /tmp/keyfob.log '"event":"listening"'
begin attach bluethroat attach --pty /tmp/hci --no-panel
says /tmp/attach.log "/tmp/hci is a serial line"
bluetooth_service
begin btattach btattach -B /tmp/hci -P h4
until_true 300 test -e /sys/class/bluetooth/hci0
says /tmp/attach.log "pty:/tmp/hci: host 1 is there"
powered hci0
talk person
exec 4> /tmp/person.words
# What is typed before it knows an adapter is lost.
says /tmp/person.log "Agent registered"
echo "scan on" >&4
says /tmp/person.log "Keyfobdemo"
echo quit >&4
end attach
until_true 120 no_adapter
[ ! -L /tmp/hci ] || fail "/tmp/hci is still there"
end keyfob
