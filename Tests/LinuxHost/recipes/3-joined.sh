# An adapter on the air of a key fob: bluetoothctl finds it, connects, and reads its services.
. /recipes/../helpers.sh
begin keyfob bluethroat keyfob --no-panel --json --advertising-duration 600
says /tmp/keyfob.log '"event":"listening"'
begin_adapters 1
says /tmp/attach.log "tcp:127.0.0.1:6402"
bluetooth_service
powered hci0
talk person
exec 4> /tmp/person.words
# What is typed before it knows an adapter is lost.
says /tmp/person.log "Agent registered"
echo "scan on" >&4
says /tmp/person.log "Keyfobdemo"
echo "connect 78:C5:E5:9B:76:0D" >&4
says /tmp/person.log "Connection successful"
says /tmp/person.log "Immediate Alert"
says /tmp/keyfob.log '"event":"connected"'
echo quit >&4
end attach
until_true 120 no_adapter
says /tmp/keyfob.log '"event":"disconnected"'
end keyfob
