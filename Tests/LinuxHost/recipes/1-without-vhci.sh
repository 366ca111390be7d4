# A kernel without the driver: one line says so, and what to do.
. /recipes/../helpers.sh
[ ! -e /dev/vhci ] || rm /dev/vhci
code=0
bluethroat attach --vhci --no-panel > /tmp/attach.log 2>&1 || code=$?
cat /tmp/attach.log
[ $code = 1 ] || fail "the exit code is $code"
[ "$(grep -c 'sudo modprobe hci_vhci' /tmp/attach.log)" = 1 ] || fail "nothing says what to do"
