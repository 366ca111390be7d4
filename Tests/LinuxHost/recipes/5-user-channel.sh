# An adapter of the kernel is taken over by a command; with bluetoothd at work the command says what to do.
. /recipes/../helpers.sh
begin keyfob bluethroat keyfob --no-panel --json --advertising-duration 600
says /tmp/keyfob.log '"event":"listening"'
begin_adapters 1
until_true 300 hciconfig hci0 up
code=0
bluethroat scan --hci user-channel:hci0 --timeout 2 > /tmp/scan.log 2>&1 || code=$?
cat /tmp/scan.log
[ $code = 1 ] && grep -q "sudo hciconfig hci0 down" /tmp/scan.log || fail "an adapter that is up is taken"
hciconfig hci0 down
bluethroat scan Keyfobdemo --hci user-channel:hci0 --timeout 60 > /tmp/scan.log 2>&1
cat /tmp/scan.log
grep -q Keyfobdemo /tmp/scan.log || fail "the fob is not found"
end attach
end keyfob
until_true 120 no_adapter
